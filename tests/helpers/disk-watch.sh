#!/bin/bash
# nas-disk list, watch and blink on made-up trees: what is told at once, what hangs, what comes and goes. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
export ASAN_OPTIONS=intercept_strchr=0 # see disk.sh
nas=$PWD/${BUILD-build/plain}/nas-disk
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d)
pid=
trap 'exec 9>&-; [ -z "$pid" ] || kill $pid 2>/dev/null; rm -rf "$work"' EXIT
root=$work/root
SIZE=$((1040 * 1048576))

# disk NAME MAJ:MIN SERIAL
disk() {
        local dir=$root/sys/devices/$1
        mkdir -p "$dir"/{queue,device,holders,slaves} "$root"/{dev,sys/block,sys/class/block,sys/dev/block}
        ln -sfn "../../devices/$1" "$root/sys/class/block/$1"
        ln -sfn "../../devices/$1" "$root/sys/dev/block/$2"
        echo "$2" >"$dir/dev"
        echo $((SIZE / 512)) >"$dir/size"
        echo 512 >"$dir/queue/logical_block_size"
        echo 1 >"$dir/queue/rotational"
        echo "$3" >"$dir/device/serial"
        rm -f "$root/dev/$1"
        truncate -s $SIZE "$root/dev/$1"
        ln -sfn "../devices/$1" "$root/sys/block/$1"
}
tree() {
        rm -rf "$root"
        mkdir -p "$root/proc/self"
        disk sda 8:0 SYSTEM
        echo "20 1 8:0 / / rw - ext4 /dev/sda rw" >"$root/proc/self/mountinfo"
        disk sdb 8:16 SER-B
        disk sdc 8:32 SER-C
}
hang() { rm "$root/dev/$1"; mkfifo "$root/dev/$1"; } # opening it waits for ever
field() { sed -n "s/^disk name=$1 .* $2=\([^ ]*\).*/\1/p" | tail -n 1; }
now() { date +%s%3N; }
took_less() { local from; from=$(now); "${@:2}" >/dev/null 2>&1; [ $(($(now) - from)) -lt "$1" ]; } # MS COMMAND…

# --- list ---
tree
is 'by names alone: nothing is opened' "$(strace -f -qq -e trace=openat "$nas" --root "$root" list look=names 2>&1 | grep -c "$root/dev/")" 0
is 'so it is being looked at' "$("$nas" --root "$root" list look=names | grep -c 'state=looking holds=looking')" 2
is 'and nothing is said to be found' "$("$nas" --root "$root" list look=names | grep -c found=)" 0
is 'but the system disk is known' "$("$nas" --root "$root" list look=names | field sda holds)" system
fails 'another word is none' 2 "$nas" --root "$root" list look=some
is 'all: blank, and no SMART below --root' "$("$nas" --root "$root" list | field sdb state) $("$nas" --root "$root" list | field sdb why)
$("$nas" --root "$root" list | field sdb holds)" 'unknown no-smart
blank'
is 'a card reader without a card is no disk' "$(strace -f -qq -o /dev/null -P "$root/dev/sdc" -e inject=openat:error=ENOMEDIUM "$nas" --root "$root" list | grep -c '^disk ')" 2
is 'a disk that cannot be opened for its faults' "$(strace -f -qq -o /dev/null -P "$root/dev/sdc" -e inject=openat:error=EIO "$nas" --root "$root" list | field sdc why)" unreadable
is 'or read' "$(strace -f -qq -o /dev/null -P "$root/dev/sdc" -e inject=pread64:error=ENODATA "$nas" --root "$root" list | field sdc why)" unreadable
is 'one that may not be opened is only unknown' "$(strace -f -qq -o /dev/null -P "$root/dev/sdc" -e inject=openat:error=EACCES "$nas" --root "$root" list | field sdc state)" unknown
hang sdc
export NAS_DISK_DEADLINE=1000
"$nas" --root "$root" list >"$work/out"
is 'a disk that does not answer' "$(field sdc state <"$work/out") $(field sdc why <"$work/out") $(field sdc holds <"$work/out") $(field sdc found <"$work/out")" \
        'failing silent unknown unknown@0'
is 'the others are known all the same' "$(field sdb holds <"$work/out")" blank
t 'it holds us up until the deadline only' took_less 5000 "$nas" --root "$root" list

# --- watch ---
# begin: a watch whose output is the pipe on descriptor 8 and is written to $work/out, by cat that ends with it
begin() {
        : >"$work/out"
        "$nas" --root "$root" watch >"$work/out" &
        pid=$!
}
# block: the last complete block
block() { tac "$work/out" | sed '0,/^listed$/d' | sed '/^listed$/,$d' | tac; }
last_is() { [ "$(block | field "$1" "$2")" = "$3" ]; } # DISK KEY VALUE
blocks_are() { [ "$(grep -c '^listed$' "$work/out")" -ge "$1" ]; }
has_not() { blocks_are 1 && ! block | grep -q "^disk name=$1 "; }
children() { pgrep -s "$(pgrep -P "$pid")" 2>/dev/null; }
ended() { ! kill -0 "$pid" 2>/dev/null && [ -z "$kids" ] || ! ps -o pid= -p $kids >/dev/null 2>&1; }

tree
hang sdc
begin
t 'the first block comes' wait_for 3 blocks_are 1
is 'and tells names' "$(sed '/^listed$/q' "$work/out" | grep -c 'state=looking')" 3
t 'what is known is told' wait_for 3 last_is sdb holds blank
t 'then given up' wait_for 3 last_is sdc why silent
exec 9<>"$root/dev/sdc" # opening returns now, with something that is no disk
t 'and taken when it answers after all' wait_for 3 last_is sdc state unknown
exec 9>&-
disk sdd 8:48 SER-D
t 'a disk comes' wait_for 4 last_is sdd holds blank
rm "$root/sys/block/sdb"
t 'a disk goes' wait_for 4 has_not sdb
disk sdb 8:16 SER-D
t 'the same serial in another place is another disk' wait_for 4 last_is sdb serial SER-D
echo 20 1 8:16 / /mnt rw - ext4 /dev/sdb rw >>"$root/proc/self/mountinfo"
t 'it is mounted' wait_for 4 last_is sdb protected mounted
kids=$(children)
t 'somebody reads in a process of its own' test -n "$kids"
kill $pid
wait $pid
is 'SIGTERM ends it' $? 143
t 'and whoever works for it' wait_for 3 ended
pid=

tree
strace -f -qq -o "$work/trace" -e trace=openat "$nas" --root "$root" watch >"$work/out" &
pid=$!
wait_for 5 last_is sdb holds blank
echo 20 1 8:32 / /mnt rw - ext4 /dev/sdc rw >>"$root/proc/self/mountinfo"
wait_for 5 last_is sdc protected mounted
is 'what did not change is read once' "$(grep -c "$root/dev/sdb" "$work/trace")" 1
n=$(grep -c '^listed$' "$work/out")
wait_for 5 eval '[ "$(grep -c /proc/self/mountinfo "$work/trace")" -ge '$(($(grep -c /proc/self/mountinfo "$work/trace") + 2))' ]'
is 'the same is not told twice' "$(grep -c '^listed$' "$work/out")" "$n"
kill "$(pgrep -P $pid | head -n 1)"; wait $pid 2>/dev/null; pid=

tree
hang sdc
t 'nobody listens: it ends though a disk hangs' timeout 5 bash -c "'$nas' --root '$root' watch | head -n 1"
mkfifo "$work/pipe"
"$nas" --root "$root" watch >"$work/pipe" &
pid=$!
exec 8<"$work/pipe"
while read -r -u 8 line && [ "$line" != listed ]; do :; done
kids=$(children)
read -r _ _ _ _ _ _ _ _ _ _ _ _ _ u s _ <"/proc/$kids/stat"
while read -t 2 -r -u 8 line; do :; done
read -r _ _ _ _ _ _ _ _ _ _ _ _ _ u2 s2 _ <"/proc/$kids/stat"
t 'it sleeps where nothing happens' test $((u2 + s2 - u - s)) -lt 20
exec 8<&-
t 'nor is it held up where nothing is to be told' wait_for 3 ended
wait $pid 2>/dev/null; pid=

# --- many ---
rm -rf "$root"
mkdir -p "$root/proc/self"
echo "20 1 8:0 / / rw - ext4 /dev/sda rw" >"$root/proc/self/mountinfo"
for i in {0..127}; do disk "sd$(printf "\\$(printf %o $((97 + i / 26)))\\$(printf %o $((97 + i % 26)))")" 65:"$i" "S-$i"; done
from=$(now)
begin
wait_for 10 blocks_are 1
echo "# 128 disks, first block after $(($(now) - from)) ms"
all_known() { [ "$(block | grep -c '^disk .*holds=blank')" = 128 ]; }
t '128 disks are looked at' wait_for 20 all_known
echo "# all known after $(($(now) - from)) ms"
kill $pid; wait $pid 2>/dev/null; pid=

# --- blink ---
tree
t 'blinking ends' took_less 3000 "$nas" --root "$root" blink disk=SER-B seconds=1
# Beside those by which it looks what is on the disk.
places() { strace -f -qq -e trace=pread64 "$nas" --root "$root" "$@" 2>&1 | grep -o '131072, [0-9]*) = 131072' | sort -u; }
is 'it reads from places far apart' "$(comm -13 <(places list) <(places blink disk=SER-B seconds=1) | wc -l)" 13
hang sdc
is 'not a disk that does not answer' "$("$nas" --root "$root" blink disk=SER-C 2>/dev/null | sed -n 's/^error code=\([a-z]*\) .*/\1/p')" failing
is 'nor one that is not here' "$("$nas" --root "$root" blink disk=NONE 2>/dev/null | sed -n 's/^error code=\([a-z-]*\) .*/\1/p')" no-disk
fails 'nor for hours' 2 "$nas" --root "$root" blink disk=SER-B seconds=10000
# Not in the box: the ses driver takes a place for a disk's only where an enclosure answers RECEIVE DIAGNOSTIC RESULTS with the
# disk's own SAS address; scsi_debug with ptype=13 knows no such command, and what the LIO disks are on has no SAS address.
mkdir -p "$root/sys/devices/sdb/device/enclosure_device:SLOT 03"
is 'in an enclosure, the lamp of its place' "$("$nas" --dry-run --root "$root" blink disk=SER-B)" \
        'would run="ledctl locate=/dev/sdb"
would run="ledctl locate_off=/dev/sdb"
result changed=yes'
"$nas" --root "$root" blink disk=SER-B seconds=60 >/dev/null &
pid=$!
wait_for 3 eval 'kids=$(children); [ -n "$kids" ]'
kill $pid; wait $pid 2>/dev/null
t 'SIGTERM ends it' wait_for 3 ended
pid=
finish
