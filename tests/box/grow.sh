# For scripts inside the box, after lib.sh: an array of the disks named, with a file system, and somebody who writes. Source it.
array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11 fs=22222222-2222-3333-4444-000000000001
guid() { echo "11111111-2222-3333-4444-00000000000$1"; }                     # of the partition on /dev/sdX
guids() { local d out=; for d; do out+=",$(guid "$d")"; done; echo "${out#,}"; }
part() { # DISK [MIB]: one partition, made once
        local sector
        sector=$(blockdev --getss "/dev/sd$1")
        [ -e "/dev/sd${1}1" ] || sfdisk -q -W always -w always "/dev/sd$1" <<END
label: gpt
first-lba: $((1048576 / sector))
start=$((1048576 / sector)),size=$((${2-300} * (1048576 / sector))),type=A19D880F-05FC-4D3B-A006-743F0F84911E,uuid=$(guid "$1")
END
}
blank() { # DISK: its partition as nas-disk leaves it
        local mib=$(($(blockdev --getsz "/dev/sd${1}1") / 2048))
        for at in 0 $((mib - 1)); do dd if=/dev/zero of="/dev/sd${1}1" bs=1M seek=$at count=1 conv=fsync status=none; done
}
parts() { local d; for d; do part "$d"; done; udevadm settle; }
# make_array LEVEL TYPE DISK…: as the plan makes it
make_array() {
        local level=$1 type=$2 chunk=
        shift 2
        [ "$level" = raid1 ] || chunk=chunk=64KiB
        parts "$@"
        nas-raid create uuid=$array name=public level="$level" $chunk members="$(guids "$@")" offset=129MiB bitmap=internal &&
                nas-fs format array=$array uuid=$fs label=public type="$type" &&
                nas-fs mount array=$array uuid=$fs type="$type" mount=/srv/public
}
md() { basename "$(readlink -f /dev/md/public)"; }
attr() { cat "/sys/block/$(md)/md/$1"; }
list() { nas-raid list | grep "^$1 "; }                                       # WORD
value() { sed -n "s/.* $1=\"\{0,1\}\([^\" ]*\).*/\1/p" | head -n 1; }         # KEY, of the record read
growth() { list growth | grep " as=$1 " | value "$2"; }                      # AS KEY
code() { grep -o 'code=[a-z0-9-]*'; }
idle() { [ "$(list array | value sync)" = idle ]; }
raid() { local verb=$1; shift; nas-raid "$verb" uuid=$array "$@"; }
no_task() { ! list task >/dev/null; }
settled() { raid settle >/dev/null; no_task; }
keep_file() { head -c 20000000 /dev/urandom >/srv/public/kept && sync && (cd /srv/public && md5sum kept) >/root/kept.md5 && sync /root/kept.md5 /root; }
kept() { (cd /srv/public && echo 3 >/proc/sys/vm/drop_caches && md5sum -c /root/kept.md5); }
# write_on: each record is on the disks before its number is said, on standard output
write_on() {
        local i
        for i in $(seq "${1-1}" 100000); do
                printf '%8192d\n' "$i" >"/srv/public/record-$((i % 500))" && sync "/srv/public/record-$((i % 500))" /srv/public && echo "record $i" || return
        done
}
# records LAST: how many of the last 400 that were said to be stored are not there
records() {
        local i bad=0 first=$(($1 > 400 ? $1 - 400 : 1))
        for i in $(seq "$first" "$1"); do
                case $(tr -d ' \n' <"/srv/public/record-$((i % 500))") in "$i" | "$((i + 500))" | "$((i + 1))") ;; *) bad=$((bad + 1)) ;; esac
        done
        echo $bad
}
sound() { # TYPE, unmounted
        case $1 in
        ext4) e2fsck -fn /dev/md/public ;;
        xfs) xfs_repair -n /dev/md/public ;;
        btrfs) btrfs check /dev/md/public ;;
        esac
}
# parity_right: every copy and all parity fit
parity_right() { echo check >"/sys/block/$(md)/md/sync_action" && wait_for 120 idle && [ "$(attr mismatch_cnt)" = 0 ]; }
fills() { # the file system has (nearly) all of its array
        local have
        have=$(df -B1 --output=size /srv/public | tail -n 1)
        awk -v h="$have" -v s="$(blockdev --getsize64 /dev/md/public)" 'BEGIN {exit !(h > s * 0.85)}'
}
