#!/bin/bash
# box: --disk 2G
# nas-disk list, watch and blink with disks that hang, have read errors, or give the same serial number twice.
. "$(dirname "$0")/lib.sh"

# scsi_debug: 2 GiB disks in 8 MiB of memory. opts: 2 medium errors, 4 every command times out (after device/timeout)
debug=/sys/bus/pseudo/drivers/scsi_debug
new_disks() { # PARAMETERS…: leaves their names in $one and $two
        local d
        modprobe scsi_debug dev_size_mb=8 virtual_gb=2 "$@" && udevadm settle || return 1
        one='' two=''
        for d in /sys/block/sd*; do
                grep -q scsi_debug "$d/device/model" || continue
                echo 2 >"$d/device/timeout"
                [ -z "$one" ] && one=${d##*/} || two=${d##*/}
        done
}
hang() { echo 1 >$debug/every_nth && echo 4 >$debug/opts; }
heal() { echo 0 >$debug/opts && echo 0 >$debug/every_nth; }
field() { sed -n "s/^disk name=$1 .* $2=\([^ ]*\).*/\1/p" | tail -n 1; }
block() { tac /tmp/out | sed '0,/^listed$/d' | sed '/^listed$/,$d' | tac; }
last_is() { [ "$(block | field "$1" "$2")" = "$3" ]; } # DISK KEY VALUE

# --- D08: a dock whose disks all have one number ---
new_disks add_host=2 vpd_use_hostno=0
nas-disk list >/tmp/list
is 'two disks with one serial and one WWN are two' "$(field "$one" serial </tmp/list) $(field "$one" wwn </tmp/list)" \
        "$(field "$two" serial </tmp/list) $(field "$two" wwn </tmp/list)"
t 'both are told' test -n "$(field "$one" serial </tmp/list)"
is 'the number is no name then' "$(nas-disk blink disk="$(field "$one" serial </tmp/list)" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\) .*/\1/p')" ambiguous
is 'SMART of SCSI' "$(field "$one" state </tmp/list) $(field "$one" temperature </tmp/list)" 'good 38'

rmmod scsi_debug

# --- a disk that hangs ---
new_disks add_host=1
nas-disk watch >/tmp/out &
pid=$!
t 'all is known' wait_for 10 last_is "$one" state good
serial=$(block | field "$one" serial)
# from here on without smartctl, whose commands the kernel waits for for a minute each
ln -s /bin/true /usr/local/sbin/smartctl
hang
export NAS_DISK_DEADLINE=1000
from=$SECONDS
nas-disk list >/tmp/list
t 'a list does not wait for it' test $((SECONDS - from)) -le 6
is 'it says so' "$(field "$one" state </tmp/list) $(field "$one" why </tmp/list) $(field "$one" holds </tmp/list)" 'failing silent unknown'
is 'the others are known' "$(field sda holds </tmp/list)" blank
is 'its lamp is left alone' "$(nas-disk blink disk="$serial" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\) .*/\1/p')" failing
echo change >"/sys/block/$one/uevent"
first_look() { [ "$(awk '{print $9}' "/sys/block/$one/stat")" -gt 0 ]; } # reads that have no answer
t 'the watch has begun to read it' wait_for 10 first_look
echo "# the kernel still keeps: $(ps -eo stat,comm | grep '^D' | xargs)"
from=$SECONDS
kill $pid
wait $pid
is 'and ends at once all the same' "$? $((SECONDS - from <= 1))" '143 1'
heal
nas-disk watch >/tmp/out &
pid=$!
t 'it answers again' wait_for 30 last_is "$one" holds blank
kill $pid
wait $pid 2>/dev/null
unload() { rmmod scsi_debug; }
wait_for 30 unload

# --- a disk with read errors at its beginning ---
new_disks medium_error_start=100 medium_error_count=10
echo 2 >$debug/opts
nas-disk list >/tmp/list
is 'a disk that cannot be read' "$(field "$one" state </tmp/list) $(field "$one" why </tmp/list) $(field "$one" found </tmp/list)" \
        'failing unreadable unknown@0'
wait_for 30 unload

# --- write-protected ---
new_disks wp=1 removable=1
is 'a write-protected one' "$(nas-disk list | field "$one" protected)" readonly
finish
