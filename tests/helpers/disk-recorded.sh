#!/bin/bash
# nas-disk on recorded computers: what real sysfs and udev say of SATA, NVMe, USB, SD, virtio and SCSI disks, of an empty CD drive, of a
# card reader without a card, and of a dock whose disks all have one serial number. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export ASAN_OPTIONS=intercept_strchr=0 # see disk.sh
build=$PWD/${BUILD-build/plain}
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
trap 'rm -rf "$work"' EXIT
is_disk() { is "$1" "$(sed -n "s/^disk name=$2 //p" "$work/names" | tr ' ' '\n' | grep -E "^($3)=" | xargs)" "$4"; } # WHAT NAME KEYS WANTED

tests/machines/unpack tests/machines/qemu-pc.tree "$work/pc"
nas() { "$build/nas-disk" --root "$work/pc" "$@"; }
nas list look=names >"$work/names"
is 'each disk is listed once' "$(sed -n 's/^disk name=\([^ ]*\).*/\1/p' "$work/names" | sort | xargs)" \
        'mmcblk0 nvme0n1 nvme1n1 sda sdb sdc sdd sde sdf sdh sdi sdj vda vdb'
# https://github.com/truenas/middleware/pull/17134
is 'a card reader without a card is passed over, the others are listed' "$(grep -c '^disk name=sdg ' "$work/names")" 0
is 'so is a CD drive without a disc' "$(grep -c '^disk name=sr0 ' "$work/names")" 0
is_disk 'the disk that the system runs from is protected' vda 'holds|protected' 'holds=system protected=system'
is_disk 'SATA, turning: serial, WWN, size, turns' sdb 'serial|wwn|size|kind|bus|rpm' \
        'serial=WD-WCC4E7654321 wwn=0x50014ee2b5a4c3d2 size=4000787030016 kind=disk bus=ata rpm=5400'
is_disk 'its name in by-id is the one on the label' sdb id id=ata-WDC_WD40EFRX-68N32N0_WD-WCC4E7654321
is_disk 'its place' sdb bypath bypath=pci-0000:00:1f.2-ata-2.0
is_disk 'SATA, not turning' sdc 'serial|kind|bus|rpm' 'serial=1927B4801234 kind=ssd bus=ata'
is_disk 'NVMe' nvme0n1 'id|serial|kind|size|sector' \
        'id=nvme-QEMU_NVMe_Ctrl_S4EWNX0M123456 serial=S4EWNX0M123456 size=68719476736 sector=512 kind=nvme'
# https://github.com/truenas/middleware/pull/9219
is_disk 'sectors of 4096 bytes: the true size, not eight times that (NVMe)' nvme1n1 'size|sector|physical' 'size=68719476736 sector=4096 physical=4096'
is_disk 'sectors of 4096 bytes: the true size, not eight times that (SCSI)' sda 'size|sector|physical' 'size=68719476736 sector=4096 physical=4096'
is_disk 'a USB stick' sdf 'serial|kind|bus' 'serial=4C530001190419106221 kind=usb bus=usb'
is_disk 'an SD card' mmcblk0 'serial|kind|size' 'serial=0xdeadbeef size=2147483648 kind=sd'
is_disk 'virtio' vdb 'serial|kind' 'serial=VIRTIO0001 kind=virtual'

# https://github.com/rockstor/rockstor-core/issues/2318
for i in 0:sdi 1:sdh 2:sdj; do
        is_disk "a dock: ${i#*:} has the serial of the others, and a place of its own" ${i#*:} 'bypath|serial' \
                "bypath=pci-0000:00:06.0-usb-0:3:1.0-scsi-0:0:0:${i%:*} serial=152D00539000"
done
nas list >"$work/all"
is 'nothing is on them' "$(grep '^disk' "$work/all" | grep -v 'name=vda ' | grep -c 'holds=blank')" 13
grep -v '^disk\|^content' tests/machines/box-blank.facts | cat - "$work/all" >"$work/facts"
plan() { "$build/nas-setup" --machine "$work/facts" --answers "$work/answers" --print-plan 2>&1; }
echo 'disks use=152D00539000,WD-WCC4E7654321' >"$work/answers"
is 'the dock'\''s serial chooses no disk' "$(plan | grep -c 'fits more than one disk')" 1
echo 'disks use=pci-0000:00:06.0-usb-0:3:1.0-scsi-0:0:0:0,pci-0000:00:06.0-usb-0:3:1.0-scsi-0:0:0:2' >"$work/answers"
is 'the place does, and serial and size are looked at again before anything is written' \
        "$(plan | sed -n 's/^nas-disk verb=partition \(disk=[^ ]* serial=[^ ]* size=[^ ]*\).*/\1/p' | xargs)" \
        'disk=usb-QEMU_QEMU_HARDDISK_152D00539000-0:0 serial=152D00539000 size=68719476736 disk=usb-QEMU_QEMU_HARDDISK_152D00539000-0:2 serial=152D00539000 size=68719476736'
is 'nas-disk itself refuses the serial' "$(nas partition disk=152D00539000 serial=152D00539000 size=68719476736 guid=aaaaaaaa-1111-4222-8333-444444444444 \
        part=bbbbbbbb-1111-4222-8333-444444444444 name=nas-public-1 start=1048576 end=67108864000 2>/dev/null | grep -o 'code=[a-z-]*')" code=ambiguous
finish
