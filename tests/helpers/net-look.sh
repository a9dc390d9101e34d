#!/bin/bash
# nas-net list on made-up trees: what each port is, how fast it and the other end are, IPv6, who came over ssh. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
nas=$PWD/${BUILD-build/plain}/nas-net
recorded=$PWD/tests/helpers/net/look
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

# port NAME MAC FILE=TEXT…: the next port of the tree
index=1
port() {
        local name=$1 mac=$2 dir=$root/sys/class/net/$1 set
        shift 2
        mkdir -p "$dir"
        echo $((++index)) >"$dir/ifindex"
        echo "$mac" >"$dir/address"
        for set in type=1 flags=0x1003 carrier=1 addr_assign_type=0 "$@"; do echo "${set#*=}" >"$dir/${set%%=*}"; done
}
card() { # NAME BUS DRIVER
        mkdir -p "$root/sys/class/net/$1/device"
        ln -sfn "../../../../bus/$2" "$root/sys/class/net/$1/device/subsystem"
        ln -sfn "../../../../bus/$2/drivers/$3" "$root/sys/class/net/$1/device/driver"
}
over() { # UPPER LOWER…
        local lower upper=$1
        shift
        for lower; do
                ln -sfn "../$lower" "$root/sys/class/net/$upper/lower_$lower"
                ln -sfn "../$upper" "$root/sys/class/net/$lower/upper_$upper"
        done
}
net() { "$nas" --root "$root" "$@" 2>/dev/null; }
get() { net list | sed -n "s/^port name=$1 .* $2=\([^ ]*\).*/\1/p"; } # NAME KEY
keys() { # NAME KEY…: its values, - for a key that is not there
        local name=$1 key value
        shift
        for key; do value=$(get "$name" "$key") && echo -n "${value:--} "; done
}

mkdir -p "$root"/{etc,proc/net,recorded}
echo nas >"$root/etc/hostname"
port eno1 52:54:00:00:01:01 speed=100 duplex=full
card eno1 pci e1000e
cp "$recorded/ethtool-e1000e" "$root/recorded/ethtool-eno1"
port enp3s0 52:54:00:00:01:02 carrier=0 speed=10 duplex=half
card enp3s0 pci igc
cp "$recorded/ethtool-unplugged" "$root/recorded/ethtool-enp3s0"
port enx1 52:54:00:00:01:03 speed=10 duplex=half
card enx1 usb r8152
port ens5 52:54:00:00:01:04 speed=-1 duplex=unknown
card ens5 virtio virtio_net
port enp4s0 52:54:00:00:01:05
card enp4s0 pci ixgbe
port enp5s0 52:54:00:00:01:06
card enp5s0 pci ixgbe
port lan0 52:54:00:00:01:07
card lan0 platform mvneta
port wlp6s0 52:54:00:00:01:08
card wlp6s0 pci iwlwifi
mkdir "$root/sys/class/net/wlp6s0/phy80211"
port wwan0 52:54:00:00:01:09 uevent=DEVTYPE=wwan type=65534
card wwan0 usb cdc_mbim
port bond0 52:54:00:00:01:05 uevent=DEVTYPE=bond
over bond0 enp4s0 enp5s0
ln -sfn ../bond0 "$root/sys/class/net/enp5s0/master"
port br0 52:54:00:00:01:0b uevent=DEVTYPE=bridge
port veth1 52:54:00:00:01:0c speed=10000 duplex=full
over br0 veth1
port lan0.20 52:54:00:00:01:07 uevent=DEVTYPE=vlan
over lan0.20 lan0
port wg0 "" uevent=DEVTYPE=wireguard type=65534 flags=0x91
port tap0 52:54:00:00:01:0d tun_flags=0x1002
port vx0 52:54:00:00:01:0e uevent=DEVTYPE=vxlan
port sit0 0.0.0.0 type=776 flags=0x80
port gretap0 00:00:00:00:00:00 flags=0x1002
port dummy0 52:54:00:00:01:0f
port lo 00:00:00:00:00:00 type=772
is "the order and what each is" "$(net list | sed -n 's/^port name=\([^ ]*\).* kind=\([a-z]*\).*/\1=\2/p' | paste -sd' ')" \
        "eno1=wired enp3s0=wired enx1=wired ens5=wired enp4s0=wired enp5s0=wired lan0=wired wlp6s0=wifi wwan0=tunnel bond0=bond br0=bridge veth1=virtual lan0.20=vlan wg0=tunnel tap0=tunnel vx0=tunnel dummy0=virtual"
is "their buses" "$(for n in eno1 enx1 ens5 lan0 br0; do keys $n bus; done)" "pci usb pci - virtual "
is "what lies below, what above" "$(keys bond0 members)$(keys br0 members)$(keys lan0.20 members)$(for n in enp4s0 enp5s0 veth1 lan0 eno1; do keys $n usedby; done)" \
        "enp4s0,enp5s0 veth1 lan0 bond0 bond0 br0 lan0.20 - "
is "a gigabit card at a slow switch" "$(keys eno1 carrier speed maxspeed peerspeed duplex)" "yes 100 1000 100 full "
is "without a cable there is no speed, but what it could do" "$(keys enp3s0 carrier speed maxspeed peerspeed duplex)" "no - 10000 - - "
is "half duplex" "$(keys enx1 speed maxspeed duplex)" "10 - half "
is "a card that tells nothing" "$(keys ens5 carrier speed maxspeed peerspeed duplex)" "yes - - - - "

# The columns of /proc/net/if_inet6: address, index, prefix, scope, flags, name. 80 is for ever, 01 of privacy, 40 tentative.
v6() { printf '%s 02 %s %s %s eno1\n' "$@" >>"$root/proc/net/if_inet6"; }
route6() { printf '%032d 00 %032d 00 %s 00000400 00000001 00000000 00000003 eno1\n' 0 0 "$1" >"$root/proc/net/ipv6_route"; }
LL=fe80000000000000505400fffe000101 RA=20010db8000100000000000000000010 FIX=fd120000000000000000000000000010
mkdir -p "$root/proc/sys/net/ipv6/conf/eno1"
echo 0 >"$root/proc/sys/net/ipv6/conf/eno1/disable_ipv6"
v6 $LL 40 20 80
is "IPv6: nothing but fe80" "$(keys eno1 ipv6 address6 gateway6)" "none - - "
v6 $RA 40 00 00
v6 20010db80001000000000000000000aa 40 00 01
route6 $LL
is "IPv6: from a router" "$(keys eno1 ipv6 address6 gateway6)" "router 2001:db8:1::10/64 fe80::5054:ff:fe00:101 "
v6 $FIX 40 00 80
is "IPv6: from a router, and a fixed one" "$(keys eno1 ipv6 address6)" "router 2001:db8:1::10/64,fd12::10/64 "
: >"$root/proc/net/if_inet6"
v6 $FIX 40 00 80
v6 fd120000000000000000000000000011 40 00 c0
is "IPv6: fixed; one that is not sure yet does not count" "$(keys eno1 ipv6 address6)" "fixed fd12::10/64 "
: >"$root/proc/net/if_inet6"
echo 1 >"$root/proc/sys/net/ipv6/conf/eno1/disable_ipv6"
is "IPv6: off" "$(keys eno1 ipv6 address6)" "off - "

echo "eno1 UP 169.254.7.8/16" >"$root/recorded/addresses"
is "an address that nobody gave" "$(keys eno1 method address)" "link-local 169.254.7.8/16 "
echo "eno1 UP 169.254.7.8/16 192.168.1.10/24" >"$root/recorded/addresses"
is "and one that somebody did" "$(keys eno1 method)" "unknown "

ssh() { echo "$1" >"$root/recorded/ssh-connection"; net list | sed -n 's/^host name=nas *//p'; }
is "nobody came over ssh" "$(SSH_CONNECTION='1.2.3.4 1 192.168.1.10 22' net list | head -n 1)" "host name=nas"
is "ssh, from where and by which port" "$(ssh "192.168.1.50 50210 192.168.1.10 22")" "ssh=yes from=192.168.1.50 via=eno1"
is "ssh by a link-local address" "$(ssh "fe80::9%enx1 50210 fe80::1%enx1 22")" "ssh=yes from=fe80::9 via=enx1"
is "ssh to an address that no port has" "$(ssh "127.0.0.1 50210 127.0.0.1 22")" "ssh=yes from=127.0.0.1"
is "ssh, and words that are no addresses" "$(ssh $'\e[31m 1 $(reboot)%eno1 22')" "ssh=yes"
is "ssh, and no words" "$(ssh "x")" "ssh=yes"
rm "$root/recorded/ssh-connection"
# The processes above: of this very computer, so without --root. sudo hands no environment on; tmux has its own.
from() { sed -n 's/^host .* ssh=yes from=\([^ ]*\).*/\1/p'; }
is "ssh, and sudo" "$(SSH_CONNECTION='192.0.2.50 1 192.0.2.1 22' bash -c "env -i '$nas' list; :" | from)" 192.0.2.50
cp "$BASH" "$work/tmux: server"
cp "$(type -P sleep)" "$work/tmux: client"
SSH_CONNECTION='192.0.2.51 1 192.0.2.1 22' "$work/tmux: client" 60 &
client=$!
is "ssh, and a tmux that began at the computer" "$(env -u SSH_CONNECTION "$work/tmux: server" -c "env -i '$nas' list; :" | from)" 192.0.2.51
kill $client
if [ "$(id -u)" = 0 ]; then
        # of somebody who would like us to think so; the setuid bit and unreadability make its folder in /proc root's
        chmod 755 "$work"
        chmod 4711 "$work/tmux: client"
        SSH_CONNECTION='192.0.2.66 1 192.0.2.1 22' setpriv --reuid 65534 --regid 65534 --clear-groups "$work/tmux: client" 60 &
        client=$!
        wait_for 5 grep -qx 'tmux: client' /proc/$client/comm
        is "a tmux of another user's does not count" "$(env -u SSH_CONNECTION "$work/tmux: server" -c "env -i '$nas' list; :" | sed -n 's/^host .*\( ssh=.*\)/\1/p')" ""
        kill $client
else
        skip "a tmux of another user's does not count" "not root"
fi

is "look, where nothing is held: the list" "$(net look)" "$(net list)"
fails "look has 2 to 60 seconds" 2 net look seconds=1
fails "blink has 1 to 600" 2 net blink port=52:54:00:00:01:01 seconds=0
fails "blink: no port has that address" 3 net blink port=52:54:00:00:01:99
is "blink" "$(net blink port=52:54:00:00:01:01 seconds=1)" "result changed=no"

net watch >"$work/blocks" 2>&1 &
watch=$!
blocks() { [ "$(grep -cx listed "$work/blocks")" = "$1" ]; }
t "watch: a block at once" wait_for 5 blocks 1
is "which is the list" "$(cat "$work/blocks")" "$(net list | sed 's/^result .*/listed/')"
echo 1 >"$root/sys/class/net/enp3s0/carrier"
t "watch: the cable is put in" wait_for 5 blocks 2
is "and seen" "$(sed -n 's/^port name=enp3s0 .* carrier=\([a-z]*\).*/\1/p' "$work/blocks" | paste -sd' ')" "no yes"
kill $watch
has_ended() { ! kill -0 $watch 2>/dev/null; }
t "watch: ends" wait_for 5 has_ended
finish
