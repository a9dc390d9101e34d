# For scripts inside the box, after lib.sh: every program that can run a port, set up on both ports as people have it, and
# the LAN's DNS server and router. Source it with the name of the setup; more=1 asks for what is rare, too.
setup=$1 stack=${1%%-*} off_stack=${1%%-*}
[ "$1" != ifupdown-networkd ] || off_stack=networkd
A=52:54:00:77:00:01 router=fe80::1
port_of() { nas-net list | sed -n "s/^port name=\([^ ]*\) mac=$1 .*/\1/p"; }
lan=$(port_of $A) off=$(port_of 52:54:00:77:00:02)
global() { ip -4 -o addr show dev "$1" scope global | awk '{print $4}' | paste -sd' '; }
has() { [ "$(global "$lan")" = "$1" ]; }
has_lease() { [[ $(global "$lan") = 192.168.77.1??/24 ]]; }
have_leases() { has_lease && [[ $(global "$off") = 192.168.77.1??/24 ]]; }
ipv6() { ip -6 -o addr show dev "$lan" "$@" | awk '{print $4}' | sort | paste -sd' '; }
dump() { # what to see where a lease does not come
        { ip addr; cat /etc/resolv.conf; nmcli dev; networkctl list; journalctl -b -u NetworkManager -u systemd-networkd -o cat | tail -n 25; tail -n 20 /var/log/nas-setup.log; } 2>&1 | sed 's/^/    /'
}
clients() {
        pgrep 'dhclient|dhcpcd'
        ! systemctl -q is-active systemd-networkd || ls /run/systemd/netif/leases
        ! systemctl -q is-active NetworkManager || grep -lx '\[dhcp4\]' /run/NetworkManager/devices/*
}
can_serve() { command -v python3 >/dev/null; }
answers() { getent ahostsv4 "$1" | awk '{print $1; exit}'; }
# The LAN's DNS server, and its router's announcements of fd77::/64.
serve() {
        can_serve || return 0
        lan ip addr add $router/64 dev br0
        lan python3 /box/share/lan.py >/dev/null 2>&1 &
        disown
}
from_ifupdown() {
        systemctl stop ifup@eth0 ifup@eth1 2>/dev/null
        ifdown -a --force eth0 eth1 2>/dev/null
        printf 'auto lo\niface lo inet loopback\n' >/etc/network/interfaces
        systemctl disable --now NetworkManager 2>/dev/null
        rm -rf /run/NetworkManager # the connection that it made up for eth1 when it was started
        for i in eth0 eth1; do ip link set $i down; ip addr flush dev $i; done
}
resolved() { # on|off
        if [ "$1" = on ]; then systemctl enable --now systemd-resolved; ln -sfn ../run/systemd/resolve/stub-resolv.conf /etc/resolv.conf
        else systemctl disable --now systemd-resolved; rm -f /etc/resolv.conf; fi
}
netplan_file() { # RENDERER
        mkdir -p /etc/netplan
        printf 'network:\n  version: 2\n  renderer: %s\n  ethernets:\n    eth0:\n      dhcp4: true\n    eth1: {dhcp4: true}\n' "$1" >/etc/netplan/50-cloud-init.yaml
        [ "$setup" != netplan-name ] || sed -i "s/eth0:/lan0:\n      match: {macaddress: \"$A\"}\n      set-name: lan0/" /etc/netplan/50-cloud-init.yaml
        chmod 600 /etc/netplan/50-cloud-init.yaml
        netplan generate
}
run_networkd() {
        systemctl enable --now systemd-networkd
        networkctl reload
}
run_networkmanager() { systemctl enable --now NetworkManager; }
# A computer of a cloud: it is told at each start that it is a new one, and then writes network files and names anew.
new_cloud_computer() {
        mkdir -p /var/lib/cloud/seed/nocloud
        printf 'instance-id: box-%s\nlocal-hostname: cloudy\n' "$1" >/var/lib/cloud/seed/nocloud/meta-data
        printf '#cloud-config\n' >/var/lib/cloud/seed/nocloud/user-data
        printf 'manage_etc_hosts: true\n' >/etc/cloud/cloud.cfg.d/50-provider.cfg
        printf 'version: 2\nethernets:\n  eth0:\n    dhcp4: true\n  eth1:\n    dhcp4: true\n' >/var/lib/cloud/seed/nocloud/network-config
}
set_up() {
        case $setup in ifupdown*) ;; *) from_ifupdown ;; esac
        case $setup in
        ifupdown)
                printf '\nallow-hotplug eth1\niface eth1 inet dhcp\n' >>/etc/network/interfaces
                systemctl start ifup@eth0 ifup@eth1
                ;;
        ifupdown-networkd) # each a port
                printf '[Match]\nName=eth1\n\n[Network]\nDHCP=yes\n' >/etc/systemd/network/20-wired.network
                systemctl start ifup@eth0
                systemctl enable --now systemd-networkd
                networkctl reload
                ;;
        ifupdown-mixed) # with NetworkManager beside it, which takes what that leaves
                resolved off
                systemctl restart NetworkManager ifup@eth0
                ;;
        networkd*)
                [ "$setup" = networkd ] || resolved on
                printf '[Match]\nName=eth*\n\n[Network]\nDHCP=yes\n' >/etc/systemd/network/20-wired.network
                run_networkd
                ;;
        networkmanager)
                resolved off
                rm /sbin/resolvconf
                run_networkmanager
                ;;
        networkmanager-resolvconf) # resolved's program without resolved: NetworkManager then writes no server
                resolved off
                run_networkmanager
                ;;
        netplan-networkd)
                resolved on
                [ -z "$more" ] || new_cloud_computer 1
                netplan_file networkd && run_networkd
                ;;
        netplan-name) # as cloud-init writes it, with a name that the card does not get otherwise
                resolved on
                ip link set eth0 name lan0
                netplan_file networkd && run_networkd
                lan=lan0
                ;;
        netplan-networkmanager)
                resolved on
                netplan_file NetworkManager && run_networkmanager
                ;;
        esac
}
