# raid-write.sh make|again: a RAID 5 and a RAID 6 over four disks each write in sequence without reading, with the chunk and
# the stripe cache that we give them; right after the first sync, and after a reboot.
. /box/share/lib.sh
guid() { echo "11111111-2222-3333-4444-00000000000$1" | tr gh 12; }
levels=(raid5 raid6) disks=("a b c d" "e f g h")
synced() { [ "$(cat /sys/block/md*/md/sync_action | sort -u)" = idle ] && ! nas-raid list | grep -q 'sync=[^i]'; }
free_kib() { awk '/^MemFree/ {print $2}' /proc/meminfo; }
sectors() { # FIELD DISK…: of /proc/diskstats, Documentation/admin-guide/iostats.rst
        local field=$1
        shift
        for d in "$@"; do awk -v d="sd$d" -v f="$field" '$3 == d {print $f}' /proc/diskstats; done | awk '{n += $1} END {print n}'
}
measure() { # LEVEL IDEAL DISK…
        local level=$1 ideal=$2 reads writes
        shift 2
        reads=$(sectors 6 "$@") writes=$(sectors 10 "$@")
        dd if=/dev/zero of=/dev/md/$level bs=1M count=256 conv=fsync status=none
        reads=$(($(sectors 6 "$@") - reads)) writes=$(($(sectors 10 "$@") - writes))
        echo "# $level, stripe cache $(cat "/sys/block/$(basename "$(readlink -f /dev/md/$level)")/md/stripe_cache_size"): $((reads / 2)) KiB read," \
                "amplification $(awk -v w="$writes" 'BEGIN {printf "%.3f", w / 524288}')"
        t "$level: at most 1 % is read" test "$reads" -le $((524288 / 100))
        t "$level: written at most 1.35/1.333 of what must be" awk -v w="$writes" -v i="$ideal" 'BEGIN {a = w / 524288; exit !(a > i * 0.99 && a <= i * 1.0125)}'
}

if [ "$1" = make ]; then
        for i in 0 1; do
                members=
                for d in ${disks[i]}; do
                        sfdisk -q -X gpt -W always -w always "/dev/sd$d" <<<"type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid $d)"
                        members+=,$(guid $d)
                done
                udevadm settle
                t "${levels[i]}: made" nas-raid create uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c1$i name=${levels[i]} level=${levels[i]} chunk=64KiB \
                        "members=${members#,}" offset=2MiB bitmap=internal
        done
        echo 2000000 | tee /sys/block/md*/md/sync_speed_max >/dev/null
fi
t "runs, and is synchronised" wait_for 120 synced
wanted=$([ "$(awk '/^MemTotal/ {print $2}' /proc/meminfo)" -gt 2097152 ] && echo 4096 || echo 1024)
is "the stripe cache is set" "$(cat /sys/block/md*/md/stripe_cache_size | xargs)" "$wanted $wanted"
measure raid5 1.33333 a b c d
measure raid6 2 e f g h
before=$(free_kib)
echo 256 >"/sys/block/$(basename "$(readlink -f /dev/md/raid5)")/md/stripe_cache_size"
echo "# the stripe cache of a RAID 5 of 4 costs $((($(free_kib) - before) / 1024)) MiB of memory more than the kernel's own"
finish
