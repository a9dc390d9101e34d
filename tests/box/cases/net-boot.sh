#!/bin/bash
# With systemd: a stack from DHCP on two ports to one fixed address, over a reboot, and back. Runs outside of the box first,
# which starts this same file in two boxes a stack. netplan with NetworkManager stands for those two and is not started
# again; with MORE=N (long/net-stacks.sh) each is, twice: then there are also N kills at any moment, all ways of IPv6, and
# the ports' names change before the third start. STACKS chooses, SEED repeats the kills.
if [ ! -d /box/share ]; then
        cd "$(dirname "$0")/.." || exit 1
        . ../lib.sh
        work=$(mktemp -d /tmp/nas-net-boot.XXXXXX)
        chmod 755 "$work" # the box runs as somebody else
        trap 'rm -rf "$work"' EXIT
        seed=${SEED:-$RANDOM}
        echo "# SEED=$seed"
        for stack in ${STACKS:-ifupdown networkd netplan-networkmanager}; do
                # What Debian's installer leaves has neither resolved nor Python.
                variant=net parts='first'
                case $stack in ifupdown | networkd | ifupdown-networkd) variant=nas parts='first second' ;; esac
                [ -z "$MORE" ] || parts='first second third'
                for part in $parts; do
                        start=$SECONDS
                        # shellcheck disable=SC2086 # options are words
                        SEED=$seed ./box ${BOX_OPTIONS-} --variant $variant --dir "$work/$stack" --boot --seconds 400 --nic cable \
                                --nic cable --put ../lib.sh --put stacks.sh --put cases/net-boot.sh --put scenarios/inside/lan.py -- \
                                bash /box/share/net-boot.sh $stack $part $MORE >"$work/log" 2>"$work/err" </dev/null
                        status=$?
                        sed -n "s/^\(ok\|not ok\|skip\|#\|    \)/\1/p" "$work/log"
                        passed=$((passed + $(grep -c '^ok' "$work/log"))) failed=$((failed + $(grep -c '^not ok' "$work/log")))
                        is "$stack $part: ended well" "$status" 0
                        [ $status = 0 ] || tail -n 20 "$work/err"
                        echo "# $stack $part took $((SECONDS - start)) s"
                done
                rm -rf "${work:?}/$stack"
        done
        finish
        exit
fi

. "$(dirname "$0")/lib.sh"
part=$2 more=$3
RANDOM=${SEED:-1}
. "$(dirname "$0")/stacks.sh" "$1"
sums() { find /etc/network /etc/systemd/network /etc/netplan /etc/NetworkManager /etc/cloud/cloud.cfg.d /etc/hosts /etc/hostname -type f -exec sha256sum {} + 2>/dev/null | sort | sha256sum; }
set_static() { nas-net static "port=$A" address=192.168.77.10/24 gateway=192.168.77.50 dns=192.168.77.50 name=nas others=off "$@"; }
is_good() { # WHEN
        local name
        is "$setup $1: one address, one route, no client" "$(global "$lan")|$(ip -4 -o addr show dev "$off")|$(ip route show default | wc -l)|$(clients)" "192.168.77.10/24||1|"
        is "$setup $1: the route" "$(ip route show default | grep -o 'via [^ ]* dev [^ ]*')" "via 192.168.77.50 dev $lan"
        is "$setup $1: the other port is down" "$(cat "/sys/class/net/$off/flags") $(ip -o addr show dev "$off")" "0x1002 "
        name="box-$RANDOM.test"
        if can_serve; then is "$setup $1: name, and the LAN's DNS server answers" "$(hostname) $(answers "$name")" "nas 192.168.77.99"
        else is "$setup $1: name and DNS server" "$(hostname) $(grep -v '^#' /etc/resolv.conf | grep -o '^nameserver.*' | paste -sd' ')" "nas nameserver 192.168.77.50"; fi
        is "$setup $1: list" "$(nas-net list | sed -n 's/^port name=\([a-z0-9]*\).* method=\([a-z]*\) stack=\([a-z]*\)\( ours=\)/\1 \2 \3 /p' | sort | paste -sd' ')" \
                "$(printf '%s\n' "$lan static $stack lan" "$off none $off_stack off" | sort | paste -sd' ')"
        t "$setup $1: the LAN reaches it" lan ping -c 1 -W 5 192.168.77.10
        fails "$setup $1: no answer from the other port" 1 reaches "$(cat "/sys/class/net/$off/address")"
}
reaches() { lan arping -c 1 -w 2 -I br0 192.168.77.10 2>/dev/null | grep -qi "$1"; }

again() { is "$setup: again$1" "$(set_static "${@:2}" 2>&1 | grep -o '^result changed=[a-z]*')" "result changed=no"; }
cut() { timeout -s KILL "$(($1 + RANDOM % $2)).$((RANDOM % 10))" "${@:3}" >/dev/null 2>&1; } 2>/dev/null # FROM SECONDS COMMAND…
killed() {
        local i after=$1
        for ((i = 1; i <= more; i++)); do
                cut 2 7 nas-net static "port=$A" address=192.168.77.10/24 gateway=192.168.77.50 dns=192.168.77.50 name=nas others=off
                t "$setup: killed and run again ($i)" set_static
                is "$setup: the same files and state" "$(sums) $(global "$lan") $(ip route show default | wc -l)" "$after 192.168.77.10/24 1"
                cut 0 5 nas-net undo
                t "$setup: undo killed and run again" nas-net undo
                is "$setup: the first files" "$(sums)" "$before"
                t "$setup: and leases" wait_for 60 have_leases || dump
        done
}
has_router6() { [[ $(ipv6 scope global) = fd77::* && -n $(ip -6 route show default dev "$lan") ]]; }
all_ipv6() {
        can_serve || return 0
        t "$setup: IPv6 as the router announces it" wait_for 20 has_router6
        t "$setup: IPv6 fixed" set_static ipv6=fixed address6=fd77::10/64 gateway6=$router
        is "$setup: nothing else" "$(ipv6 scope global)|$(ip -6 route show default dev "$lan" | grep -o '^default via [^ ]*')" "fd77::10/64|default via $router"
        t "$setup: IPv6 off" set_static ipv6=off
        rm -f /run/lan.announced
        t "$setup: the router has announced itself once more" wait_for 10 test -e /run/lan.announced
        is "$setup: not even fe80" "$(ipv6)" ""
        again " without IPv6" ipv6=off
        t "$setup: IPv6 is the router's again" set_static ipv6=router
        t "$setup: it comes back" wait_for 20 has_router6
}
taken() {
        lan ip addr add 192.168.77.66/24 dev br0
        is "$setup: a taken address is refused" "$(nas-net static "port=$A" address=192.168.77.66/24 gateway=192.168.77.50 2>/dev/null | grep -o 'code=[a-z-]*')" code=address-taken
        if [ -n "$more" ]; then
                mv /usr/bin/arping /usr/bin/arping.away
                is "$setup: a taken address, nobody could be asked before" "$(nas-net static "port=$A" address=192.168.77.66/24 gateway=192.168.77.50 others=off 2>/dev/null | grep -o 'code=[a-z-]*')" \
                        "$([ "$stack" = ifupdown ] || echo code=address-taken)"
                mv /usr/bin/arping.away /usr/bin/arping
        fi
        lan ip addr del 192.168.77.66/24 dev br0
        t "$setup: the first address again" set_static
}
quiet_wait() { # how long services of the network held up the boot, in seconds
        local unit s=0 a b
        for unit in systemd-networkd-wait-online NetworkManager-wait-online networking; do
                a=$(systemctl show -P ExecMainStartTimestampMonotonic $unit) b=$(systemctl show -P ExecMainExitTimestampMonotonic $unit)
                [ "$b" = 0 ] || s=$((s > (b - a) / 1000000 ? s : (b - a) / 1000000))
        done
        echo $s
}

serve
case $part in
first)
        set_up >/tmp/set-up 2>&1
        t "$setup: a lease first" wait_for 60 have_leases || { cat /tmp/set-up; dump; }
        owners="$stack $off_stack"
        [ "$setup" != ifupdown-mixed ] || owners="ifupdown networkmanager"
        is "$setup: list knows" "$(nas-net list | sed -n 's/.*method=dhcp stack=//p' | paste -sd' ')" "$owners"
        before=$(sums)
        is "$setup: static" "$(set_static 2>&1 | sed 's/ resolver=.*//')" "result changed=yes name=eth0 stack=$stack address=192.168.77.10/24 off=eth1"
        after=$(sums)
        is_good "at once"
        t "$setup: undo" nas-net undo
        is "$setup: every byte is back" "$(sums)" "$before"
        t "$setup: so are the leases" wait_for 60 have_leases || dump
        [ -z "$more" ] || killed "$after"
        t "$setup: static once more" set_static
        if [ "$setup" = ifupdown-mixed ]; then
                systemctl restart NetworkManager # now with our files, as after a reboot
                t "$setup: undo under a new NetworkManager" nas-net undo
                t "$setup: leases under it" wait_for 60 have_leases || dump
                is "$setup: each has its port" "$(nas-net list | sed -n 's/.*method=dhcp stack=//p' | paste -sd' ')" "$owners"
                t "$setup: static under it" set_static
        fi
        again ""
        # networkd takes a port of its own down again, so that one is left alone
        sent=$(cat "/sys/class/net/$off/statistics/tx_packets")
        is "$setup: look at the port that is off" "$(nas-net look | sed -n "s/^port name=$off .* carrier=\([a-z]*\) up=\([a-z]*\).*/\1 \2/p")" \
                "$(case $off_stack in ifupdown | networkmanager) echo yes ;; *) echo unknown ;; esac) no"
        is "$setup: it is off again, without a word" "$(cat "/sys/class/net/$off/flags" "/proc/sys/net/ipv4/conf/$off/arp_ignore" "/sys/class/net/$off/statistics/tx_packets" | paste -sd' ') $(ip -o addr show dev "$off")" \
                "0x1002 0 $sent "
        [ "$setup" != netplan-networkd ] || [ -z "$more" ] || new_cloud_computer 2
        echo "$before" >/root/before
        ;;
second)
        wait_for 30 ping -c 1 -W 1 192.168.77.50
        is_good "after a reboot"
        is "$setup: the other port has sent nothing since the power came on" "$(cat "/sys/class/net/$off/statistics/tx_packets")" 0
        t "$setup: the boot waited for the network $(quiet_wait) s" test "$(quiet_wait)" -lt 30
        if [ -d /var/lib/cloud/seed ]; then is "$setup: cloud-init saw a new computer, and left name and network" "$(cat /var/lib/cloud/data/instance-id) $(grep -c nas-setup /etc/netplan/50-cloud-init.yaml) $(grep -c cloudy /etc/hosts /etc/hostname | paste -sd' ')" \
                "box-2 4 /etc/hosts:0 /etc/hostname:0"; fi
        again " after a reboot"
        t "$setup: undo after a reboot" nas-net undo
        is "$setup: every byte is back" "$(sums)" "$(cat /root/before)"
        t "$setup: leases again" wait_for 60 have_leases || dump
        t "$setup: static after that" set_static
        taken
        t "$setup: another address" nas-net static "port=$A" address=192.168.77.11/24 gateway=192.168.77.50 dns=192.168.77.50 name=nas others=off
        is "$setup: it is the only one" "$(global "$lan")" 192.168.77.11/24
        t "$setup: undo" nas-net undo
        t "$setup: back at the first" wait_for 20 has 192.168.77.10/24
        if [ -n "$more" ]; then
                all_ipv6
                ! can_serve || t "$setup: IPv6 fixed" set_static ipv6=fixed address6=fd77::10/64 gateway6=$router
                for i in 1 2; do printf '[Match]\nPermanentMACAddress=52:54:00:77:00:0%s\n[Link]\nName=card%s\n' $i $((3 - i)) >/etc/systemd/network/70-card$i.link; done
        fi
        ;;
third)
        is "the ports have other names" "$lan $off" "card2 card1"
        wait_for 30 ping -c 1 -W 1 192.168.77.50
        is_good "under other names"
        is "$setup: the other port has sent nothing, under another name" "$(cat "/sys/class/net/$off/statistics/tx_packets")" 0
        if can_serve; then
                is "$setup: IPv6 is as fixed after a reboot" "$(ipv6 scope global)|$(ip -6 route show default dev "$lan" | grep -o '^default via [^ ]*')" "fd77::10/64|default via $router"
                again " under other names" ipv6=fixed address6=fd77::10/64 gateway6=$router
        else again " under other names"; fi
        ;;
esac
finish
