#!/bin/bash
# The speed test on disks whose true rate QEMU makes: 20 MiB/s; and on one that was never written, and says so by its discards,
# which reads at the speed of nothing at all. Without QEMU or a kernel for it (qemu.sh) it is skipped, and says so.
cd "$(dirname "$0")/.." || exit 1
. ../lib.sh
. ./qemu.sh
built=$PWD/../../${BUILD-build/plain}
work=$(mktemp -d /tmp/nas-speed.XXXXXX)
trap 'rm -rf "$work"' EXIT
qemu_kernel || { skip "a throttled disk in QEMU" "$why"; finish; exit; }

tree=$work/tree
mkdir -p "$tree"/{bin,modules,proc,sys,dev,run,tmp,srv/slow,srv/new,var/log,usr/sbin}
cp "$from/bin/busybox" "$tree/bin"
cp "$built/nas-speed" "$tree/usr/sbin"
ldd "$built/nas-speed" | grep -o '/[^ ]*' | while read -r lib; do
        mkdir -p "$tree${lib%/*}"
        cp -L "$lib" "$tree$lib"
done
qemu_modules "$tree/modules" virtio_pci virtio_blk ext4 crc32c_generic
cat >"$tree/init" <<'I'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
dmesg -n 1
while read -r m; do insmod /modules/$m; done </modules/order
mount -t ext4 /dev/vda /srv/slow
mount -t ext4 /dev/vdb /srv/new
for what in slow new; do
        nas-speed run mount=/srv/$what test=full | sed "s/^/$what /"
        ls -A /srv/$what | sed "s/^/$what left /"
done
poweroff -f
I
chmod 755 "$tree/init"
(cd "$tree" && find . | "$from/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"
for disk in slow new; do
        truncate -s 2G "$work/$disk"
        mke2fs -q -F -t ext4 -E lazy_itable_init=0,lazy_journal_init=0 "$work/$disk"
done
timeout 400 qemu-system-x86_64 -M q35 -accel tcg,thread=multi -smp 2 -m 512 -display none -nodefaults -no-reboot -serial stdio \
        -kernel "$from/boot/vmlinuz-$version" -initrd "$work/initrd" -append "console=ttyS0 panic=-1" \
        -drive "file=$work/slow,format=raw,if=none,id=slow,throttling.bps-total=20971520" -device virtio-blk-pci,drive=slow,discard=off \
        -drive "file=$work/new,format=raw,if=none,id=new" -device virtio-blk-pci,drive=new </dev/null 2>&1 | tr -d '\r' >"$work/out"
grep -E '^(slow|new) ' "$work/out" | grep -v progress | sed 's/^/    /'

rate() { sed -n "s/^$1 speed what=$2 .*rate=\([0-9]*\).*/\1/p" "$work/out"; }
is_true() { [ -n "$1" ] && [ "$1" -ge 19922944 ] && [ "$1" -le 22020096 ]; }
# The first reads after a pause are faster: QEMU lets a tenth of a second through at once.
for what in disk-middle disk-inner array-write array-read; do
        t "20 MiB/s reads 19 to 21: $what, $(rate slow $what)" is_true "$(rate slow $what)"
done
is "where nothing was written there is no figure" "$(rate new disk-middle) $(grep -c '^new speed what=disk-middle .*note=empty' "$work/out")" " 1"
is "nothing is left" "$(grep -c 'left' "$work/out") $(grep -c 'left lost+found' "$work/out")" "2 2"
finish
