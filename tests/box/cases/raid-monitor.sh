#!/bin/bash
# box: --boot --disk 500G --disk 500G --disk 500G --disk 500G --sync-speed 60000 --put tests/box/grow.sh --seconds 300
# On a NAS with systemd: mdadm's monitor calls our program, and what happens to an array stands on the login screen and in the log; a
# replaced disk is taken out by itself.
. "${0%/*}/lib.sh"
. "${0%/*}/grow.sh"
screen=/etc/issue.d/nas-setup-state.issue

t "a RAID 5 of three" make_array raid5 ext4 a b c
out=$(nas-raid monitor)
is "monitor: ours, and a monthly check" "$(grep -o 'changed=[a-z]*\|program=[a-z]*\|check=\(distribution\|ours\)' <<<"$out" | sed 's/check=.*/check/' | xargs)" "changed=yes check program=ours"
is "it runs, and so does what goes on at each start" "$(systemctl is-active mdmonitor nas-settle.timer | xargs)" "active active"
is "monitor: again: nothing to do" "$(nas-raid monitor | grep -o 'changed=[a-z]*')" changed=no
wait_for 60 idle
mdadm -q --fail /dev/md/public /dev/sdb1
t "a disk that fails stands on the login screen" wait_for 60 grep -q 'A DISK IS MISSING OR HAS FAILED: sdb WD-BOX00002' $screen
t "and in the log" wait_for 30 sh -c "journalctl -b -t nas-setup | grep -q 'Fail.* of /dev/md'"
part d
udevadm settle
t "replaced" raid replace new="$(guid d)"
t "when it is over, all is done by itself" wait_for 120 no_task
is "the old disk is out" "$(list member | grep -c sdb1) $(list array | value degraded)" "0 0"
t "and the login screen says nothing any more" wait_for 30 test ! -e $screen
finish
