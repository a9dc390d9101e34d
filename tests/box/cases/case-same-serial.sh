#!/bin/bash
# box: --nic cable
# A dock that gives its three disks one serial number and one WWN: all are listed, the choice is by place and size, and a disk with
# files in the next bay stays whole. The serial number alone chooses nothing.
# Elsewhere such disks were mixed up: https://github.com/rockstor/rockstor-core/issues/2318
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
SERIAL=152D00539000 target=/sys/kernel/config/target
place() { echo "usb-dock-scsi-0:0:0:$1"; }

# The dock: SCSI disks of the kernel's own target, one serial number for all, and udev's names for their bays.
modprobe -a target_core_mod target_core_file tcm_loop
mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
cat >/etc/udev/rules.d/99-dock.rules <<'R'
KERNEL=="sda", ENV{ID_PATH}="usb-dock-scsi-0:0:0:0", SYMLINK+="disk/by-path/usb-dock-scsi-0:0:0:0"
KERNEL=="sdb", ENV{ID_PATH}="usb-dock-scsi-0:0:0:1", SYMLINK+="disk/by-path/usb-dock-scsi-0:0:0:1"
KERNEL=="sdc", ENV{ID_PATH}="usb-dock-scsi-0:0:0:2", SYMLINK+="disk/by-path/usb-dock-scsi-0:0:0:2"
R
udevadm control --reload
bay() { # NUMBER
        local store=$target/core/fileio_$1/bay port=$target/loopback/naa.50014ee30000000$1/tpgt_1
        truncate -s 4G "/root/bay$1"
        mkdir -p "$store" "$port/lun/lun_0"
        echo "fd_dev_name=/root/bay$1,fd_dev_size=$((4 << 30)),fd_buffered_io=1" >"$store/control"
        echo ATA >"$store/wwn/vendor_id"
        echo "USB Dock" >"$store/wwn/product_id"
        echo $SERIAL >"$store/wwn/vpd_unit_serial"
        echo 1 >"$store/enable"
        echo "naa.60014ee30000000$1" >"$port/nexus"
        ln -s "$store" "$port/lun/lun_0/bay"
        wait_for 10 test -b "/dev/sd$(tr 012 abc <<<"$1")" || not_ok "bay $1 comes up"
}
for i in 0 1 2; do bay $i; done
udevadm settle
mke2fs -q -t ext4 -L photos -U 11111111-2222-4333-8444-555555555555 /dev/sdb
mount /dev/sdb /mnt && head -c 3M /dev/urandom >/mnt/photo && md5sum /mnt/photo >/tmp/sums && umount /mnt
sync
udevadm settle
writes() { awk '{print $5, $7}' /sys/block/sdb/stat; }
before=$(writes)

nas-disk list >/tmp/list
is "all three are listed, with the one serial" "$(grep -c "^disk name=sd[abc] .*serial=$SERIAL" /tmp/list)" 3
is "and one WWN" "$(sed -n 's/^disk name=sd[abc] .* wwn=\([^ ]*\).*/\1/p' /tmp/list | sort -u | wc -l)" 1
is "each has its place" "$(sed -n 's/^disk name=sd[abc] .* bypath=\([^ ]*\).*/\1/p' /tmp/list | xargs)" "$(place 0) $(place 1) $(place 2)"

echo "disks use=$SERIAL" >/tmp/answers
out=$(nas-setup --apply /tmp/answers 2>&1)
is "the serial chooses nothing" $? 2
t "and it is said which names do" grep -qF "$(place 0)" <<<"$out"
out=$(nas-disk partition disk=$SERIAL serial=$SERIAL size=$((4 << 30)) guid=aaaaaaaa-1111-4222-8333-444444444444 \
        part=bbbbbbbb-1111-4222-8333-444444444444 name=nas-public-1 start=1048576 end=$(((4 << 30) - 33554432)) 2>&1)
is "nor by hand" "$(grep -o 'code=[a-z-]*' <<<"$out" | head -n 1)" code=ambiguous

printf 'disks use=%s,%s\narray level=raid1\nspeed test=none\n' "$(place 0)" "$(place 2)" >/tmp/answers
t "by place it becomes a NAS" nas-setup --apply /tmp/answers
is "of these two" "$(ls -d /sys/block/md*/slaves/* | sed 's|.*/||' | xargs)" "sda1 sdc1"
nas_is raid1 public
is "nothing was written to the disk in the next bay" "$(writes)" "$before"
t "its files are whole" sh -c 'mount -o ro /dev/sdb /mnt && md5sum -c /tmp/sums && umount /mnt'
finish
