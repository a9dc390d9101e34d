#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T,ssd --disk 4T --put tests/machines/smart
# What nas-disk makes of smartctl: a stand-in that says what was recorded of other disks, and the real one.
. "$(dirname "$0")/lib.sh"

machines=$(dirname "$0")/smart
field() { sed -n "s/^disk name=$1 .* $2=\([^ ]*\).*/\1/p" | tail -n 1; }
state() { local r; r=$(grep "^disk name=$1 " /tmp/list); echo "$(field "$1" state <<<"$r") $(field "$1" why <<<"$r") $(field "$1" figure <<<"$r")"; }
block() { tac /tmp/out | sed '0,/^listed$/d' | sed '/^listed$/,$d' | tac; }
last_is() { [ "$(block | field "$1" "$2")" = "$3" ]; } # DISK KEY VALUE

nas-disk list >/tmp/list
is 'the real one, of disks without SMART' "$(state sda)" 'unknown no-smart '
is 'a virtual disk is not asked' "$(state ubda)" 'unknown no-smart '

# says DISK FILE [ARGUMENT]: what the stand-in answers (where it is asked with that argument)
mkdir -p /run/smart
rm -f /usr/local/sbin/smartctl
cat >/usr/local/sbin/smartctl <<'END'
#!/bin/bash
echo "$*" >>/run/smart/calls
for last; do :; done
disk=${last##*/}
[ -e "/run/smart/hang" ] && sleep 1000
for a; do [ -e "/run/smart/$disk.$a" ] && exec cat "/run/smart/$disk.$a"; done
exec cat "/run/smart/$disk"
END
chmod 755 /usr/local/sbin/smartctl
says() { cp "$machines/$2.json" "/run/smart/$1${3+.$3}"; }

says sda made-good
says sdb hitachi-usb
says sdc samsung-970-evo
says sdd self-test
nas-disk list >/tmp/list
is 'good' "$(state sda) $(field sda temperature </tmp/list) $(field sda hours </tmp/list)" 'good   34 26000'
is 'failing' "$(state sdb)" 'failing reallocated 1975'
is 'worn' "$(state sdc)" 'worn media 7'
is 'a failed self-test' "$(state sdd)" 'failing self-test '
is 'only what turns is asked whether it sleeps' "$(grep -c 'nstandby,0 /dev/sda' /run/smart/calls) $(grep -c 'nstandby.*/dev/sdc' /run/smart/calls)" '1 0'

says sda made-standby -nstandby,0
: >/run/smart/calls
nas-disk watch >/tmp/out &
pid=$!
t 'one that sleeps is asked again when it was read' wait_for 10 last_is sda state good
is 'the first time without waking it' "$(grep -m 1 /dev/sda /run/smart/calls)" '-j -i -H -A -l selftest -nstandby,0 /dev/sda'
rm /run/smart/sda.*
says sdb made-good
echo change >/sys/block/sdb/uevent
mkfs.ext4 -qF -L X /dev/sdb
t 'a disk that changes' wait_for 10 last_is sdb holds data
is 'is not asked for its health again' "$(block | field sdb state) $(grep -c /dev/sdb /run/smart/calls)" 'failing 1'
kill $pid
wait $pid 2>/dev/null

says sda made-bridge
says sda made-good -dsat
nas-disk list >/tmp/list
is 'an unknown USB bridge is tried as SAT' "$(state sda)" 'good  '
says sda made-standby
nas-disk list >/tmp/list
is 'one that always says that it sleeps' "$(state sda)" 'unknown asleep '

# --- blink ---
says sda made-good
says sdb hitachi-usb
serial() { field "$1" serial </tmp/list; }
before=$(awk '{print $1, $3}' /sys/block/sda/stat)
nas-disk blink disk="$(serial sda)" seconds=2 >/tmp/said
after=$(awk '{print $1, $3}' /sys/block/sda/stat)
is 'a good disk blinks' "$(cat /tmp/said)" 'result changed=no'
read -r r0 s0 <<<"$before"
read -r r1 s1 <<<"$after"
echo "# two seconds: $((r1 - r0)) reads, $(((s1 - s0) / 2)) KiB"
t 'by reading' test $((r1 - r0)) -ge 10
t 'not much' test $(((s1 - s0) / 2)) -le 40960
before=$(awk '{print $1}' /sys/block/sdd/stat)
fails 'a failing one does not' 3 nas-disk blink disk="$(serial sdd)"
nas-disk blink disk="$(serial sda)" seconds=100 >/dev/null &
pid=$!
wait_for 10 pgrep -x nas-disk
kill $pid
wait $pid 2>/dev/null
t 'SIGTERM ends it' wait_for 5 bash -c '! pgrep -x nas-disk'

# --- smartctl hangs, or is not there ---
touch /run/smart/hang
from=$SECONDS
NAS_DISK_DEADLINE=1500 nas-disk list >/tmp/list
t 'a smartctl that hangs holds up nobody' test $((SECONDS - from)) -le 5
is 'the contents are known' "$(state sda) $(field sda holds </tmp/list)" 'unknown no-smart  blank'
rm /usr/local/sbin/smartctl
mv /usr/sbin/smartctl /usr/sbin/smartctl.not
nas-disk list >/tmp/list
is 'without smartctl' "$(state sda)" 'unknown no-program '
mv /usr/sbin/smartctl.not /usr/sbin/smartctl
finish
