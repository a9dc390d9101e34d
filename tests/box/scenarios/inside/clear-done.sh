# clear-done.sh: everything runs once more, and the same plan from its beginning clears it.
. /box/share/lib.sh
. /box/share/nas.sh
t 'the old array runs once more' wait_for 60 test -e /dev/photos/all
t 'and the volume group' wait_for 60 test -e /dev/beside/wide
t 'the same plan from its beginning' carry_out /root/plan
t 'nothing but ours is on the disks' only_ours sda sdb
is 'again nothing is changed' "$(while read -r line; do nas-disk $line | tail -n 1; done </root/plan | grep -vc 'changed=no')" 0
finish
