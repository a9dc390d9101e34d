/* While programs are installed their services are not started: a service must not run before its configuration is ours.
 * By policy-rc.d, which invoke-rc.d and deb-systemd-invoke ask (invoke-rc.d(8)). It is a link to a script in /run, so that
 * after a power cut it leads nowhere and counts as none; what a killed run left, the next one takes away. */
#pragma once

/* 0, also where somebody else's policy is there: it stays in charge. Else -errno. */
int policy_begin(void);
int policy_end(void);
