#!/bin/bash
# nas-net on made-up trees: a change on trial, and that undo puts back more than texts. Nothing is run, no root is needed.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export PATH="$PATH:/usr/sbin:/sbin"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/helpers/net/trees.sh
unit=etc/systemd/system/nas-net-recover.service wanted=etc/systemd/system/multi-user.target.wants/nas-net-recover.service

# Everything but contents of folders and times: names, kinds, modes, owners, links, then what is in the files
exactly() { (cd "$root/etc" && find . -printf '%p %y %m %U %G %l\n' | LC_ALL=C sort && find . -type f -exec sha256sum {} + | LC_ALL=C sort); }
trial() { net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off trial=60; }
state() { sed -n 's/^trial state=\([a-z]*\).*/\1/p' "$root/var/lib/nas-setup/net-undo/trial"; }
# computer TREE: with systemd, in its first start
computer() {
        tree "$1"
        mkdir -p "$root/etc/systemd/system" "$root/proc/sys/kernel/random"
        echo first >"$root/proc/sys/kernel/random/boot_id"
}
restart() { echo "start $RANDOM$RANDOM" >"$root/proc/sys/kernel/random/boot_id"; }

for tree in made/ifupdown made/networkd lab/networkmanager lab/netplan-networkd made/netplan-networkmanager; do
        computer $tree
        before=$(exactly)
        t "$tree: on trial" grep -q ' trial=60$' <<<"$(trial)"
        after=$(exactly)
        is "$tree: the unit is there and enabled" "$(readlink "$root/$wanted") $(sed -n 's/^ExecStart=//p' "$root/$unit")" \
                "/$unit \"$(realpath "$nas")\" recover early=yes"
        t "$tree: the list tells" grep -q '^host.* trial=192.168.77.10/24 left=[1-9][0-9]*$' <<<"$(net list)"
        is "$tree: again, still on trial" "$(trial | sed 's/address.* trial=[1-9][0-9]*$/trial/')" \
                "$(sed -n 's/^result changed=yes/result changed=no/p' <<<"result changed=yes name=eth0 stack=$(net list | sed -n 's/^port name=eth0.* stack=\([a-z]*\).*/\1/p') trial")"
        net recover >/dev/null
        is "$tree: in its time it is not taken back" "$(exactly)" "$after"
        restart
        is "$tree: the next start takes it back" "$(net recover early=yes)$(exactly)" "result changed=yes$before"
        is "$tree: the one after finds nothing" "$(net recover early=yes)" "result changed=no"
        is "$tree: too late" "$(net confirm | code) $(net wait | code)" "no-trial taken-back"

        trial >/dev/null
        is "$tree: kept" "$(net confirm)" "result changed=yes address=192.168.77.10/24"
        is "$tree: kept twice" "$(net confirm)" "result changed=no address=192.168.77.10/24"
        is "$tree: nothing is waited for" "$(net wait)" "result changed=no"
        is "$tree: the unit is gone" "$(find "$root/etc/systemd" -name '*recover*' -o -name '*.wants')" ""
        restart
        is "$tree: the next start leaves it" "$(net recover early=yes)" "result changed=no"
        t "$tree: undo" net undo
        is "$tree: exactly what was there" "$(exactly)" "$before"
        is "$tree: nothing more to undo" "$(net undo)" "result changed=no"
done

computer lab/networkmanager
rm -f "$root/etc/resolv.conf"
for old in "" "nameserver 192.168.77.50"; do
        [ -z "$old" ] || echo "$old" >"$root/etc/resolv.conf"
        before=$(exactly)
        trial >/dev/null
        echo "nameserver 192.168.77.53" >"$root/etc/resolv.conf"
        restart
        net recover early=yes >/dev/null
        is "what NetworkManager wrote to resolv.conf is taken back at the start, from ${old:-none}" "$(exactly)" "$before"
done

computer made/ifupdown
mkdir "$root/etc/systemd/system/multi-user.target.wants"
before=$(exactly)
trial >/dev/null
net confirm >/dev/null
net undo >/dev/null
is "an empty folder of units that was there stays" "$(exactly)" "$before"

computer made/ifupdown
is "none waits" "$(net confirm | code)" no-trial
fails "no such time" 2 net static port=$A address=192.168.77.10/24 trial=0
before=$(exactly)
trial >/dev/null
t "undo in the trial" net undo
is "everything is back" "$(exactly) $(state)" "$before returned"
trial >/dev/null
t "a second change in the trial" net static port=$A address=192.168.77.11/24 name=other trial=60
net undo >/dev/null
is "the first state is back" "$(exactly)" "$before"
trial >/dev/null
t "the same without a trial keeps it" net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off
is "it is kept" "$(state) $(net confirm)" "kept result changed=no address=192.168.77.10/24"
net undo >/dev/null

# An edit must not keep anybody from coming back, and is not lost.
trial >/dev/null
echo '# mine' >>"$root/etc/hosts"
edited=$(cat "$root/etc/hosts")
restart
net recover early=yes >/dev/null
is "edited in the trial: back all the same" "$(exactly)" "$before"
is "the edit is kept" "$(cat "$root/var/lib/nas-setup/net-undo/edited/etc/hosts")" "$edited"

# An earlier change that was kept is none of a trial's business that was cut off before its first file.
net static port=$A address=192.168.77.9/24 name=nas >/dev/null
after=$(exactly)
printf 'trial state=planned port=%s address=192.168.77.10/24 seconds=60 boot=x\n' $A >"$root/var/lib/nas-setup/net-undo/trial"
net recover >/dev/null
is "cut off before the first file" "$(exactly) $(state)" "$after returned"
net undo >/dev/null
is "and undo still knows" "$(exactly)" "$before"

# Killed between any two files of static, of confirm, of recover: the next start ends in one of the two states.
if type -p strace >/dev/null; then
        killed() { ASAN_OPTIONS=detect_leaks=0 strace -qq -f -o /dev/null -e trace=rename,unlink,symlink -e inject=rename,unlink,symlink:signal=KILL:when="$1" \
                "$nas" --root "$root" "${@:2}" >/dev/null 2>&1; } 2>/dev/null
        computer lab/netplan-networkd
        before=$(exactly)
        trial >/dev/null
        net confirm >/dev/null
        after=$(exactly)
        bad='' n=0
        for verb in static confirm recover; do
                for ((i = 1; i < 40; i++)); do
                        computer lab/netplan-networkd
                        [ $verb = static ] || trial >/dev/null
                        [ $verb != recover ] || restart
                        case $verb in
                        static) killed $i static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off trial=60 ;;
                        *) killed $i $verb ;;
                        esac
                        ended=$?
                        n=$((n + 1))
                        restart
                        net recover early=yes >/dev/null
                        now=$(exactly)
                        case $verb,$now in confirm,"$after" | "$verb,$before") ;; *) bad+=" $verb:$i" ;; esac
                        [ $ended != 0 ] || break
                done
        done
        is "killed at each of $n steps: before or after, never between" "$bad $([ $n -gt 20 ] && echo many)" " many"
        computer lab/netplan-networkd
        trial >/dev/null
        killed 2 confirm
        restart
        is "decided is decided" "$(net recover early=yes >/dev/null; exactly)" "$after"
        computer lab/netplan-networkd
        trial >/dev/null
        killed 2 confirm
        is "who waits to take it back finishes what was decided" "$(state) $(timeout 20 "$nas" --root "$root" recover stay=yes 2>&1) $(state)" \
                "keeping result changed=yes kept"
else
        skip "killed at each step" "no strace"
fi

# Links, modes, owners, folders.
computer lab/networkmanager
hosts=$root/etc/hosts
mkdir "$root/etc/elsewhere"
mv "$hosts" "$root/etc/elsewhere/hosts"
ln -s elsewhere/hosts "$hosts"
chmod 640 "$root/etc/hostname"
rm -f "$root/etc/resolv.conf"
ln -s nowhere/resolv.conf "$root/etc/resolv.conf"
[ "$(id -u)" != 0 ] || chown 12:34 "$root/etc/hostname"
before=$(exactly)
trial >/dev/null
t "the link is one still" test -L "$hosts"
net undo >/dev/null
is "links, modes, owners and folders are back" "$(exactly)" "$before"
finish
