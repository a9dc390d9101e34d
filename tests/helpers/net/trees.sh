# Made-up computers below $work, in $root, and nas-net on them. Source it.
nas=$PWD/${BUILD-build/plain}/nas-net
trees=tests/helpers/net
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

# tree SET/NAME: a computer with two ports and wireless; what differs between the stacks lies in that folder, what does
# not in SET/common
tree() {
        root=$work/${1//\//-}
        rm -rf "$root"
        mkdir -p "$root"/{sys/class/net,usr/sbin,etc}
        port eth0 2 $A
        case $1 in
        made/*)
                port eth1 3 $B 0x1003 0 -1
                port wlan0 4 $W 0x1002
                mkdir "$root/sys/class/net/wlan0/wireless"
                mkdir "$root/sys/class/net/br0"
                printf '1\n' >"$root/sys/class/net/br0/type"
                printf '9\n' >"$root/sys/class/net/br0/ifindex"
                printf '%s\n' $A >"$root/sys/class/net/br0/address"
                ;;
        lab/*) port eth2 4 $B ;;
        esac
        cp -R "$trees/${1%/*}/common/." "$trees/$1/." "$root"
        case $1 in */ifupdown | */mixed) touch "$root/usr/sbin/ifup" ;; esac
        case $1 in *networkmanager | */mixed) touch "$root/usr/sbin/NetworkManager" ;; esac
        case $1 in */netplan-*) touch "$root/usr/sbin/netplan" ;; esac
}

net() { "$nas" --root "$root" "$@" 2>/dev/null; }
code() { sed -n 's/.*code=\([a-z-]*\).*/\1/p' | head -n 1; }
