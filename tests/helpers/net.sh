#!/bin/bash
# nas-net on made-up trees: the list, the files for each stack, refusals, undo. Nothing is run, no root is needed.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export PATH="$PATH:/usr/sbin:/sbin"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/helpers/net/trees.sh

# golden NAME FILE TEXT: what the file says; UPDATE=1 writes it
golden() {
        [ -z "$UPDATE" ] || printf '%s\n' "$3" >"$trees/$2"
        is "$1" "$3" "$(cat "$trees/$2")"
}
# What others could read of the files that a password may come to stand in.
modes() { (cd "$root" && find etc \( -name 90-nas-setup.yaml -o -name '*.nmconnection' \) -perm /077); }

set_static() { net "$@" static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off; }
sums() { (cd "$root" && find etc -type f -exec sha256sum {} + -o -type l -print | sort); }

all='made/ifupdown made/networkd made/netplan-networkmanager lab/ifupdown lab/networkd lab/networkmanager lab/mixed lab/netplan-networkd'
for tree in $all; do
        tree $tree
        golden "$tree: list" $tree.list "$(net list)"
        before=$(sums)
        golden "$tree: dry run" $tree.dry "$(set_static --dry-run)"
        is "$tree: the dry run touched nothing" "$(sums)" "$before"
        out=$(set_static)
        is "$tree: static" "${out%% address=*}" "$(tail -n 1 "$trees/$tree.dry" | sed 's/ address=.*//')"
        golden "$tree: the files" $tree.files "$(cd "$root/etc" && find . -type f | LC_ALL=C sort | xargs -d '\n' tail -n +1)"
        is "$tree: no secret is for others to read" "$(modes)" ""
        after=$(sums)
        is "$tree: again" "$(set_static)" "${out/changed=yes/changed=no}"
        t "$tree: another address" net static port=$A address=192.168.77.11/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off
        is "$tree: the old one is in no file" "$(grep -rc '192.168.77.10\b' "$root/etc" | grep -v ':0')" ""
        t "$tree: undo" net undo
        is "$tree: back at the first address" "$(sums)" "$after"
        is "$tree: nothing more to undo" "$(net undo)" "result changed=no"

        tree $tree
        before=$(sums)
        set_static >/dev/null
        echo '# mine' >>"$root/etc/hosts"
        is "$tree: undo refuses what was edited since" "$(net undo | code)" edited
        sed -i '/^# mine/d' "$root/etc/hosts"
        t "$tree: undo the first" net undo
        is "$tree: every byte is back" "$(sums)" "$before"
done

# Killed between any two files, run again: the same end, and undo still knows the first state.
for stack in made/ifupdown made/networkd lab/networkmanager lab/netplan-networkd; do
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

# IPv6: off, fixed, and as the router has it again; what the stack's own files say each time.
ipv6() { net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 others=keep "$@" >/dev/null; }
ours() { find etc \( -name nas-setup -o -name '*nas-setup-lan.*' -o -name 90-nas-setup.yaml \) -type f -exec tail -n +1 {} +; }
for tree in lab/ifupdown lab/networkd lab/networkmanager lab/netplan-networkd made/netplan-networkmanager; do
        tree $tree
        before=$(sums)
        ipv6 && router=$(cd "$root" && ours)
        ipv6 ipv6=off && off=$(cd "$root" && ours)
        ipv6 ipv6=fixed address6=FD12:3456:0::10/64 gateway6=fe80::1 && fixed=$(cd "$root" && ours)
        golden "$tree: IPv6" $tree.ipv6 "$off"$'\n\n'"$fixed"
        is "$tree: the fixed address is there once" "$(grep -rl 'fd12:3456::10/64' "$root/etc" | wc -l)" 1
        ipv6 ipv6=router
        is "$tree: no other IPv6 than the router's" "$(cd "$root" && ours | grep -v inet6)" "$(grep -v 'inet6' <<<"$router")"
        while net undo | grep -q changed=yes; do :; done
done
# The domain in which short names are looked up, in the stack's own files and in a resolv.conf that is nobody else's.
for tree in made/ifupdown lab/networkd lab/networkmanager lab/netplan-networkd made/netplan-networkmanager; do
        tree $tree
        net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 domain=home.arpa others=keep >/dev/null
        golden "$tree: the domain" $tree.domain "$(cd "$root" && ours; cat etc/resolv.conf 2>/dev/null)"
        is "$tree: it is there" "$(grep -rl 'home.arpa' "$root/etc" | wc -l | sed 's/[12]/yes/')" yes
        is "$tree: again" "$(net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 domain=home.arpa others=keep | cut -d' ' -f2)" changed=no
done
tree made/ifupdown
printf 'search a.example home.arpa\nnameserver 1.2.3.4\n' >"$root/etc/resolv.conf"
net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 domain=home.arpa >/dev/null
is "a list of domains that has it already stays" "$(grep -v '^#' "$root/etc/resolv.conf" | paste -sd' ')" "search a.example home.arpa nameserver 192.168.77.53"
fails "no domain" 2 net static port=$A address=192.168.77.10/24 "domain=a b"

tree made/ifupdown
fails "IPv6 fixed without an address" 2 net static port=$A address=192.168.77.10/24 ipv6=fixed
fails "an IPv6 address that is not asked for" 2 net static port=$A address=192.168.77.10/24 address6=fd12::10/64
fails "an IPv6 gateway elsewhere" 2 net static port=$A address=192.168.77.10/24 ipv6=fixed address6=fd12::10/64 gateway6=fd13::1
fails "neither router, off nor fixed" 2 net static port=$A address=192.168.77.10/24 ipv6=no

tree made/ifupdown
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
tree made/ifupdown
ln -s ../br0 "$root/sys/class/net/eth0/master"
is "a port of a bridge" "$(net static port=$A address=192.168.77.10/24 | code)" port-used
tree made/ifupdown
t "others=keep leaves the other port's lines" net static port=$A address=192.168.77.10/24 others=keep
t "they are there" grep -q '^allow-hotplug eth1' "$root/etc/network/interfaces.d/lab"
t "an own line for what stood beside" grep -qx 'auto lo' "$root/etc/network/interfaces"
tree made/ifupdown
echo 'allow-hotplug /eth*' >>"$root/etc/network/interfaces"
is "a pattern for two ports, one to be kept" "$(net static port=$A address=192.168.77.10/24 others=keep | code)" files
t "a pattern for ports that all are ours" set_static
tree made/ifupdown
rm "$root/etc/resolv.conf"
ln -s ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
is "a linked resolv.conf stays a link" "$(set_static | grep -o 'resolver=.*') $(readlink "$root/etc/resolv.conf")" "resolver=left ../run/systemd/resolve/stub-resolv.conf"
mkdir -p "$root/etc/NetworkManager/conf.d" && touch "$root/usr/sbin/NetworkManager"
set_static >/dev/null
is "beside NetworkManager" "$(tail -n 1 "$root/etc/NetworkManager/conf.d/90-nas-setup.conf")" "unmanaged-devices+=mac:$A;mac:$B"
tree made/networkd
touch "$root/etc/systemd/network/10-aaa.network"
set_static >/dev/null
t "before a file that would win" test -e "$root/etc/systemd/network/00-nas-setup-lan.network"
touch "$root/etc/systemd/network/0-all.network"
is "nothing can come before 0-" "$(set_static | code)" files

# What runs the port decides, not what is installed.
owner() { net list | sed -n 's/^port name=eth0 .* stack=\([a-z]*\).*/\1/p'; }
tree lab/networkmanager
printf '100 (connected (externally))\nyes\neth0\n' >"$root/recorded/nmcli-eth0"
is "NetworkManager only watches" "$(owner)" none
tree lab/networkmanager
mkdir "$root/etc/netplan" && touch "$root/usr/sbin/netplan"
printf 'network:\n  version: 2\n  renderer: NetworkManager\n' >"$root/etc/netplan/01-network-manager-all.yaml"
is "netplan is there, but NetworkManager made the connection" "$(owner)" networkmanager
set_static >/dev/null
is "so netplan's folder stays as it is" "$(ls "$root/etc/netplan")" 01-network-manager-all.yaml
tree made/netplan-networkmanager
sed -i 's/^netplan-eth0:.*/a\\:eth0:eth9:\/etc\/trap.nmconnection\nnetplan\\:home:eth0:\/run\/NetworkManager\/system-connections\/netplan-eth0.nmconnection/' "$root/recorded/nmcli-connections"
is "colons in the names of connections" "$(owner)" netplan
tree made/netplan-networkmanager
set_static >/dev/null
printf '100 (connected)\nyes\nWired connection 1\n' >"$root/recorded/nmcli-eth0"
sed -i 's/^netplan-eth0:.*/Wired connection 1:eth0:\/run\/NetworkManager\/system-connections\/Wired connection 1.nmconnection/' "$root/recorded/nmcli-connections"
is "netplan's port before its new connection came up" "$(owner) $(set_static | cut -d' ' -f1-4)" "netplan result changed=no name=eth0 stack=netplan"
tree lab/netplan-networkd
rm "$root/run/systemd/netif/links/4"
printf '100 (connected)\nyes\nWired connection 2\n' >"$root/recorded/nmcli-eth2"
touch "$root/usr/sbin/NetworkManager"
is "the other port is NetworkManager's" "$(set_static | cut -d' ' -f1-4) $(tail -n 1 "$root/etc/NetworkManager/conf.d/90-nas-setup.conf")" \
        "result changed=yes name=eth0 stack=netplan unmanaged-devices+=mac:$A;mac:$B"
tree lab/netplan-networkd
rm "$root/run/systemd/netif/links/4"
mkdir -p "$root/run/network" "$trees/mixed"
echo eth2=eth2 >"$root/run/network/ifstate"
mkdir -p "$root/etc/network"
printf 'auto lo eth2\niface lo inet loopback\niface eth2 inet dhcp\n' >"$root/etc/network/interfaces"
touch "$root/usr/sbin/ifup"
mixed() { # NAME STACK OTHER: a LAN port of one stack, the other port of another one: each is off in its own files
        local before=$(sums)
        is "$1: each has its port" "$(net list | sed -n 's/^port name=eth[02] .* stack=\([a-z]*\).*/\1/p' | paste -sd' ')" "$2 $3"
        is "$1: static" "$(set_static | cut -d' ' -f2-4) $(net undo | cut -d' ' -f2)" "changed=yes name=eth0 stack=$2 changed=yes"
        is "$1: every byte is back" "$(sums)" "$before"
        set_static >/dev/null
        golden "$1: the files" "mixed/$2-$3.files" "$(cd "$root/etc" && find network netplan systemd NetworkManager -type f 2>/dev/null | LC_ALL=C sort | xargs -d '\n' tail -n +1)"
        is "$1: again" "$(set_static | cut -d' ' -f2)" changed=no
        t "$1: all on again" net static port=$A address=192.168.77.10/24 others=keep
        net undo >/dev/null
        is "$1: kept and undone" "$(net static port=$A address=192.168.77.10/24 gateway=192.168.77.1 dns=192.168.77.53 name=nas others=off | cut -d' ' -f2)" changed=no
}
mixed "beside netplan an ifupdown port" netplan ifupdown
tree lab/ifupdown
mkdir -p "$root"/run/systemd/netif/links "$root/etc/systemd/network"
printf 'ADMIN_STATE=configured\nNETWORK_FILE=/etc/systemd/network/20-eth2.network\n' >"$root/run/systemd/netif/links/4"
printf '[Match]\nName=eth2\n[Network]\nDHCP=yes\n' >"$root/etc/systemd/network/20-eth2.network"
mixed "beside ifupdown a networkd port" ifupdown networkd
tree lab/ifupdown
mkdir -p "$root"/run/systemd/netif/links "$root/etc/netplan"
touch "$root/usr/sbin/netplan"
printf 'ADMIN_STATE=configured\nNETWORK_FILE=/run/systemd/network/10-netplan-eth2.network\n' >"$root/run/systemd/netif/links/4"
printf 'network:\n  version: 2\n  ethernets:\n    eth2:\n      dhcp4: true\n' >"$root/etc/netplan/50-eth2.yaml"
mixed "beside ifupdown a netplan port" ifupdown netplan
tree lab/networkmanager
mkdir -p "$root"/run/systemd/netif/links "$root/etc/systemd/network"
printf 'ADMIN_STATE=configured\nNETWORK_FILE=/etc/systemd/network/20-eth2.network\n' >"$root/run/systemd/netif/links/4"
mixed "beside NetworkManager a networkd port" networkmanager networkd
tree lab/netplan-networkd
sed -i 's,^NETWORK_FILE=.*,NETWORK_FILE=/etc/systemd/network/20-wired.network,' "$root/run/systemd/netif/links/4"
is "the same behind both" "$(set_static | cut -d' ' -f1-4)" "result changed=yes name=eth0 stack=netplan"
for link in '2 nas-lan' '4 nas-off-525400000012'; do
        sed -i "s,^NETWORK_FILE=.*,NETWORK_FILE=/run/systemd/network/10-netplan-${link#* }.network," "$root/run/systemd/netif/links/${link% *}"
done
is "netplan's own names" "$(net list | grep -o ' stack=.*')" " stack=netplan ours=lan
 stack=netplan ours=off"
tree lab/networkmanager
set_static >/dev/null
printf '100 (connected)\nyes\nnas-setup-lan\n' >"$root/recorded/nmcli-eth0"
printf '10 (unmanaged)\nno\n\n' >"$root/recorded/nmcli-eth2"
sed -i '/dhcp4/,$d' "$root/run/NetworkManager/devices/2"
is "NetworkManager's own profile, and the port that it leaves alone" "$(net list | grep -o ' method=.*')" " method=static stack=networkmanager ours=lan
 method=none stack=networkmanager ours=off"
t "all on again" net static port=$A address=192.168.77.10/24 others=keep
is "nothing is kept from NetworkManager" "$(ls "$root/etc/NetworkManager/conf.d")" ""
tree lab/networkmanager
touch "$root/usr/sbin/resolvconf"
is "resolvconf without resolved: NetworkManager would write no server" "$(set_static | grep -o 'resolver=.*') $(grep -c '^nameserver 192.168.77.53' "$root/etc/resolv.conf")" "resolver=written 1"
tree lab/netplan-networkd
set_static >/dev/null
is "cloud-init is told to leave the network and the name alone" "$(tail -n 3 "$root/etc/cloud/cloud.cfg.d/99-nas-setup.cfg" | paste -sd' ')" \
        "network: {config: disabled} preserve_hostname: true manage_etc_hosts: false"

# yaml NAME WANTED [ARGUMENT…] <<TEXT: what becomes of a file of netplan's: the numbers of the lines that are commented out,
# or why not. Each is set up twice, and taken back.
yaml() {
        local name=$1 wanted=$2 got file before
        shift 2
        tree lab/netplan-networkd
        file=$root/etc/netplan/50-cloud-init.yaml
        cat >"$file"
        before=$(sums)
        got=$(net static port=$A address=192.168.77.10/24 "${@-others=off}" | code)
        [ -n "$got" ] || got=$(grep -n '^#nas-setup# ' "$file" | cut -d: -f1 | paste -sd' ')
        is "netplan: $name" "$got$(net static port=$A address=192.168.77.10/24 "${@-others=off}" | grep -o ' changed=yes')" "$wanted"
        net undo >/dev/null
        [ "$(sums)" = "$before" ] || not_ok "netplan: $name: undo"
}
yaml "nothing of ours" "" <<'E'
network:
  version: 2
  renderer: networkd
  ethernets:
    enp9s0: {dhcp4: true}
E
yaml "an empty file" "" </dev/null
yaml "one line" "" <<<'network: {version: 2, renderer: networkd}'
yaml "one line with ports" files <<<'network: {version: 2, ethernets: {eth0: {dhcp4: true}}}'
yaml "braces over lines" files <<'E'
network: {
  version: 2, ethernets: {
    eth0: {dhcp4: true}}}
E
yaml "the last entry takes ethernets and network with it" "2 4 5 7 8" <<'E'
# ports
network:

  ethernets:
    eth0:
      # stays
      dhcp4: true
    "eth2": {dhcp4: true}
E
yaml "other sections stay" "4 5 6" <<'E'
---
network:
  version: 2
  ethernets:
    lan:
      match: {macaddress: "52:54:00:00:00:10", name: "eth*"}
  wifis:
    wlan0: {access-points: {home: {password: "secret"}}}
E
yaml "lists and long text, another port of that file" "4 5 6 7 8 9 10" <<'E'
network:
  version: 2
  ethernets:
    eth0:
      addresses:
      - 192.168.77.9/24
      nameservers:
        addresses: [192.168.77.1,
          9.9.9.9]
      optional: true
    enp9s0:
      dhcp4: true
E
yaml "a glob for both" "3 4 5 6 7" <<'E'
network:
  version: 2
  ethernets:
    all:
      match:
        name: e*
      dhcp4: true
E
yaml "a glob for both, one is kept" files others=keep <<'E'
network:
  version: 2
  ethernets:
    all:
      match: {name: "e*"}
E
yaml "a match for everything, one is kept" files others=keep <<'E'
network:
  ethernets:
    all:
      match: {}
E
yaml "by driver" "3 4 5" <<'E'
network:
  version: 2
  ethernets:
    all:
      match: {driver: "e1000*"}
E
yaml "another driver" "" <<'E'
network:
  version: 2
  ethernets:
    all:
      match: {driver: virtio_net}
E
yaml "the other port stays" "4 5" others=keep <<'E'
network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
    eth2:
      dhcp4: true
E
yaml "an unplugged port that is to be off" 5 off=52:54:00:00:00:77 <<'E'
network:
  version: 2
  ethernets:
    eth2: {dhcp4: true}
    usb: {match: {macaddress: 52:54:00:00:00:77}, dhcp4: true}
E
yaml "a list of drivers" files <<'E'
network:
  ethernets:
    all:
      match: {driver: [e1000e, virtio_net]}
E
yaml "a match in quotes" files <<'E'
network:
  ethernets:
    lan:
      "match": {"macaddress": "52:54:00:00:00:10"}
E
yaml "a match of something new" files <<'E'
network:
  ethernets:
    lan:
      match:
        path: pci-*
E
yaml "an anchor" files <<'E'
network:
  ethernets:
    eth0: &both
      dhcp4: true
    eth2: *both
E
yaml "tabs" files <<<$'network:\n\tethernets:\n\t\teth0:\n\t\t\tdhcp4: true'
yaml "an indent that was not there" files <<'E'
network:
    ethernets:
      eth0: {dhcp4: true}
     eth2: {dhcp4: true}
E
yaml "ethernets twice" files <<'E'
network:
  ethernets:
    eth0: {dhcp4: true}
  ethernets:
    eth2: {dhcp4: true}
E
yaml "no netplan file at all" files <<<'hello'
yaml "an old port of a bridge" files <<'E'
network:
  version: 2
  ethernets:
    eth0: {dhcp4: false}
  bridges:
    br0: {interfaces: [eth0], dhcp4: true}
E
yaml "a bridge of others" 4 <<'E'
network:
  version: 2
  ethernets:
    eth0: {dhcp4: false}
    eth01: {dhcp4: false}
  bridges:
    br0: {interfaces: [eth01, veth0], dhcp4: true}
E

# hosts NAME <<TEXT: /etc/hosts of a computer "debian" that becomes "nas" with 192.168.77.10; a line "---", then what is wanted
hosts() {
        local text
        text=$(cat)
        tree made/ifupdown
        printf '%s\n' "${text%%$'\n'---*}" >"$root/etc/hosts"
        set_static >/dev/null
        is "hosts: $1" "$(cat "$root/etc/hosts")" "${text#*---$'\n'}"
}
hosts "Debian's" <<'E'
127.0.0.1	localhost
127.0.1.1	debian.lan	debian
::1     localhost ip6-localhost
---
127.0.0.1	localhost
127.0.1.1	nas.lan	nas
::1     localhost ip6-localhost
E
hosts "no entry for itself" <<'E'
127.0.0.1	localhost
::1     localhost
---
127.0.0.1	localhost
127.0.1.1	nas
::1     localhost
E
hosts "a fixed address and other names" <<'E'
127.0.0.1 localhost
192.168.77.5 debian.home debian files # this one
192.168.77.6 debian2
---
127.0.0.1 localhost
192.168.77.10 nas.home nas files # this one
192.168.77.6 debian2
E
hosts "another name is there already" <<'E'
127.0.0.1 localhost
127.0.1.1 oldname
---
127.0.0.1 localhost
127.0.1.1 nas
E
hosts "right already" <<'E'
127.0.0.1 localhost
127.0.1.1 nas.lan nas
---
127.0.0.1 localhost
127.0.1.1 nas.lan nas
E
hosts "the name stands beside localhost" <<'E'
127.0.0.1 localhost debian
---
127.0.0.1 localhost debian
127.0.1.1	nas
E
finish
