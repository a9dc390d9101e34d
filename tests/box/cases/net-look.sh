#!/bin/bash
# box: --nic cable --nic cable --nic cable
# Looking at the ports: those that are down come up for it without a word and go back, whatever ends the look. Two LANs;
# somebody who has our address and drops pings; nobody's table of neighbours learns anything.
. "$(dirname "$0")/lib.sh"

A=$(cat /sys/class/net/eth0/address) B=$(cat /sys/class/net/eth1/address) C=$(cat /sys/class/net/eth2/address)
get() { sed -n "s/^port name=$1 .* $2=\([^ ]*\).*/\1/p"; }
code() { sed -n 's/.*code=\([a-z-]*\).*/\1/p' | head -n 1; }
state() { # of a port: flags, switches, addresses, frames that it sent
        echo "$(cat "/sys/class/net/$1/flags") $(cat "/proc/sys/net/ipv4/conf/$1/arp_ignore" "/proc/sys/net/ipv6/conf/$1/disable_ipv6" | paste -sd' ') $(ip -o addr show dev "$1" | wc -l) $(cat "/sys/class/net/$1/statistics/tx_packets")"
}
is_up() { [ $(($(cat "/sys/class/net/$1/flags") & 1)) = 1 ]; }
is_down() { ! is_up "$1"; }
DOWN='0x1002 0 0 0 0' HELD='0x1003 8 1 0 0'
who() { lan arping -c 2 -w 3 -I br0 "$1" 2>/dev/null | grep -o '\[.*\]' | tr 'A-F' 'a-f' | sort -u | paste -sd' '; } # every port that answers for this address
watch() { # in its own session; its number in $watch, its blocks in /tmp/watch
        setsid nas-net watch >/tmp/watch 2>&1 &
        watch=$!
}
has_ended() { ! pgrep -x nas-net >/dev/null; }

ifup eth0 >/dev/null 2>&1
own=$(ip -4 -o addr show dev eth0 | awk '{print $4}')
is "list leaves a port down" "$(nas-net list | get eth1 up) $(nas-net list | get eth1 carrier) $(state eth1)" "no unknown $DOWN"
start=$SECONDS made=''
nas-net look >/tmp/look
is "look: the cable is seen, the port is told as it was" "$(get eth1 up </tmp/look) $(get eth1 carrier </tmp/look) $(get eth0 up </tmp/look)" "no yes yes"
is "it is back, and did not say a word" "$(state eth1)" "$DOWN"
mkdir -p /etc/netplan
printf 'network:\n  version: 2\n  ethernets:\n    eth1: {dhcp4: true}\n' >/etc/netplan/50-later.yaml
[ -e /usr/sbin/netplan ] || { made=1; touch /usr/sbin/netplan; }
nas-net look >/tmp/look
is "what netplan is to set up is left alone, others are not" "$(get eth1 carrier </tmp/look) $(get eth2 carrier </tmp/look) $(state eth1)" "unknown yes $DOWN"
rm -r /etc/netplan
[ -z "$made" ] || rm /usr/sbin/netplan
t "no trace" test ! -e /run/nas-setup/probe
is "nothing comes up while somebody changes the network" "$(flock /run/nas-setup/net.lock nas-net look | get eth1 carrier)" unknown
is "soon enough" "$([ $((SECONDS - start)) -le 6 ] && echo soon)" soon

watch
t "watch: the port comes up" wait_for 10 is_up eth1
t "and is told with its cable" wait_for 5 grep -q '^port name=eth1 .*carrier=yes up=no' /tmp/watch
is "silent: no address, no IPv6" "$(state eth1)" "$HELD"
is "it does not answer for the other one" "$(who "${own%/*}")" "[$A]"
is "still not a word" "$(state eth1)" "$HELD"
is "look beside it" "$(nas-net look | get eth1 carrier) $(state eth1)" "yes $HELD"
kill "$(sed -n 's/^holder pid=//p' /run/nas-setup/probe)"
t "asked to let go: the port goes down" wait_for 5 is_down eth1
ip addr add 192.168.77.98/24 dev eth0
t "and the watch tells on" wait_for 5 grep -q 192.168.77.98 /tmp/watch
ip addr del 192.168.77.98/24 dev eth0
kill $watch
t "ended: the port goes down" wait_for 5 is_down eth1
is "as it was" "$(state eth1)" "$DOWN"
t "and nobody is left" wait_for 5 has_ended

watch
t "again" wait_for 10 is_up eth1
pkill -KILL -x nas-net
wait $watch 2>/dev/null
wait_for 5 has_ended
is "killed: it stays up, silent" "$(state eth1)" "$HELD"
nas-net list >/dev/null
is "the next run puts it back" "$(state eth1) $(ls /run/nas-setup | grep -v lock)" "$DOWN "

watch
t "somebody configures a port that is held" wait_for 10 is_up eth2
ip addr add 192.168.77.20/24 dev eth2
is_free() { [ "$(cat /proc/sys/net/ipv4/conf/eth2/arp_ignore)$(cat /proc/sys/net/ipv6/conf/eth2/disable_ipv6)" = 00 ]; }
t "so it is let go" wait_for 5 is_free
kill $watch
wait_for 5 has_ended
is "and stays up with its address" "$(is_up eth2 && echo up) $(ip -4 -o addr show dev eth2 | awk '{print $4}')" "up 192.168.77.20/24"
ip addr flush dev eth2
ip link set eth2 down

# Daemons that take whatever comes up, by their names.
for daemon in connmand 'dhcpcd: [manager] [ip4] [ip6]'; do
        cp /usr/bin/sleep "/tmp/${daemon%%:*}"
        (exec -a "$daemon" "/tmp/${daemon%%:*}" 60) &
        wait_for 5 pgrep -x "${daemon%%:*}"
        nas-net look >/tmp/look
        is "beside ${daemon%%:*} nothing is touched" "$(get eth1 carrier </tmp/look) $(state eth1)" "unknown $DOWN"
        kill $!
done

ip link add br9 type bridge
ip link set eth2 master br9
nas-net look >/tmp/look
is "a port of a bridge is not touched" "$(get eth2 carrier </tmp/look) $(get eth2 usedby </tmp/look) $(get br9 kind </tmp/look) $(get br9 members </tmp/look)" "unknown br9 bridge eth2"
ip link del br9
ip link add bond9 type bond
ip link set eth2 master bond9
ip link add link eth1 name eth1.20 type vlan id 20
ip link add vx9 type vxlan id 9 dstport 4789
ip link set vx9 up
nas-net look >/tmp/look
is "bonds, VLANs and tunnels are told apart" "$(for p in bond9 eth1.20 vx9; do echo "$(get $p kind </tmp/look) $(get $p members </tmp/look)"; done | paste -sd' ')" "bond eth2 vlan eth1 tunnel "
is "and what they have is not touched" "$(get eth2 usedby </tmp/look) $(get eth1 usedby </tmp/look) $(state eth1)" "bond9 eth1.20 $DOWN"
ip link del bond9
ip link del eth1.20
ip link del vx9
ip link set eth2 down
is "a port without a lamp" "$(nas-net blink "port=$A" seconds=1 2>/dev/null | code)" no-lamp

# eth2's cable goes to another LAN, where somebody else has an address that we might take. He drops pings, and so does he here.
lan ip link set vec5 nomaster
lan ip addr add 192.168.78.66/24 dev vec5
lan ip addr add 192.168.77.66/24 dev br0
lan sysctl -qw net.ipv4.icmp_echo_ignore_all=1
br=$(lan cat /sys/class/net/br0/address) vec=$(lan cat /sys/class/net/vec5/address)
watch
wait_for 10 is_up eth2
lan ip neigh flush all
check() { nas-net check "port=$1" "address=$2" "${@:3}" | sed 's/^check what=//; s/ value=[^ ]*//' | paste -sd' '; }
is "check: taken, though he drops pings" "$(check "$A" 192.168.77.66/24)" "address state=taken by=$br result changed=no"
is "check: the other LAN, by a port that is down" "$(check "$C" 192.168.78.66/24)" "address state=taken by=$vec result changed=no"
is "check: there the first one's address is free, its gateway answers" "$(check "$C" 192.168.78.77/24 gateway=192.168.78.66 dns=192.168.78.66)" \
        "address state=free gateway state=answers by=$vec dns state=untested why=no-address result changed=no"
is "nobody has learned a neighbour" "$(lan ip -4 neigh)" ""
ip neigh flush all
ping -c 1 -W 2 192.168.77.50 >/dev/null
t "as they do by anything else" lan ip -4 neigh get "${own%/*}" dev br0
nas-net undo >/dev/null
is "before the network is changed the ports go down" "$(state eth1 | cut -d' ' -f1-4) $(ls /run/nas-setup/probe 2>&1 | grep -c 'No such')" "0x1002 0 0 0 1"
t "and the watch goes on" kill -0 $watch
kill $watch
wait_for 5 has_ended
is "all is as it was" "$(state eth1 | cut -d' ' -f1-4) $(state eth2 | cut -d' ' -f1-4)" "0x1002 0 0 0 0x1002 0 0 0"
finish
