# What a sequential write costs the members of a RAID 5 of four disks: nas-setup's, and mdadm's and mkfs's defaults. Inside the box.
cd "$(dirname "$0")" || exit 1
. ./lib.sh
. ./nas.sh
. ./bench.sh
MIB=256
lan_ifup

sectors() { awk -v f="$1" '{sum += $f} END {print sum}' /sys/block/sd[a-d]/stat; } # 3 read, 7 written
idle() { [ "$(cat /sys/block/md*/md/sync_action)" = idle ]; }
quiet() { local a b; a=$(sectors 7); sleep 3; b=$(sectors 7); [ "$a" = "$b" ]; } # the file system fills its tables in the background

# write NAME FOLDER: one line of the table
write() {
        local reads writes
        wait_for 300 idle
        wait_for 120 quiet
        sync
        echo 3 >/proc/sys/vm/drop_caches
        reads=$(sectors 3) writes=$(sectors 7)
        dd if=/dev/zero of="$2/written" bs=1M count=$MIB conv=fsync status=none
        reads=$((($(sectors 3) - reads) / 2)) writes=$((($(sectors 7) - writes) / 2))
        md=$(echo /sys/block/md*/md)
        part=$(ratio $((reads * 100)) $((MIB * 1024)))
        amplification=$(awk -v w=$writes -v m=$MIB 'BEGIN {printf "%.3f", w / 1024 / m}')
        printf '  %-34s %8s KiB %7s %12s KiB %9s %% %14s\n' "$1" "$(($(cat "$md/chunk_size") / 1024))" "$(cat "$md/stripe_cache_size")" $reads "$part" "$amplification"
}

echo "Sequential write of $MIB MiB to RAID 5 over 4 disks, no sync running"
printf '  %-34s %12s %7s %16s %11s %14s\n' "" chunk stripes "member reads" "of it" amplification
printf 'array level=raid5\nspeed test=none\n' >/tmp/answers
nas-setup --apply /tmp/answers >/tmp/apply || cat /tmp/apply
write "nas-setup's" /srv/public
own_part=$part own_amplification=$amplification
pkill -x smbd
wait_for 20 bash -c '! pgrep -x smbd'
umount /srv/public
udevadm settle
mdadm -q --stop "/dev/$(basename /sys/block/md*)"
mdadm -q --create /dev/md0 --run --level=5 --raid-devices=4 /dev/sd[a-d]1
mkfs.ext4 -q /dev/md0
mount /dev/md0 /mnt
write "mdadm's and mkfs.ext4's defaults" /mnt
umount /mnt
goal "member reads in percent of what is written" "$own_part" 1
goal "amplification (1.333 is the least)" "$own_amplification" 1.35
