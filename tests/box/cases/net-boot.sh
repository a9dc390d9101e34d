#!/bin/bash
# With systemd: each stack from DHCP on two ports to one fixed address, over a reboot, and back. Runs outside of the box
# first, which starts this same file in two boxes a stack. NetworkManager and netplan are no part of the box's Debian: a
# tar of what they consist of, OVERLAY=FILE, is unpacked over it, as in
# STACKS="networkmanager netplan-networkd netplan-networkmanager" OVERLAY=/tmp/nm.tar net-boot.sh
if [ ! -d /box/share ]; then
        cd "$(dirname "$0")/.." || exit 1
        . ../lib.sh
        work=$(mktemp -d /tmp/nas-net-boot.XXXXXX)
        chmod 755 "$work" # the box runs as somebody else
        trap 'rm -rf "$work"' EXIT
        for stack in ${STACKS:-ifupdown networkd}; do
                for part in first second; do
                        # shellcheck disable=SC2086 # options are words
                        ./box ${BOX_OPTIONS-} --dir "$work/$stack" --boot --seconds 200 --nic cable --nic cable --put ../lib.sh \
                                --put cases/net-boot.sh ${PUT:+--put "$PUT"} \
                                ${OVERLAY:+--put "$OVERLAY"} -- bash /box/share/net-boot.sh $stack $part $OVERLAY >"$work/log" 2>"$work/err" </dev/null
                        status=$?
                        sed -n "s/^\(ok\|not ok\|    \)/\1/p" "$work/log"
                        passed=$((passed + $(grep -c '^ok' "$work/log"))) failed=$((failed + $(grep -c '^not ok' "$work/log")))
                        is "$stack $part: ended well" "$status" 0
                        [ $status = 0 ] || tail -n 20 "$work/err"
                done
        done
        finish
        exit
fi

. "$(dirname "$0")/lib.sh"
PATH=/box/share:$PATH
setup=$1 stack=${1%-*} part=$2 overlay=$3
A=$(cat /sys/class/net/eth0/address)
sums() { find /etc/network /etc/systemd/network /etc/netplan /etc/NetworkManager /etc/hosts /etc/hostname -type f -exec sha256sum {} + 2>/dev/null | sort | sha256sum; }
set_static() { nas-net static "port=$A" address=192.168.77.10/24 gateway=192.168.77.50 dns=192.168.77.50 name=nas others=off; }
global() { ip -4 -o addr show dev "$1" scope global | awk '{print $4}' | paste -sd' '; }
has() { [ "$(global eth0)" = "$1" ]; }
has_lease() { [[ $(global eth0) = 192.168.77.1??/24 ]]; }
is_good() { # WHEN
        is "$stack $1: one address, one route, no client" "$(global eth0)|$(ip -4 -o addr show dev eth1)|$(ip route show default | wc -l)|$(pgrep -c 'dhclient|dhcpcd')" "192.168.77.10/24||1|0"
        is "$stack $1: the route" "$(ip route show default | grep -o 'via [^ ]* dev [^ ]*')" "via 192.168.77.50 dev eth0"
        is "$stack $1: the other port is down" "$(cat /sys/class/net/eth1/flags)" 0x1002
        is "$stack $1: name and DNS server" "$(hostname) $(grep -v '^#' /etc/resolv.conf | grep -o '^nameserver.*' | paste -sd' ')" "nas nameserver 192.168.77.50"
        is "$stack $1: list" "$(nas-net list | sed -n 's/^port name=\([a-z0-9]*\).* method=\([a-z]*\) stack=\([a-z]*\)\( ours=\)/\1 \2 \3 /p' | paste -sd' ')" \
                "eth0 static $stack lan eth1 none $stack off"
        t "$stack $1: the LAN reaches it" lan ping -c 1 -W 5 192.168.77.10
}

from_ifupdown() {
        systemctl stop ifup@eth0 ifup@eth1 2>/dev/null
        ifdown -a --force eth0 eth1 2>/dev/null
        printf 'auto lo\niface lo inet loopback\n' >/etc/network/interfaces
}
netplan_file() { # RENDERER
        mkdir -p /etc/netplan
        printf 'network:\n  version: 2\n  renderer: %s\n  ethernets:\n    eth0:\n      dhcp4: true\n    eth1: {dhcp4: true}\n' "$1" >/etc/netplan/50-ports.yaml
        chmod 600 /etc/netplan/50-ports.yaml
        netplan generate
}
run_networkd() {
        systemctl enable --now systemd-networkd
        networkctl reload
}
run_networkmanager() {
        rm -f /etc/resolv.conf
        systemctl reload dbus
        systemctl enable --now NetworkManager
}
set_up() {
        if [ -n "$overlay" ]; then
                tar -C / --skip-old-files --keep-directory-symlink -xf "/box/share/${overlay##*/}"
                ldconfig
                systemctl daemon-reload
        fi
        [ "$setup" = ifupdown ] || from_ifupdown
        case $setup in
        ifupdown)
                printf '\nallow-hotplug eth1\niface eth1 inet dhcp\n' >>/etc/network/interfaces
                systemctl start ifup@eth0 ifup@eth1
                ;;
        networkd)
                printf '[Match]\nName=eth*\n\n[Network]\nDHCP=yes\n' >/etc/systemd/network/20-wired.network
                run_networkd
                ;;
        networkmanager) run_networkmanager ;;
        netplan-networkd) netplan_file networkd && run_networkd ;;
        netplan-networkmanager) netplan_file NetworkManager && run_networkmanager ;;
        esac
}

case $part in
first)
        set_up 2>&1
        t "$stack: a lease first" wait_for 30 has_lease
        is "$stack: list knows" "$(nas-net list | grep -c "method=dhcp stack=$stack")" 2
        before=$(sums)
        is "$stack: static" "$(set_static 2>&1 | sed 's/ resolver=.*//')" "result changed=yes name=eth0 stack=$stack address=192.168.77.10/24 off=eth1"
        is_good "at once"
        t "$stack: undo" nas-net undo
        is "$stack: every byte is back" "$(sums)" "$before"
        t "$stack: so is the lease" wait_for 30 has_lease
        t "$stack: static once more" set_static
        is "$stack: again" "$(set_static 2>&1 | grep -o '^result changed=[a-z]*')" "result changed=no"
        ;;
second)
        wait_for 30 ping -c 1 -W 1 192.168.77.50
        is_good "after a reboot"
        is "$stack: the other port has sent nothing since the power came on" "$(cat /sys/class/net/eth1/statistics/tx_packets)" 0
        is "$stack: again after a reboot" "$(set_static 2>&1 | grep -o '^result changed=[a-z]*')" "result changed=no"
        lan ip addr add 192.168.77.66/24 dev br0
        is "$stack: a taken address is refused" "$(nas-net static "port=$A" address=192.168.77.66/24 gateway=192.168.77.50 2>/dev/null | grep -o 'code=[a-z-]*')" code=address-taken
        lan ip addr del 192.168.77.66/24 dev br0
        t "$stack: another address" nas-net static "port=$A" address=192.168.77.11/24 gateway=192.168.77.50 dns=192.168.77.50 name=nas others=off
        is "$stack: it is the only one" "$(global eth0)" 192.168.77.11/24
        t "$stack: undo" nas-net undo
        t "$stack: back at the first" wait_for 20 has 192.168.77.10/24
        ;;
esac
finish
