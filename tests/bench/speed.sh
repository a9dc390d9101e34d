# nas-speed beside fio, the same block size and depth, on disks whose true rate is known: dm-delay holds each read (or write)
# for 50 ms, so 1 MiB at a time is 20 MiB/s, 4 at a time 80. Inside the box; SECONDS_EACH (60) is how long fio takes a row.
cd "$(dirname "$0")" || exit 1
. ./lib.sh
. ./bench.sh
each=${1:-60}

fio_run() { # FILE-OPTION RW BLOCK DEPTH: bytes per second, or operations per second for random ones
        fio --name=b "$1" --rw="$2" --bs="$3" --iodepth="$4" --ioengine=libaio --direct=1 --time_based --runtime="$each" --size=2G \
                --refill_buffers --output-format=terse --terse-version=3 2>/dev/null |
                awk -F';' -v rw="$2" 'NF > 50 {print rw == "randread" ? $8 : (rw == "write" ? $48 : $7) * 1024}'
}
value() { sed -n "s/^speed what=$1 .*$2=\([^ ]*\).*/\1/p" /tmp/speed | head -1; }
worst=0
row() { # NAME OURS ERROR FIO UNIT
        local r
        r=$(ratio "$2" "$4")
        printf '  %-34s %10.1f %5s %% %10.1f %8s   %s\n' "$1" "$(awk -v a="$2" -v u="$5" 'BEGIN {print a / u}')" "$3" \
                "$(awk -v a="$4" -v u="$5" 'BEGIN {print a / u}')" "$r" \
                "$(awk -v r="$r" -v e="$3" 'BEGIN {d = r > 1 ? r - 1 : 1 - r; print d <= 0.05 ? "" : d <= e / 100 ? "said" : "OFF"}')"
        worst=$(awk -v r="$r" -v e="$3" -v w="$worst" 'BEGIN {d = r > 1 ? r - 1 : 1 - r; d = e > 5 ? d - (e - 5) / 100 : d; printf "%.2f", d > w ? d : w}')
}

compare() { # DEVICE MOUNT TITLE
        local begin=$SECONDS
        nas-speed run mount="$2" test=full >/tmp/speed
        begin=$((SECONDS - begin))
        printf '  %-34s %10s %7s %10s %8s\n' "$3 ($begin s)" MB/s +- fio ratio
        row "outer zone, 1 MiB x 1" "$(value disk-outer rate)" "$(value disk-outer error)" "$(fio_run "--filename=$1" read 1M 1)" 1e6
        row "4 KiB anywhere x 1, a second" "$(awk -v u="$(value disk-seek us)" 'BEGIN {print u ? 1e6 / u : 0}')" "$(value disk-seek error)" \
                "$(fio_run "--filename=$1" randread 4k 1)" 1
        row "a file, reading, 1 MiB x 4" "$(value array-read rate)" "$(value array-read error)" "$(fio_run "--directory=$2" read 1M 4)" 1e6
        row "a file, writing, 1 MiB x 4" "$(value array-write rate)" "$(value array-write error)" "$(fio_run "--directory=$2" write 1M 4)" 1e6
        rm -f "$2"/b.*
}

echo "nas-speed test=full, and $each s of fio for each row, at the same block size and depth"
for what in slow free; do
        disk=/dev/sda
        [ $what = slow ] || disk=/dev/sdb
        if [ $what = slow ]; then
                dmsetup create slow --table "0 $(blockdev --getsz $disk) delay $disk 0 50"
                disk=/dev/mapper/slow
        fi
        mke2fs -q -t ext4 -E lazy_itable_init=0,lazy_journal_init=0,nodiscard $disk
        mkdir -p /mnt/$what
        mount $disk /mnt/$what
        compare $disk /mnt/$what "$([ $what = slow ] && echo "50 ms a read: 20.97 MB/s is true" || echo "a disk of the box")"
        umount /mnt/$what
done
goal "beyond fio's rate, less what +- says above 5 %" "$worst" 0.05
