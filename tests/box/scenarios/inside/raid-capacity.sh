# raid-capacity.sh < "LEVEL CHUNK SPARES DISK…" lines (DISK: serial number; CHUNK "-": as advised) behind one
# that names every disk: each is made by nas-raid as the wizard plans it, on the partitions that nas-disk made for all of them, and is
# exactly as large as Protection says beforehand.
. /box/share/lib.sh
field() { sed -n "s/.* $1=\([^ ]*\).*/\1/p" <<<"$2" | head -n 1; }
node() { lsblk -dnro NAME,SERIAL | awk -v s="$1" '$2 == s {print "/dev/" $1}'; }
plan() { # LEVEL CHUNK SPARES DISK…
        local level=$1 chunk=$2 spares=$3
        shift 3
        printf 'network address=192.168.77.10/24 gateway=192.168.77.1\ndisks use=%s\narray level=%s%s%s\nshare name=public\n' "$(tr ' ' , <<<"$*")" \
                "$level" "$([ "$chunk" = - ] || echo " chunk=$chunk")" "$([ "$spares" = 0 ] || echo " spares=$spares")" >/tmp/answers
        nas-setup --machine /tmp/facts --answers /tmp/answers --print-plan >/tmp/plan 2>/tmp/out
}
call() { # LINE OF THE PLAN [KEY=VALUE]: run as a person could run it by hand; the key gets another value
        local words
        eval "words=($1)"
        [ $# = 1 ] || words=("${words[@]/#"${2%%=*}"=*/"$2"}")
        "${words[@]}" </dev/null
}
declare -A guid
partitions() { # DISK…
        local line
        plan raid0 64KiB 0 "$@" || return
        while read -r line; do
                call "$line" || return
                guid[$(field disk "$line")]=$(field part "$line")
        done <<<"$(grep '^nas-disk verb=partition' /tmp/plan)"
}
clear() { # NODE…: no array is there
        local md d
        for _ in 1 2; do
                udevadm settle
                for md in /sys/block/md*; do [ -e "$md" ] && mdadm -q --stop "/dev/${md##*/}" 2>/dev/null; done
        done
        for d in "$@"; do dd if=/dev/zero of="${d}1" bs=1M count=1 conv=fsync status=none; done
}

cp /etc/mdadm/mdadm.conf /tmp/conf
nas-setup --facts >/tmp/facts
read -r -a all
partitions "${all[@]}" >/tmp/out 2>&1 || { not_ok "the partitions: $(cat /tmp/out)"; finish; exit; }
while read -r level chunk spares disks; do
        name="$level of $disks, chunk $chunk, spares $spares" nodes=() members=
        for d in $disks; do
                nodes+=("$(node "$d")")
                members+=,${guid[$d]}
        done
        # shellcheck disable=SC2086 # one word a disk
        plan "$level" "$chunk" "$spares" $disks && call "$(grep '^nas-raid verb=create' /tmp/plan)" "members=${members#,}" >/tmp/out 2>&1
        is "$name" "$(grep -o 'size=.*\|^error.*' /tmp/out) $(cat /sys/block/md*/md/level) $(nas-raid list | grep -o 'spares=[^ ]*' | tr , '\n' | grep -c .)" \
                "size=$(field size "$(grep '^step name=array' /tmp/plan)") $level $spares"
        clear "${nodes[@]}"
        cp /tmp/conf /etc/mdadm/mdadm.conf
done
finish
