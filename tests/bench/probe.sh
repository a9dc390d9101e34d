# What it costs to find out what is on the disks, and how soon the first screen stands. Inside the box; the disks are the
# kernel's scsi_debug, which waits 25 ms for every command once they are there.
cd "$(dirname "$0")" || exit 1
. ./bench.sh
DELAY=25000000 # ns
drivers=/sys/bus/pseudo/drivers/scsi_debug

# slow_disks N: from now on there are N of them, and no other.
slow_disks() {
        rmmod scsi_debug 2>/dev/null
        modprobe scsi_debug delay=0 num_tgts=$((($1 + 7) / 8)) max_luns=$(($1 < 8 ? $1 : 8)) dev_size_mb=64 virtual_gb=2000
        udevadm settle --timeout=120
        echo $DELAY >$drivers/ndelay
        disks=(/dev/sd?) && [ "$1" -gt 26 ] && disks=(/dev/sd*)
        [ ${#disks[@]} = "$1" ] || echo "# ${#disks[@]} disks, not $1" >&2
}
reads() { local d sum=0 n; for d in "${disks[@]}"; do read -r n _ <"/sys/block/${d#/dev/}/stat"; sum=$((sum + n)); done; echo $sum; }

names() { nas-disk list look=names; }
everything() { nas-disk list; }
contents() { mv /usr/sbin/smartctl /usr/sbin/not-smartctl && nas-disk list; mv /usr/sbin/not-smartctl /usr/sbin/smartctl; }
blkid_each() { local d; for d in "${disks[@]}"; do blkid -p "$d" & done; wait; }
blkid_one() { local d; for d in "${disks[@]}"; do blkid -p "$d"; done; [ $? = 2 ]; } # 2: nothing found
parted_all() { parted -l; }
smart_each() { local d; for d in "${disks[@]}"; do smartctl -j -n standby,0 -i -H -A "$d" & done; wait; }
lsblk_all() { lsblk -f; }

tools=(everything names contents blkid_each parted_all blkid_one smart_each lsblk_all)
declare -A title=([everything]="nas-disk list" [names]="nas-disk list look=names" [contents]="nas-disk list where no smartctl is"
        [blkid_each]="blkid -p, a process a disk, in parallel"
        [parted_all]="parted -l" [blkid_one]="blkid -p, one disk after the other" [smart_each]="smartctl -i -H -A, all in parallel" [lsblk_all]="lsblk -f")
declare -A us per
nas-disk list look=names >/dev/null 2>&1 || { echo "nas-disk has no look=names here"; unset 'tools[1]'; }
for n in 1 8; do
        slow_disks $n
        for tool in "${tools[@]}"; do
                $tool >/dev/null 2>&1 # programs and libraries are read once before
                before=$(reads)
                us[$tool$n]=$(median 3 $tool)
                per[$tool]=$(((($(reads) - before) / 3 + n - 1) / n))
        done
        if [ $n = 1 ]; then
                before=$(reads)
                everything >/dev/null
                own=$(($(reads) - before))
        fi
done
echo "Blank disks that take 25 ms for each command (medians of 3, cold)"
printf '  %-40s %10s %10s %10s %6s %8s\n' "" "reads/disk" "1 disk ms" "8 disks ms" "8/1" "ratio"
for tool in "${tools[@]}"; do
        printf '  %-40s %10s %10s %10s %6s %8s\n' "${title[$tool]}" "${per[$tool]}" "$(ms "${us[${tool}1]}")" "$(ms "${us[${tool}8]}")" \
                "$(ratio "${us[${tool}8]}" "${us[${tool}1]}")" "$(ratio "${us[${tool}8]}" "${us[everything8]}")"
done
goal "8 slow disks to one" "$(ratio "${us[everything8]}" "${us[everything1]}")" 1.5
goal "the same where no smartctl is" "$(ratio "${us[contents8]}" "${us[contents1]}")" 1.5
goal "reads of a blank disk" "$own" 4
echo "  (missed on purpose: a disk is called blank only when samples all over it are zeros, too; they are asked for at once and"
echo "  cost the time of a few. A disk that holds something with a name is read at its ends only.)"
[ -z "${us[names8]-}" ] || goal "reads of a disk while only names are asked for" "${per[names]}" 0

echo
echo "From exec to the first screen, 80 × 25 (medians of 5)"
printf '  %-58s %10s %10s\n' "" "ms" "ratio"
line() { printf '  %-58s %10s %10s\n' "$1" "$(ms "$2")" "$(ratio "$2" "$3")"; }
declare -A first
for n in 4 128; do
        slow_disks $n
        bare=$(./first bare 5 ./bare)
        first[$n]=$(./first Welcome 5 nas-setup)
        line "a bare ncurses program, $n disks" "$bare" "$bare"
        line "nas-setup, $n disks" "${first[$n]}" "$bare"
        line "nas-setup, $n disks, until it knows what this computer is" "$(./first server 3 nas-setup)" "$bare"
        goal "first screen with $n slow disks to the bare program" "$(ratio "${first[$n]}" "$bare")" 1.3
done
