#!/bin/bash
# box: --nic cable --nic cable
# ifupdown without systemd: from DHCP on both ports to one fixed address, taken addresses, other address, undo.
. "$(dirname "$0")/lib.sh"

A=$(cat /sys/class/net/eth0/address) B=$(cat /sys/class/net/eth1/address)
sums() { find /etc/network /etc/hosts /etc/hostname /etc/resolv.conf -type f -exec sha256sum {} + | sort; }
set_static() { nas-net static "port=$A" "address=${1-192.168.77.10/24}" gateway=192.168.77.50 dns=192.168.77.50 name=nas others=off; }
code() { sed -n 's/.*code=\([a-z-]*\).*/\1/p' | head -n 1; }
global() { ip -4 -o addr show dev "$1" | awk '{print $4}' | paste -sd' '; }
clients() { pgrep -c dhclient; }
reaches() { # ADDRESS MAC: a computer on the LAN gets an answer to one of two ARP questions from that port
        lan arping -c 2 -w 3 -I br0 "$1" 2>/dev/null | grep -qi "$2"
}

printf '\nauto eth1\niface eth1 inet dhcp\n' >>/etc/network/interfaces
before=$(sums)
ifup eth0 >/dev/null 2>&1
ifup eth1 >/dev/null 2>&1
is "both ports have a lease" "$(nas-net list | grep -c 'method=dhcp stack=ifupdown')$(global eth0 | grep -c 77.1)$(global eth1 | grep -c 77.1)" 211
before=$(sums) # the lease has changed resolv.conf

lan ip addr add 192.168.77.66/24 dev br0
lan ip link set br0 address 00:11:32:aa:bb:cc # of a maker that udev's database knows
other=$(lan cat /sys/class/net/br0/address) maker=' maker="Synology Incorporated"'
systemd-hwdb query OUI:001132AABBCC 2>/dev/null | grep -q Synology || { skip "check: the maker" "no database"; maker=''; }
start=$SECONDS
is "case N07: check: taken, by whom" "$(nas-net check "port=$A" address=192.168.77.66/24 | head -n 1)" "check what=address value=192.168.77.66 state=taken by=$other$maker"
is "check: free, the gateway answers, nobody serves DNS" "$(nas-net check "port=$A" address=192.168.77.10/24 gateway=192.168.77.50 dns=192.168.77.50,192.168.77.49 |
        sed 's/ value=[^ ]*//; s/^check what=//; s/ by=.*//' | paste -sd' ')" "address state=free gateway state=answers dns state=silent dns state=silent result changed=no"
is "check ends soon" "$([ $((SECONDS - start)) -le 9 ] && echo soon)" soon
is "case N07: static refuses a taken address" "$(set_static 192.168.77.66/24 2>/dev/null | code)" address-taken
is "nothing was touched" "$(sums) $(global eth0 | wc -w) $(clients)" "$before 1 2"
lan ip addr del 192.168.77.66/24 dev br0

is "static" "$(set_static 2>&1)" "result changed=yes name=eth0 stack=ifupdown address=192.168.77.10/24 off=eth1 resolver=written"
is "case N01: one address, one route, no client" "$(global eth0)|$(global eth1)|$(ip route show default)|$(clients)" \
        "192.168.77.10/24||default via 192.168.77.50 dev eth0 onlink |0"
is "case N17: the other port is down" "$(cat /sys/class/net/eth1/flags)" 0x1002
is "name and DNS server" "$(hostname) $(grep -c '^127.0.1.1.nas$' /etc/hosts) $(grep -v '^#' /etc/resolv.conf | paste -sd' ')" "nas 1 nameserver 192.168.77.50"
t "the LAN reaches it" lan ping -c 1 -W 5 192.168.77.10
t "by the right port" reaches 192.168.77.10 "$A"
fails "case N17: not by the other" 1 reaches 192.168.77.10 "$B"
is "again: nothing to do" "$(set_static 2>&1 | grep -o '^result changed=[a-z]*')" "result changed=no"
t "ifup -a finds nothing to do" ifup -a
is "list" "$(nas-net list | sed -n 's/^port name=\([a-z0-9]*\).* method=\([a-z]*\) stack=\([a-z]*\)\( ours=\)/\1 \2 \3 /p' | paste -sd' ')" "eth0 static ifupdown lan eth1 none ifupdown off"
is "check: ours" "$(nas-net check "port=$A" address=192.168.77.10/24 | head -n 1)" "check what=address value=192.168.77.10 state=ours by=$A"
is "check: a port that is down" "$(nas-net check "port=$B" address=192.168.77.20/24 dns=192.168.77.50 | grep -o 'what=[a-z]*\|state=.*' | paste -sd' ')" \
        "what=address state=untested why=down what=dns state=untested why=down"
mv /usr/bin/arping /usr/bin/arping.away
is "check: no arping" "$(nas-net check "port=$A" address=192.168.77.20/24 | head -n 1)" "check what=address value=192.168.77.20 state=untested why=no-program"
mv /usr/bin/arping.away /usr/bin/arping
first=$(sums)

t "another address" set_static 192.168.77.11/24
is "it is the only one" "$(global eth0) $(pgrep -c dhclient)" "192.168.77.11/24 0"
t "undo" nas-net undo
is "the first fixed address is back" "$(global eth0) $(sums)" "192.168.77.10/24 $first"
is "undo once more changes nothing" "$(nas-net undo)" "result changed=no"
finish
