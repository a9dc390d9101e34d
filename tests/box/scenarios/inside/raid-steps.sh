# raid-steps.sh TYPE STEP MS: a RAID 5 and its file system by the helpers alone, the power cut MS milliseconds into STEP (create,
# format, mount_it, or write: a writer on the new array in its first sync). With TYPE alone: all of it, then what must be so.
. /box/share/lib.sh
type=$1
shift
array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 fs=22222222-2222-3333-4444-000000000001
guid() { echo "11111111-2222-3333-4444-00000000000$1"; }
part() { # DISK
        local end=$(($(blockdev --getsz "/dev/sd$1") / 2048 * 2048 - 4096))
        [ -e "/dev/sd${1}1" ] || sfdisk -q -W always -w always "/dev/sd$1" <<EOF
label: gpt
first-lba: 2048
start=2048,size=$((end - 2048)),type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid "$1")
EOF
}
create() { nas-raid create uuid=$array name=public level=raid5 chunk=64KiB members="$(guid a),$(guid b),$(guid c)" offset=129MiB bitmap=internal; }
format() { nas-fs format array=$array uuid=$fs label=public type=$type; }
mount_it() { nas-fs mount array=$array uuid=$fs type=$type mount=/srv/public; }
write() { # each record is on the disks before its number is said
        for i in $(seq 1000); do
                printf '%8192d\n' "$i" >"/srv/public/record-$i" && sync "/srv/public/record-$i" /srv/public && echo "record $i"
        done
}
sound() {
        case $type in
        ext4) e2fsck -fn /dev/md/public ;;
        xfs) xfs_repair -n /dev/md/public ;;
        btrfs) btrfs check /dev/md/public ;;
        esac
}
soon() { sleep "$(awk -v n="$1" 'BEGIN {print n / 1000}')"; echo "CUT NOW"; }

for d in a b c; do part $d; done
udevadm settle
sync
if [ $# = 2 ]; then
        for step in create format mount_it write; do
                [ "$step" = "$1" ] && soon "$2" &
                $step
        done
        wait
        echo "CUT NOW, late"
        sleep 10
fi

runs() { nas-raid list | grep -q "^array name=public .*state=active.*degraded=0"; }
last=${LAST_RECORD:-$(cat /box/share/last-record 2>/dev/null)}
[ -z "$last" ] || t "the array runs again by itself" wait_for 20 runs
t "create" create
echo "# what the cut left: $(blkid -p -o export /dev/md/public | grep -E '^(TYPE|LABEL)=' | xargs) $(ls /var/lib/nas-setup/formatting 2>/dev/null)"
t "format" format
t "mount" mount_it
t "the array runs with all its disks" runs
is "all of it again changes nothing" "$({ create; format; mount_it; } | grep -c 'changed=no')" 3
is "one line in fstab, one in mdadm.conf" "$(grep -c "$fs" /etc/fstab) $(grep -c "^ARRAY.*$array" /etc/mdadm/mdadm.conf)" "1 1"
bad=0
for i in $(seq "${last:-0}"); do [ "$(printf '%8192d\n' "$i")" = "$(cat "/srv/public/record-$i")" ] || bad=$((bad + 1)); done
is "all ${last:-0} records that were said to be stored are there" "$bad" 0
umount /srv/public
t "the file system is sound" sound
finish
