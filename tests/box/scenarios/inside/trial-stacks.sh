# What is there before a change of the network on trial is there once it is over, in every byte and in what runs; before and
# after the power was cut. One that was kept stays.
. /box/share/lib.sh
. /box/share/stacks.sh "$1"
part=$2
T() { tmux -L nas "$@"; }

# All that may not differ, a lease's last number aside.
state() {
        find /etc/network /etc/systemd/network /etc/systemd/system /etc/netplan /etc/NetworkManager /etc/cloud /etc/hosts /etc/hostname \
                -printf '%p %m %u %g %l\n' -type f -exec sha256sum {} + 2>/dev/null | sort
        find /run/systemd/network /run/NetworkManager/system-connections -name '*netplan*' -type f -exec sha256sum {} + 2>/dev/null | sort
        readlink /etc/resolv.conf
        grep -v '^#' /etc/resolv.conf
        hostname
        nas-net list | grep '^port' | grep -o ' \(name\|mac\|up\|address\|gateway\|dns\|method\|stack\|ours\|ipv6\)=[^ ]*' | sed 's/\(77\.1\)[0-9][0-9]/\1xx/'
        ip -4 route show default | sed 's, src [^ ]*,,; s, metric [0-9]*,,' | sort # NetworkManager's metrics are in the order in which ports come
        systemctl is-enabled systemd-networkd NetworkManager systemd-resolved 2>&1
        systemctl is-active systemd-networkd NetworkManager systemd-resolved ifup@eth0 ifup@eth1 2>&1
}
is_steady() { # daemons write down a lease a little later
        mv /root/state /root/state.before
        state >/root/state
        cmp -s /root/state /root/state.before
}
is_back() { ! pgrep -f 'nas-net (recover|static|undo)' && state | cmp -s - /root/state; }
back() { wait_for 90 is_back || { state | diff /root/state -; pgrep -fa nas-net; dump; false; }; }
set_to() { nas-net static "port=$A" "address=$1" gateway=192.168.77.50 dns=192.168.77.50 name=other others=off "${@:2}"; }
written() { grep -rqs 192.168.77.10 /etc/network /etc/systemd/network /etc/netplan /etc/NetworkManager; }
on_trial() { nas-net list | grep -q '^host.* trial=192.168.77.10/24'; }
code() { sed -n 's/^error code=\([a-z-]*\).*/\1/p'; }
stands() { is "$setup $1: the new address, alone" "$(global "$lan")|$(ip -4 -o addr show dev "$off")|$(ip route show default | wc -l)|$(clients)|$(hostname)" "192.168.77.10/24||1||other"; }
cut_now() {
        finish
        echo "CUT NOW"
        sleep 60
}

serve
case $part in
first)
        set_up >/tmp/set-up 2>&1
        t "$setup: a lease first" wait_for 60 have_leases || { cat /tmp/set-up; dump; }
        wait_for 30 is_steady

        T -f /dev/null new-session -d -x 80 -y 25 "nas-net static port=$A address=192.168.77.10/24 gateway=192.168.77.50 dns=192.168.77.50 name=other others=off trial=6"
        wait_for 30 written
        T kill-server
        t "$setup: its terminal dies, it goes on" wait_for 60 on_trial || dump
        nas-net wait >/dev/null 2>&1 &
        wait_for 5 pgrep -f 'nas-net wait'
        kill -KILL $!
        t "$setup: who waits is killed, nobody answers: all is back" back
        is "$setup: it is said" "$(nas-net wait 2>&1 | code)" taken-back

        set_to 192.168.77.10/24 trial=60 >/dev/null 2>&1 &
        wait_for 30 written
        pkill -KILL -f '^nas-net static'
        t "$setup: killed while it is made: all is back" back

        is "$setup: on trial" "$(set_to 192.168.77.10/24 trial=60 2>&1 | sed -n 's/^result changed=yes.* trial=.*/yes/p')" yes
        stands "in the trial"
        t "$setup: taken back by hand" nas-net undo
        t "$setup: all is back then" back

        is "$setup: on trial once more" "$(set_to 192.168.77.10/24 trial=60 2>&1 | sed -n 's/^result changed=yes.* trial=.*/yes/p')" yes
        cut_now
        ;;
second)
        t "$setup: the power was cut in the trial: all is back" back
        is "$setup: before the network began" "$(journalctl -b -o cat | grep -m 1 -oE '^(Finished nas-net-recover|Starting (networking|systemd-networkd|NetworkManager).service)')" "Finished nas-net-recover"
        is "$setup: it is said" "$(nas-net wait 2>&1 | code)" taken-back
        is "$setup: nothing failed at the start" "$(systemctl --failed --plain --no-legend)" ""
        t "$setup: on trial after that, without IPv6" set_to 192.168.77.10/24 trial=60 ipv6=off
        t "$setup: kept" nas-net confirm
        cut_now
        ;;
third)
        wait_for 30 ping -c 1 -W 1 192.168.77.50
        stands "kept, and the power was cut"
        rm -f /run/lan.announced
        t "$setup: the router has announced itself" wait_for 10 test -e /run/lan.announced
        is "$setup: no IPv6, not even fe80" "$(ipv6)" ""
        is "$setup: nobody takes it back" "$(journalctl -b -o cat | grep -c nas-net-recover)$(find /etc/systemd -name '*recover*')" 0
        t "$setup: undo" nas-net undo
        lan=$(port_of $A)
        t "$setup: all is back in the end" back
        finish
        ;;
esac
