#!/bin/bash
# box: --disk 4T --disk 4T --nic cable --nic cable
# The screen Network asks the network: an address that somebody else has goes no further, however quick Enter is; a free one
# does. 192.168.77.66 is the LAN's own computer, which drops ICMP here.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
lan ip addr add 192.168.77.66/24 dev br0
lan sh -c 'echo 1 >/proc/sys/net/ipv4/icmp_echo_ignore_all'
export LC_ALL=en_US.UTF-8
type_address() { T send-keys C-u "$1"; } # into the field with the focus

T new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
sees "Begin"
T send-keys Enter
sees "Which port connects this NAS"
T send-keys Tab Tab Tab
type_address 192.168.77.66/24
T send-keys Enter
sees "belongs to another device"
t "its owner is named" shows "$(lan cat /sys/class/net/br0/address)"
is "and the screen is the same" "$(screen | grep -c 'Which port connects')" 1
type_address 192.168.77.60/24
T send-keys Enter
sees "Which disks will hold your files"
T send-keys Escape
sees "free: nobody else answers there"
is "nothing was set" "$(ip -o -4 addr show dev eth0 | grep -c '192.168.77.6[06]/')" 0

# A step that fails on the console can be taken back there.
sums() { find /etc/network /etc/hosts /etc/hostname /etc/resolv.conf -type f -exec sha256sum {} + | sort; }
sums >/tmp/before
has_lease() { [[ $(ip -o -4 addr show dev eth0 | awk '{print $4}') = 192.168.77.1??/24 ]]; }
mkdir /tmp/real
cp /sbin/ifup /tmp/real/ifup
ln -s ifup /tmp/real/ifdown # the same program by another name
printf '#!/bin/sh\ncase ${0##*/},$1 in ifup,mac/*) echo "no such luck" >&2; exit 1 ;; esac\nexec "/tmp/real/${0##*/}" "$@"\n' >/tmp/no-ifup
chmod 755 /tmp/no-ifup
mount --bind /tmp/no-ifup /sbin/ifup
for next in "Which disks will hold" "How should 2 disks" "What should people see" "Look this over"; do
        T send-keys Enter
        sees "$next"
done
T send-keys Enter
wait_for 90 shows "One step didn't work"
sees "Take it back"
t "the new files are there" test -e /etc/network/interfaces.d/nas-setup
T send-keys Right Right Enter
wait_for 90 shows "No disk was touched"
sees "The network is as it was before"
t "the lease is back" wait_for 30 has_lease
is "every file is as before" "$(sums | diff /tmp/before -)" ""
is "and no disk was touched" "$(wipefs -n /dev/sda /dev/sdb)" ""
umount /sbin/ifup
T kill-server
finish
