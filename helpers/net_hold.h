/* Ports that are down, brought up for as long as somebody looks whether a cable is in and how fast it is, and then put
 * back exactly as they were.
 *
 * Such a port stays silent: no address, no IPv6 at all (disable_ipv6), no answer to ARP questions for the addresses of
 * other ports (arp_ignore 8: Documentation/networking/ip-sysctl of the kernel). Only wired ports that nobody has anything
 * to do with are touched: no address, nothing on top, no DHCP client, not managed by networkd, netplan or NetworkManager;
 * and none at all beside a daemon that takes whatever comes up (dhcpcd as a manager, connman, ifplugd, netplugd).
 *
 * Before the first is touched, what they were stands in HOLD_FILE, one record each:
 *
 *     holder pid=N
 *     held port=NAME mac=MAC index=N arp-ignore=0 disable-ipv6=0        (a key is absent where the kernel has no such file)
 *
 * and who writes it holds HOLD_LOCK as long as he lives. A file without a holder is what a killed one left: the next
 * run puts back what it says. */
#pragma once

#include "helpers/net_port.h"

#define HOLD_FILE "/run/nas-setup/probe"
#define HOLD_LOCK "/run/nas-setup/probe.lock"

struct hold {
        struct records held;
        int lock; /* -1: nothing may be held, since another one does, or we may not */
};

/* Takes the lock and puts back what was left. From then on SIGTERM asks us to let go of everything (hold_mind does), and
 * does not end us. Never below --root. */
void hold_begin(struct hold *h);
/* Brings up those of ports (with net_stacks_look) that may be, and sets their up and held. True where there was one; none
 * while somebody changes the network. */
bool hold_up(struct hold *h, struct ports *ports);
/* Lets go of those that somebody else has configured, taken down or away since, and of all where that was asked for. */
void hold_mind(struct hold *h);
void hold_end(struct hold *h); /* all are as they were */
#define _cleanup_hold_ _cleanup_(hold_end)

/* What a killed one left is put back. For every run at its beginning. */
void hold_recover(void);
/* Nobody holds a port any more: for whoever is about to change the network. */
void hold_stop(void);
/* Names of the ports that somebody holds now. */
char **hold_names(void) _must_check_;
