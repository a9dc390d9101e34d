#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --disk 3T --seconds 200
# nas-raid create at every level: the size follows the rule, list says what was asked, and everything is read back.
. "${0%/*}/lib.sh"

# part DISK: one partition of type Linux RAID; its GUID ends with the disk's letter.
part() {
        local end=$(($(blockdev --getsz "/dev/$1") / 2048 * 2048 - 4096))
        sfdisk -q -W always -w always "/dev/$1" <<EOF
label: gpt
first-lba: 2048
start=2048,size=$((end - 2048)),type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid "${1#sd}")
EOF
}
guid() { echo "11111111-2222-3333-4444-00000000000$1"; }
guids() { for d in "$@"; do printf '%s%s' "$([ "$d" = "$1" ] || echo ,)" "$(guid "$d")"; done; }
field() { sed -n "s/^$2 .*\\<$3=\\([^ ]*\\).*/\\1/p" <<<"$1"; } # TEXT WORD KEY

offset=$((129 * 1024 * 1024)) chunk=65536
used() { # LEVEL DISK…: bytes that the smallest gives
        local least=$((1 << 62)) unit=$chunk size
        [ "$1" = raid1 ] && unit=65536
        shift
        for d in "$@"; do
                size=$(($(blockdev --getsize64 "/dev/sd${d}1") - offset))
                [ $size -lt $least ] && least=$size
        done
        echo $((least / unit * unit))
}

n=0
try() { # LEVEL FACTOR HALVES DISK…: the array is FACTOR/HALVES times the smallest
        local level=$1 factor=$2 halves=$3 uuid out list want chunked="chunk=$chunk" bitmap=internal
        shift 3
        n=$((n + 1))
        uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c1$n
        [ "$level" = raid1 ] && chunked=
        [ "$level" = raid0 ] && bitmap=none
        what="$level of $#"
        out=$(nas-raid create uuid=$uuid name=t$n level="$level" $chunked members="$(guids "$@")" offset=$offset bitmap=$bitmap)
        is "$what: made" "$(field "$out" result changed)" yes
        udevadm settle
        list=$(nas-raid list | grep "uuid=$uuid")
        want=$(($(used "$level" "$@") * factor / halves))
        [ "$level" = raid0 ] && want=0 && for d in "$@"; do want=$((want + $(used raid0 "$d"))); done
        is "$what: size by the rule" "$(field "$list" array size)" $want
        is "$what: level, devices, state, ours" \
                "$(for k in level devices state degraded ours name members; do field "$list" array $k; done | xargs)" \
                "$level $# active 0 yes t$n $(printf 'sd%s1\n' "$@" | paste -sd,)"
        is "$what: path" "$(field "$out" result path) $(readlink -e /dev/md/t$n)" "/dev/md/t$n /dev/$(cat /proc/mdstat | sed -n 's/^\(md[0-9]*\) .*/\1/p')"
        is "$what: again" "$(nas-raid create uuid=$uuid name=t$n level="$level" $chunked members="$(guids "$@")" offset=$offset bitmap=$bitmap | grep -o 'changed=[a-z]*')" changed=no
        mdadm --examine "/dev/sd${1}1" | grep -q "Data Offset : $((offset / 512)) sectors" && ok "$what: data offset" || not_ok "$what: data offset"
        case $level in
        raid5 | raid6) is "$what: stripe cache" "$(cat /sys/block/md*/md/stripe_cache_size)" 1024 ;;
        esac
        mdadm -q --stop /dev/md/t$n
        for d in "$@"; do dd if=/dev/zero of="/dev/sd${d}1" bs=1M count=1 conv=fsync status=none; done
        udevadm settle
}

for d in a b c d; do part sd$d; done
udevadm settle
try raid1 1 1 a
try raid1 1 1 a b
try raid1 1 1 a b c
try raid5 2 1 a b c
try raid5 3 1 a b c d
try raid6 2 1 a b c d
try raid10 2 1 a b c d
try raid0 2 1 a b

uuid=6af70970-0de3-460c-8b2f-0c5b4f6f3c99
out=$(nas-raid create uuid=$uuid name=spare level=raid5 chunk=$chunk members="$(guids a b c d)" spares=1 offset=$offset bitmap=internal)
is "raid5 of 3 and a spare: size, places, members" "$(field "$out" result size) $(nas-raid list | sed -n 's/.*devices=\([0-9]*\).*members=\([^ ]*\).*/\1 \2/p')" \
        "$(($(used raid5 a b c d) * 2)) 3 sda1,sdb1,sdc1,sdd1" # a spare must be able to take any place
is "its spare is one" "$(cat /sys/block/md*/md/dev-sdd1/state)" spare

is "mdadm.conf has a line each" "$(grep -c '^ARRAY' /etc/mdadm/mdadm.conf)" 9
finish
