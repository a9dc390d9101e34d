#!/bin/bash
# box: --variant net --disk 4G --disk 4G --disk 4G --seconds 500
# What starts arrays early at boot, a real initramfs of initramfs-tools, knows ours by its name: made anew after mdadm.conf,
# also where that was cut off. The box's own disks appear only when its system runs, so it cannot start from it.
. "${0%/*}/lib.sh"

img=/boot/initrd.img-$(uname -r)
uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c11
changed() { grep -o 'changed=[a-z]*'; }
unpack() {
        rm -rf /tmp/tree
        unmkinitramfs "$img" /tmp/tree
        [ -d /tmp/tree/main ] && mv /tmp/tree/main /tmp/main && rm -rf /tmp/tree && mv /tmp/main /tmp/tree
        [ -e /tmp/tree/etc/mdadm/mdadm.conf ]
}
line() { unpack && tr -d ':-' </tmp/tree/etc/mdadm/mdadm.conf | grep -c "^ARRAY /dev/md/public UUID=$(tr -d - <<<$uuid)"; }

echo CONFIG_RD_GZIP=y >"/boot/config-$(uname -r)" # as a kernel's package brings it
mkdir -p /etc/initramfs-tools/conf.d
printf '%s\n' MODULES=list RESUME=none >/etc/initramfs-tools/conf.d/quick # the drivers do not matter here, and cost minutes
t "a real update-initramfs" grep -q initramfs-tools "$(command -v update-initramfs)"
mdadm -q --create /dev/md/photos --run --metadata=1.2 --homehost=arch --name=photos --uuid=$uuid --level=5 --force --assume-clean --bitmap=internal --raid-devices=3 /dev/sd[abc] </dev/null
udevadm settle
t "the initramfs as it was" update-initramfs -c -k "$(uname -r)"
is "does not know the array" "$(line)" 0

nas-raid adopt uuid=$uuid name=public >/tmp/out &
wait_for 60 pgrep -x mkinitramfs
pkill -9 -x nas-raid
pkill -9 -f 'bin/mkinitramfs|bin/update-initramfs'
wait
is "cut off while it is made anew: the line is in mdadm.conf, not in the initramfs" "$(grep -c '^ARRAY /dev/md/public' /etc/mdadm/mdadm.conf) $(line)" "1 0"
is "again: made anew" "$(nas-raid adopt uuid=$uuid name=public | changed) $(line)" "changed=yes 1"
t "listed in it" sh -c "lsinitramfs $img | grep -qx etc/mdadm/mdadm.conf"
made=$(stat -c %i:%Y "$img")
is "again: nothing to do" "$(nas-raid adopt uuid=$uuid name=public | changed) $(stat -c %i:%Y "$img")" "changed=no $made"
finish
