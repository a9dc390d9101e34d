#!/bin/bash
# box: --disk 4T --disk 4T --nic cable --nic cable
# The screen Network asks the network: an address that somebody else has goes no further, however quick Enter is; a free one
# does. 192.168.77.50 is the LAN's own computer, which drops ICMP here.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
lan sh -c 'echo 1 >/proc/sys/net/ipv4/icmp_echo_ignore_all'
export LC_ALL=en_US.UTF-8
type_address() { T send-keys C-u "$1"; } # into the field with the focus

T new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
sees "Begin"
T send-keys Enter
sees "Which port connects this NAS"
T send-keys Tab Tab Tab
type_address 192.168.77.50/24
T send-keys Enter
sees "belongs to another device"
t "its owner is named" shows "$(lan cat /sys/class/net/br0/address)"
is "and the screen is the same" "$(screen | grep -c 'Which port connects')" 1
type_address 192.168.77.60/24
T send-keys Enter
sees "Which disks will hold your files"
T send-keys Escape
sees "free: nobody else answers there"
is "nothing was set" "$(ip -o -4 addr show dev eth0 | grep -c '192.168.77.[56]0/')" 0
T kill-server
finish
