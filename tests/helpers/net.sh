#!/bin/bash
# nas-net on made-up trees: the list, the files for each stack, refusals, undo. Nothing is run, no root is needed.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export PATH="$PATH:/usr/sbin:/sbin"
nas=$PWD/${B-build/plain}/nas-net
made=tests/helpers/net/made
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
A=52:54:00:00:00:10 B=52:54:00:00:00:12 W=52:54:00:00:00:20

# port NAME INDEX MAC [FLAGS [CARRIER [SPEED]]]: a port of the tree in $root
port() {
        local dir=$root/sys/class/net/$1
        mkdir -p "$dir/device"
        echo 1 >"$dir/type"
        echo "$2" >"$dir/ifindex"
        echo "$3" >"$dir/address"
        echo 0 >"$dir/addr_assign_type"
        echo "${4-0x1003}" >"$dir/flags"
        echo "${5-1}" >"$dir/carrier"
        echo "${6-1000}" >"$dir/speed"
        ln -sfn ../../../../bus/pci/drivers/e1000e "$dir/device/driver"
}

# tree STACK: a computer with two ports and wireless; what differs between the stacks lies in made/STACK
tree() {
        root=$work/$1
        rm -rf "$root"
        mkdir -p "$root"/{sys/class/net,usr/sbin,etc}
        port eth0 2 $A
        port eth1 3 $B 0x1003 0 -1
        port wlan0 4 $W 0x1002
        mkdir "$root/sys/class/net/wlan0/wireless"
        mkdir "$root/sys/class/net/br0"
        printf '1\n' >"$root/sys/class/net/br0/type"
        printf '9\n' >"$root/sys/class/net/br0/ifindex"
        printf '%s\n' $A >"$root/sys/class/net/br0/address"
        cp -R "$made/common/." "$made/$1/." "$root"
        [ "$1" = ifupdown ] && touch "$root/usr/sbin/ifup"
}

net() { "$nas" --root "$root" "$@" 2>/dev/null; }
set_static() { net "$@" static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off; }
code() { sed -n 's/.*code=\([a-z-]*\).*/\1/p' | head -n 1; }
sums() { (cd "$root" && find etc -type f -exec sha256sum {} + -o -type l -print | sort); }

for stack in ifupdown networkd; do
        tree $stack
        is "$stack: list" "$(net list)" "$(cat $made/$stack.list)"
        before=$(sums)
        is "$stack: dry run" "$(set_static --dry-run)" "$(cat $made/$stack.dry)"
        is "$stack: the dry run touched nothing" "$(sums)" "$before"
        is "$stack: static" "$(set_static)" "result changed=yes name=eth0 stack=$stack address=192.168.77.10/24 off=eth1 resolver=written"
        is "$stack: the files" "$(cd "$root/etc" && find . -type f | LC_ALL=C sort | xargs -d '\n' tail -n +1)" "$(cat $made/$stack.files)"
        after=$(sums)
        is "$stack: again" "$(set_static)" "result changed=no name=eth0 stack=$stack address=192.168.77.10/24 off=eth1 resolver=written"
        is "$stack: list tells what is ours" "$(net list | grep -o ' ours=[a-z]*' | tr -d '\n')" \
                "$([ $stack = ifupdown ] && echo ' ours=lan ours=off')"
        t "$stack: another address" net static port=$A address=192.168.77.11/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off
        is "$stack: the old one is in no file" "$(grep -rc '192.168.77.10\b' "$root/etc" | grep -v ':0')" ""
        t "$stack: undo" net undo
        is "$stack: back at the first address" "$(sums)" "$after"
        is "$stack: nothing more to undo" "$(net undo)" "result changed=no"

        tree $stack
        before=$(sums)
        set_static >/dev/null
        echo '# mine' >>"$root/etc/hosts"
        is "$stack: undo refuses what was edited since" "$(net undo | code)" edited
        sed -i '/^# mine/d' "$root/etc/hosts"
        t "$stack: undo the first" net undo
        is "$stack: every byte is back" "$(sums)" "$before"
done

# Killed between any two files, run again: the same end, and undo still knows the first state.
for stack in ifupdown networkd; do
        type -p strace >/dev/null || { skip "$stack: killed at each step" "no strace"; continue; }
        tree $stack
        before=$(sums)
        set_static >/dev/null
        after=$(sums)
        n=0 bad=
        while :; do
                tree $stack
                ASAN_OPTIONS=detect_leaks=0 strace -qq -f -o /dev/null -e trace=rename,unlink -e inject=rename,unlink:signal=KILL:when=$((n + 1)) \
                        "$nas" --root "$root" static port=$A address=192.168.77.10/24 gateway=192.168.77.1 \
                        dns=192.168.77.53 name=nas others=off >/dev/null 2>&1 && break
                set_static >/dev/null
                [ "$(sums)" = "$after" ] || bad="$bad end:$n"
                net undo >/dev/null
                [ "$(sums)" = "$before" ] || bad="$bad undo:$n"
                n=$((n + 1))
                [ $n -lt 40 ] || break
        done 2>/dev/null
        is "$stack: killed at each of $n steps" "$bad $([ $n -gt 4 ] && [ $n -lt 40 ] && echo many)" " many"
done

tree ifupdown
is "wireless is no choice" "$(net static port=$W address=192.168.77.10/24 | code)" no-port
fails "a port that is not there" 3 net static port=52:54:00:00:00:99 address=192.168.77.10/24
fails "gateway elsewhere" 2 net static port=$A address=192.168.77.10/24 gateway=192.168.1.1
fails "bad name" 2 net static port=$A address=192.168.77.10/24 "name=a b"
fails "bad address" 2 net static port=$A address=192.168.077.10/24
fails "no prefix" 2 net static port=$A address=192.168.77.10
fails "off and port" 2 net static port=$A address=192.168.77.10/24 off=$A
fails "off and keep" 2 net static port=$A address=192.168.77.10/24 off=$B others=keep
port eth7 17 $A
is "two ports with one address" "$(net static port=$A address=192.168.77.10/24 | code)" port-ambiguous
tree ifupdown
ln -s ../br0 "$root/sys/class/net/eth0/master"
is "a port of a bridge" "$(net static port=$A address=192.168.77.10/24 | code)" port-used
tree ifupdown
t "others=keep leaves the other port's lines" net static port=$A address=192.168.77.10/24 others=keep
t "they are there" grep -q '^allow-hotplug eth1' "$root/etc/network/interfaces.d/lab"
t "an own line for what stood beside" grep -qx 'auto lo' "$root/etc/network/interfaces"
tree ifupdown
echo 'allow-hotplug /eth*' >>"$root/etc/network/interfaces"
is "a pattern for two ports, one to be kept" "$(net static port=$A address=192.168.77.10/24 others=keep | code)" files
t "a pattern for ports that all are ours" set_static
tree ifupdown
rm "$root/etc/resolv.conf"
ln -s ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
is "a linked resolv.conf stays a link" "$(set_static | grep -o 'resolver=.*') $(readlink "$root/etc/resolv.conf")" "resolver=left ../run/systemd/resolve/stub-resolv.conf"
mkdir -p "$root/etc/NetworkManager/conf.d" && touch "$root/usr/sbin/NetworkManager"
set_static >/dev/null
is "beside NetworkManager" "$(tail -n 1 "$root/etc/NetworkManager/conf.d/90-nas-setup.conf")" "unmanaged-devices+=mac:$A;mac:$B"
tree networkd
touch "$root/etc/systemd/network/10-aaa.network"
set_static >/dev/null
t "before a file that would win" test -e "$root/etc/systemd/network/00-nas-setup-lan.network"
touch "$root/etc/systemd/network/0-all.network"
is "nothing can come before 0-" "$(set_static | code)" files
tree networkd
sed -i 's,^NETWORK_FILE=.*,NETWORK_FILE=/run/systemd/network/10-netplan-eth0.network,' "$root/run/systemd/netif/links/2"
is "netplan is not done yet" "$(set_static | code) $(net list | grep -o 'stack=netplan')" "stack-unsupported stack=netplan"
tree networkd
rm -r "$root/run/systemd/netif"
mkdir -p "$root/recorded"
printf '100 (connected)\nyes\nWired connection 1\n' >"$root/recorded/nmcli-eth0"
is "NetworkManager is not done yet" "$(set_static | code) $(net list | grep -o 'stack=networkmanager')" "stack-unsupported stack=networkmanager"
printf '100 (connected (externally))\nyes\neth0\n' >"$root/recorded/nmcli-eth0"
is "NetworkManager only watches" "$(net list | grep -c 'stack=networkmanager')" 0
finish
