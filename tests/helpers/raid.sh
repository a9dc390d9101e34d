#!/bin/bash
# nas-raid on recorded trees: what list says, which calls make sense, and what happens to mdadm.conf.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
raid=${B:-build/plain}/nas-raid
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c11
g=11111111-2222-3333-4444-00000000000
list() { $raid --root "tests/helpers/raid/$1" list | grep '^array'; }

is "list: first sync of a mounted RAID 5" "$(list raid5-first-sync)" \
        "array name=public uuid=$uuid path=/dev/md/public level=raid5 devices=3 size=7999722618880 chunk=65536 state=active sync=resync done=24379392 total=3999861309440 speed=2392064 degraded=0 members=sda1,sdb1,sdc1 mounted=/srv/public ours=yes"
cp -a tests/helpers/raid/raid5-first-sync "$work/btrfs"
sed -i 's| 9:[0-9]* \(.*\) - ext4 | 0:42 \1 - btrfs |' "$work/btrfs/proc/self/mountinfo"
is "list: a mounted btrfs, which has no device number of its own" "$($raid --root "$work/btrfs" list | grep -o 'mounted=[^ ]*')" mounted=/srv/public
is "list: started, nothing written yet" "$(list raid5-pending)" \
        "array name=public uuid=$uuid path=/dev/md/public level=raid5 devices=3 size=7999722618880 chunk=65536 state=active auto=yes sync=pending degraded=0 members=sda1,sdb1,sdc1 ours=yes"
is "list: one disk of three" "$(list raid5-inactive)" \
        "array name=public uuid=$uuid path=/dev/md127 devices=0 size=0 state=inactive sync=idle degraded=0 members=sda1 ours=yes"
is "list: one of two waits for the other" "$(list raid1-delayed | sed 's/uuid=[0-9a-f-]*/uuid=X/')" \
        "array name=two uuid=X path=/dev/md/two level=raid1 devices=2 size=511864733696 state=active sync=delayed degraded=0 members=sda2,sdb2
array name=one uuid=X path=/dev/md/one level=raid1 devices=2 size=511864733696 state=active sync=resync done=11534336 total=511864733696 speed=2446336 degraded=0 members=sda1,sdb1"

# Invented, from what kernel 6.1 writes: a foreign RAID 5 of which one member failed and one is being filled, with a name
# that is no good news for a terminal, and a foreign one of three disks of which two are not there.
md=$work/two/sys/block/md126/md
mkdir -p "$work"/two/run/udev/data $md/dev-sd{a,b,c,d}1
put() { printf '%s\n' "$2" >"$1"; }
for f in array_state=clean level=raid5 raid_disks=4 degraded=2 chunk_size=65536 uuid=$uuid sync_action=recover metadata_version=1.2 \
        'sync_completed=2048 / 4096' sync_speed=100 resync_start=none reshape_position=none dev-sda1/slot=0 dev-sda1/state=in_sync \
        dev-sdb1/slot=none dev-sdb1/state=faulty dev-sdc1/slot=2 dev-sdc1/state=spare dev-sdd1/slot=3 dev-sdd1/state=in_sync; do
        put "$md/${f%%=*}" "${f#*=}"
done
put "${md%/md}/dev" 9:126 && put "${md%/md}/size" 1000
printf 'E:MD_NAME=arch:\033[2J"a b\nE:MD_DEVNAME=../../etc/passwd\n' >"$work/two/run/udev/data/b9:126"
cp -a tests/helpers/raid/raid5-inactive/sys/block/md127 "$work/two/sys/block/" && cp -a tests/helpers/raid/raid5-inactive/run/udev/data/b* "$work/two/run/udev/data/"
put "$work/two/sys/block/md127/md/raid_disks" 3
is "list: degraded, faulty, being filled, missing; a hostile name" "$($raid --root "$work/two" list | head -n 1)" \
        "array name=\$'\x1b[2J\"a b' host=arch uuid=$uuid path=/dev/md126 level=raid5 devices=4 size=512000 chunk=65536 state=active sync=recover done=1048576 total=2097152 speed=102400 degraded=2 missing=1 members=sda1,sdc1,sdd1 spares=sdc1 faulty=sdb1"
is "list: two of three are not there" "$($raid --root "$work/two" list | grep -o 'state=inactive.*')" "state=inactive sync=idle degraded=0 missing=2 members=sda1"
is "list: who is where" "$($raid --root "$work/two" list | sed -n 's/^member array=[^ ]* \(place=. \)\?state=\([a-z]*\)\( name=\([^ ]*\)\)\?.*/\1\2 \4/p' | head -n 5 | paste -sd,)" \
        "place=0 active sda1,place=1 missing ,place=2 filling sdc1,place=3 active sdd1,faulty sdb1"
is "list: while its shape is changed, some attributes tell the new and the old" "$(put $md/raid_disks '5 (4)'; $raid --root "$work/two" list | grep -o 'devices=5 size=512000' | head -n 1; put $md/raid_disks 4)" "devices=5 size=512000"
is "list: what cannot become of it now, and never" "$($raid --root "$work/two" list | sed -n 's/^growth.*as=\([^ ]*\).*refused=\(.*\)/\1 \2/p' | head -n 4 | paste -sd,)" "grow degraded,level6 unsafe,spare degraded,size same"
is "watch: a member that dropped out is told, by name" "$($raid --root "$work/two" watch uuid=$uuid 2>/dev/null | grep -o 'code=[a-z]* what=[a-z0-9]*')" "code=degraded what=sdb1"
put $md/sync_action idle
is "adopt: not while one is missing" "$($raid --root "$work/two" adopt uuid=$uuid name=photos 2>/dev/null | grep -o 'code=[a-z-]*')" code=not-whole
t "and nothing is written" test ! -e "$work/two/etc"
t "list: a machine without arrays" sh -c "mkdir -p $work/none/sys/block && $raid --root $work/none list | grep -qx 'result changed=no'"

for state in delayed:raid1-delayed:$(list raid1-delayed | sed -n 's/.*name=two uuid=\([^ ]*\).*/\1/p') pending:raid5-pending:$uuid; do
        tree=${state#*:}
        is "watch: ${state%%:*} is not the end" "$(timeout 1.5 $raid --root "tests/helpers/raid/${tree%:*}" watch "uuid=${state##*:}" | head -n 1)" "progress done=0 total=0 what=${state%%:*}"
done

# Which calls make no sense, and which word is to blame.
while read -r what args; do
        # shellcheck disable=SC2086 # arguments are words
        out=$($raid --root "$work/none" create $args 2>/dev/null)
        is "wrong call: $args" "$? $(sed -n 's/.*code=usage what=\([^ ]*\).*/\1/p' <<<"$out")" "2 $what"
done <<EOF
uuid    uuid=1234 name=public level=raid1 members=${g}a offset=1MiB
name    uuid=$uuid name=Public level=raid1 members=${g}a offset=1MiB
name    uuid=$uuid name=a/b level=raid1 members=${g}a offset=1MiB
name    uuid=$uuid name=public- level=raid1 members=${g}a offset=1MiB
name    uuid=$uuid name=127 level=raid1 members=${g}a offset=1MiB
name    uuid=$uuid name=md7 level=raid1 members=${g}a offset=1MiB
name    uuid=$uuid name=abcdefghijklm level=raid1 members=${g}a offset=1MiB
level   uuid=$uuid name=public level=raid7 members=${g}a offset=1MiB
chunk   uuid=$uuid name=public level=raid1 chunk=64KiB members=${g}a offset=1MiB
chunk   uuid=$uuid name=public level=raid5 members=${g}a,${g}b,${g}c offset=1MiB
chunk   uuid=$uuid name=public level=raid5 chunk=100000 members=${g}a,${g}b,${g}c offset=1MiB
offset  uuid=$uuid name=public level=raid1 members=${g}a offset=1000
members uuid=$uuid name=public level=raid5 chunk=64KiB members=${g}a,${g}b offset=1MiB
members uuid=$uuid name=public level=raid1 members=${g}a,${g}A offset=1MiB
members uuid=$uuid name=public level=raid1 members=/dev/sda1 offset=1MiB
members uuid=$uuid name=public level=raid5 chunk=64KiB members=${g}a,${g}b,${g}c spares=1 offset=1MiB
bitmap  uuid=$uuid name=public level=raid0 chunk=64KiB members=${g}a,${g}b bitmap=internal offset=1MiB
bitmap  uuid=$uuid name=public level=raid1 members=${g}a bitmap=yes offset=1MiB
spares  uuid=$uuid name=public level=raid0 chunk=64KiB members=${g}a,${g}b,${g}c spares=1 offset=1MiB
members uuid=$uuid name=public level=raid1 offset=1MiB
EOF

# mdadm.conf, with a running array: only the file is left to do.
create() { $raid --root "$work/r" "$@" create uuid=$uuid name=public level=raid5 chunk=64KiB members=${g}a,${g}b,${g}c offset=129MiB bitmap=internal 2>/dev/null; }
conf=$work/r/etc/mdadm/mdadm.conf
fresh() { rm -rf "$work/r" && cp -a tests/helpers/raid/raid5-first-sync "$work/r" && rm -rf "$work/r/proc/meminfo" && cp tests/helpers/raid/made/mdadm.conf "$conf"; }
changed() { grep -o 'changed=[a-z]*\|code=[a-z-]*'; }

fresh
cp "$conf" "$work/before"
is "dry run: the line is shown" "$(create --dry-run | grep -c "diff file=/etc/mdadm/mdadm.conf .*ARRAY /dev/md/public UUID=$uuid")" 1
t "dry run: nothing is written" cmp "$conf" "$work/before"
is "one line more" "$(create | changed)" changed=yes
is "and nothing else" "$(diff "$work/before" "$conf" | grep '^[<>]')" "> # by nas-setup: $uuid
> ARRAY /dev/md/public UUID=$uuid"
is "stripe cache for a small memory" "$(cat "$work/r/sys/block/md127/md/stripe_cache_size") $(grep -c 'ATTR{md/stripe_cache_size}="1024"' "$work/r/etc/udev/rules.d/65-nas-stripe-cache.rules")" "1024 1"
is "again: nothing to do" "$(create | changed)" changed=no
printf 'MemTotal:        8000000 kB\n' >"$work/r/proc/meminfo"
is "stripe cache for more memory" "$(create | changed) $(cat "$work/r/sys/block/md127/md/stripe_cache_size")" "changed=yes 4096"

fresh
printf 'ARRAY <ignore> UUID=%s\nARRAY /dev/md/public spares=1 UUID=6AF70970:0DE3460C:8B2F0C5B:4F6F3C11\n' $uuid >>"$conf"
create >/dev/null
is "lines for the same array, spelled otherwise: one remains" "$(grep -ic '6af70970.*' <(grep ^ARRAY "$conf"))" 1

fresh
printf '# by nas-setup: 00000000-1111-2222-3333-444444444444\nARRAY /dev/md/public metadata=1.2 name=any:public UUID=00000000-1111-2222-3333-444444444444\n' >>"$conf"
is "our line for an array that may be unplugged: stays, without the name" "$(create | changed) $(grep -c 'md/public' "$conf") $(grep 00000000-1111 "$conf")" "changed=yes 1 # by nas-setup: 00000000-1111-2222-3333-444444444444
ARRAY metadata=1.2 UUID=00000000-1111-2222-3333-444444444444"
is "again: nothing to do, either" "$(create | changed)" changed=no

fresh
printf 'ARRAY /dev/md/public metadata=1.2 UUID=00000000:11112222:33334444:55556666\n' >>"$conf"
cp "$conf" "$work/before"
is "somebody else's array of that name: refused" "$(create | changed)" code=name-taken
t "with nothing touched" cmp "$conf" "$work/before"

fresh
printf 'ARRAY /dev/md/public what=ever\n' >>"$conf"
is "not to be understood: refused, with the line" "$(create | grep -o 'code=[a-z-]*\|line [0-9]*' | xargs)" "code=conf-syntax line 22"

fresh
rm "$conf"
is "no mdadm.conf: made" "$(create | changed) $(grep -c ^ARRAY "$conf")" "changed=yes 1"

fresh
adopt() { $raid --root "$work/r" "$@" 2>/dev/null; }
printf 'ARRAY /dev/md/old metadata=1.2 name=arch:old UUID=%s\n' $uuid >>"$conf"
is "adopt: the one line, of the UUID alone, instead of the old one" "$(adopt adopt uuid=$uuid name=photos | changed) $(grep -c 'name=arch:old' "$conf") $(tail -n 1 "$conf")" "changed=yes 0 ARRAY /dev/md/photos UUID=$uuid"
is "adopt: again nothing to do" "$(adopt adopt uuid=$uuid name=photos | changed)" changed=no
is "adopt: ours from then on, with the stripe cache" "$(adopt list | grep -o ours=yes) $(cat "$work/r/sys/block/md127/md/stripe_cache_size")" "ours=yes 1024"
printf 'ARRAY /dev/md/films metadata=1.2 UUID=00000000:11112222:33334444:55556666\n' >>"$conf"
is "adopt: a name that another has" "$(adopt adopt uuid=$uuid name=films | changed)" code=name-taken
is "adopt: none that is there" "$(adopt adopt uuid=${g}1 name=films2 | changed)" code=no-devices
for a in "uuid=1 name=a" "uuid=$uuid name=A/b" "uuid=$uuid" "name=a"; do
        # shellcheck disable=SC2086 # arguments are words
        is "adopt: wrong call: $a" "$(adopt adopt $a | grep -o 'code=[a-z-]*')" code=usage
done
cp -a tests/helpers/raid/raid1-delayed/. "$work/one"
is "create: a name that a running array has" "$($raid --root "$work/one" create uuid=${g}1 name=two level=raid1 members=${g}a offset=129MiB 2>/dev/null | changed)" code=name-taken

fresh
is "another level than wanted: refused" "$($raid --root "$work/r" create uuid=$uuid name=public level=raid6 chunk=64KiB members=${g}a,${g}b,${g}c,${g}d offset=129MiB 2>/dev/null | changed)" code=other-array
is "no such array under --root: refused" "$($raid --root "$work/r" create uuid=${g}1 name=other level=raid1 members=${g}a offset=129MiB 2>/dev/null | changed)" code=no-devices

# --- being told
fresh
printf 'MAILADDR root\n' >>"$conf"
cp "$conf" "$work/before"
is "monitor: our program, and nothing else, is in mdadm.conf" "$($raid --root "$work/r" monitor | changed) $(diff "$work/before" "$conf" | grep '^[<>]' | sed 's| [^ ]*/nas-watch| X/nas-watch|')" "changed=yes > PROGRAM X/nas-watch"
t "monitor: what goes on at each start" grep -q 'nas-raid" settle' "$work/r/etc/systemd/system/nas-settle.service"
is "monitor: again: nothing to do" "$($raid --root "$work/r" monitor | changed)" changed=no
is "monitor: whom to mail" "$($raid --root "$work/r" monitor mail=anna@example.org | changed) $(grep -i ^mailaddr "$conf")" "changed=yes MAILADDR anna@example.org"
is "monitor: no address" "$($raid --root "$work/r" monitor 'mail=a b' 2>/dev/null | grep -o 'code=[a-z]*')" code=usage
sed -i 's|^PROGRAM.*|PROGRAM /usr/bin/mine|' "$conf"
is "monitor: somebody else's program stays" "$($raid --root "$work/r" monitor | grep -o program=other) $(grep ^PROGRAM "$conf")" "program=other PROGRAM /usr/bin/mine"

issue=$work/two/etc/issue.d/nas-setup-state.issue
put "$md/sync_action" recover
is "settle: what is wrong stands on the login screen, and the array's name has no power there" "$($raid --root "$work/two" settle | changed) $(grep -c '^  !!  ?\[2J"a b: A DISK IS MISSING OR HAS FAILED\|DOES NOT START' "$issue")" "changed=yes 2"
is "settle: again: nothing to do" "$($raid --root "$work/two" settle | changed)" changed=no
is "settle: a disk that is gone is known by its place" "$(grep -c 'place=0' "$work/two/var/lib/nas-setup/disks")" 1
rm -r "$work/two/sys/block/"md*
is "settle: all is well, nothing stands there" "$($raid --root "$work/two" settle | changed) $(ls "$work/two/etc/issue.d")" "changed=yes "
finish
