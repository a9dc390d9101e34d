# raid-adopt.sh foreign|adopt|there: an array of the computer arch on three disks; it is taken over; after a reboot.
. /box/share/lib.sh
field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" <<<"$2" | head -n 1; }
settled() { nas-raid list | grep -q "^array.*state=active.*degraded=0"; }
case $1 in
foreign)
        for d in a b c; do sfdisk -q -X gpt -W always -w always "/dev/sd$d" <<<'type=A19D880F-05FC-4D3B-A006-743F0F84911E'; done
        udevadm settle
        mdadm -q --create /dev/md/photos --run --metadata=1.2 --homehost=arch --name=photos --level=5 --force --raid-devices=3 \
                --chunk=512 --bitmap=internal /dev/sd[abc]1 </dev/null
        mke2fs -q -t ext4 -L holiday /dev/md/photos
        mount /dev/md/photos /mnt && echo "a photo" >/mnt/photo && umount /mnt
        t "made by another computer" settled
        ;;
adopt)
        wait_for 20 settled
        list=$(nas-raid list | grep ^array)
        is "found: of another host, not ours, under a name that is not the wanted one" "$(field host "$list") $(field ours "$list") $(field path "$list")" "arch  /dev/md/arch:photos"
        # What is in the initramfs is what mdadm.conf said when it was made.
        printf '#!/bin/sh\necho "$@" >/root/initramfs-args\ncp /etc/mdadm/mdadm.conf /root/initramfs-conf\n' >/usr/sbin/update-initramfs
        chmod 755 /usr/sbin/update-initramfs
        uuid=$(field uuid "$list")
        out=$(nas-raid adopt "uuid=$uuid" name=public)
        is "adopted" "$(field changed "$out")" yes
        is "the initramfs after mdadm.conf, with the line in it" "$(cat /root/initramfs-args) $(tr -d ':-' </root/initramfs-conf | grep -c "^ARRAY /dev/md/public UUID=$(tr -d - <<<"$uuid")")" "-u 1"
        is "again: nothing to do" "$(field changed "$(nas-raid adopt "uuid=$uuid" name=public)")" no
        echo elsewhere >/etc/hostname # the name of the computer must not matter
        ;;
there)
        t "runs again by itself" wait_for 20 settled
        list=$(nas-raid list | grep ^array)
        is "under the wanted name, on a computer renamed" "$(hostname) $(field path "$list") $(readlink -f /dev/md/public) $(field name "$list") $(field ours "$list")" \
                "elsewhere /dev/md/public $(readlink -f /dev/disk/by-label/holiday) photos yes"
        is "adopt: nothing to do" "$(field changed "$(nas-raid adopt "uuid=$(field uuid "$list")" name=public)")" no
        is "with the stripe cache" "$(cat /sys/block/md*/md/stripe_cache_size)" 1024
        is "with what is in it" "$(mount /dev/md/public /mnt && cat /mnt/photo; umount /mnt)" "a photo"
        ;;
esac
finish
