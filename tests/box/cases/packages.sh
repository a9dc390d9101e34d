#!/bin/bash
# box: --nic cable
# Programs that are missing come from a mirror on the network: nothing is asked, nothing is started before its time, apt's
# lock is waited for, a mirror that is away is told before anything is written, and what was killed is gone on with.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/mirror.sh"
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
code() { sed -n 's/^error code=\([a-z-]*\).*/\1/p' <<<"$1"; }
state() { find /etc /usr /var/lib/dpkg /var/lib/apt -newer /tmp/stamp ! -type d | sort; }
lists() { nas-system list | grep '^package' | sed 's/ needed.*//' | sort; }

fake smartmontools smartctl smartd
fake xfsprogs mkfs.xfs
fake wsdd2 wsdd2 wsdd2
gone smartmontools smartctl
gone xfsprogs mkfs.xfs
t "what is missing is listed" grep -q '^package name=smartmontools purpose=health needed=no$' <(nas-system list)

# --- without a network, and with nobody at the other end ---
echo "deb [trusted=yes] $mirror_url ./" >/etc/apt/sources.list
touch /tmp/stamp
sleep 0.01
out=$(nas-system check packages=smartmontools 2>/dev/null)
is "no network yet: not known, and so not refused" "$? $(grep -o 'mirror=[a-z]*' <<<"$out")" "0 mirror=unknown"
ifup eth0 >/dev/null 2>&1
ip route | grep -q default || ip route add default via 192.168.77.50
out=$(nas-system --dry-run install packages=smartmontools 2>/dev/null)
is "a mirror that is away is told" "$? $(code "$out")" "3 no-mirror"
out=$(nas-system --dry-run install wished=smartmontools 2>/dev/null)
is "what is only wished is gone without" "$? $(grep -o 'mirror=.*' <<<"$out")" "0 mirror=silent lacks=smartmontools"
is "and done without" "$(nas-system install wished=smartmontools 2>&1)" "result changed=no lacks=smartmontools"
: >/etc/apt/sources.list
out=$(nas-system check packages=smartmontools 2>/dev/null)
is "no source at all is told" "$? $(code "$out")" "3 no-sources"
mv /usr/bin/apt-get /usr/bin/apt-away
is "without apt: what is only wished is gone without" "$(nas-system check wished=smartmontools 2>&1 | grep -o 'lacks=.*') $(nas-system install wished=smartmontools 2>&1)" \
        "lacks=smartmontools result changed=no lacks=smartmontools"
out=$(nas-system check packages=smartmontools 2>/dev/null)
is "and what is needed is told" "$? $(code "$out")" "3 no-apt"
mv /usr/bin/apt-away /usr/bin/apt-get

# --- the mirror is there ---
mirror_lists
t "the mirror is there" mirror_on
out=$(nas-system check packages=smartmontools,xfsprogs wished=no-such-package 2>&1)
is "what it would fetch" "$(grep -o 'packages=.*' <<<"$out" | sed 's/download=[1-9][0-9]* /download=N /')" \
        "packages=smartmontools,xfsprogs download=N size=4194304 mirror=yes lacks=no-such-package"
out=$(nas-system check packages=no-such-package 2>/dev/null)
is "a package that nobody has" "$? $(code "$out")" "3 no-package"
is "nothing was written by looking" "$(state | grep -v sources.list)" ""
is "nor left in /run" "$(ls /run/nas-setup 2>/dev/null | grep -v write.lock)" ""
out=$(nas-system install packages=-x 2>&1)
is "no option for apt comes through" $? 2

# --- apt's lock, a conffile of the person's own, the answer that nobody gives ---
echo "as the person has it" >/etc/default/smartmontools-invented
python3 - <<'P' &
import fcntl, time, os
f = open("/var/lib/dpkg/lock-frontend", "w")
fcntl.lockf(f, fcntl.LOCK_EX)
open("/tmp/held", "w")
while not os.path.exists("/tmp/let-go"): time.sleep(0.1)
P
t "somebody holds apt's lock" wait_for 30 test -e /tmp/held
nas-system install packages=smartmontools >/tmp/out 2>&1 &
pid=$!
t "it is waited for, and said who has it" wait_for 30 grep -q '^progress .*what=waits:python3' /tmp/out
touch /tmp/let-go
wait $pid
is "then installed" "$? $(tail -n 1 /tmp/out)" "0 result changed=yes installed=smartmontools"
is "the program is there" "$(smartctl)" "smartctl of the mirror"
is "the person's file is kept" "$(cat /etc/default/smartmontools-invented)" "as the person has it"
is "its service was not started" "$(cat /tmp/started-smartd 2>&1)" "cat: /tmp/started-smartd: No such file or directory"
is "policy-rc.d is gone" "$(ls /usr/sbin/policy-rc.d /run/nas-setup/policy-rc.d 2>/dev/null)" ""
is "the second time" "$(nas-system install packages=smartmontools 2>&1)" "result changed=no"
dpkg -i --force-confold "$mirror/smartmontools.deb" </dev/null >/dev/null 2>&1
is "installed by hand it would have been" "$(cat /tmp/started-smartd)" start

# --- killed in the middle ---
touch /tmp/slow
nas-system install packages=xfsprogs wished=wsdd2 >/tmp/out 2>&1 &
pid=$!
t "it is in the middle" wait_for 60 test -e /tmp/in-postinst
kill -9 $pid
pkill -9 apt-get
pkill -9 dpkg
pkill -9 -f postinst
rm /tmp/slow
t "dpkg was cut off" grep -q xfsprogs <(dpkg --audit)
t "its program alone is not enough" nas-system --dry-run install packages=xfsprogs
is "run again it is finished" "$(nas-system install packages=xfsprogs wished=wsdd2 2>&1 | tail -n 1)" "result changed=yes installed=xfsprogs,wsdd2"
is "dpkg is at peace" "$(dpkg --audit)" ""
is "no service was started" "$(cat /tmp/started-wsdd2 2>/dev/null)" ""
is "and policy-rc.d is gone" "$(ls /usr/sbin/policy-rc.d /run/nas-setup/policy-rc.d 2>/dev/null)" ""

# --- somebody's own policy stays, and a mirror that goes away on the way ---
printf '#!/bin/sh\nexit 101\n' >/usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
gone smartmontools smartctl
mv "$mirror/smartmontools.deb" /tmp/away.deb
out=$(nas-system install packages=smartmontools 2>/dev/null)
is "a file that the mirror lost" "$? $(code "$out")" "1 no-mirror"
mv /tmp/away.deb "$mirror/smartmontools.deb"
is "and found again" "$(nas-system install packages=smartmontools 2>&1 | tail -n 1)" "result changed=yes installed=smartmontools"
is "somebody's own policy-rc.d is as it was" "$(cat /usr/sbin/policy-rc.d)" "$(printf '#!/bin/sh\nexit 101\n')"
mirror_off
finish
