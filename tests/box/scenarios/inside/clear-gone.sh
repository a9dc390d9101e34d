# clear-gone.sh: after a restart nothing has come back.
. /box/share/lib.sh
. /box/share/nas.sh
wait_for 60 systemctl is-active multi-user.target
udevadm settle
is 'no array runs' "$(grep -c ^md /proc/mdstat)" 0
is 'no volume runs' "$(dmsetup ls 2>/dev/null | grep -v '^No devices')" ''
is 'LVM finds nothing' "$(pvs --noheadings 2>/dev/null)" ''
is 'mdadm finds nothing' "$(mdadm --examine --scan)" ''
t 'nothing but ours is on the disks' only_ours sda sdb
finish
