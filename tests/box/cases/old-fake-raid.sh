#!/bin/bash
# box: --disk 3G --disk 3G --disk 3G
# Fake RAID of Intel and DDF as mdadm makes it: told as what it is, also while it runs; released and cleared by the lines of
# a plan, without a trace; not for one of its disks to lose.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"

export IMSM_NO_PLATFORM=1
modprobe raid1
code() { "$@" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p'; }
set_key() { grep "^set type=$1 " /tmp/list | sed -n "s/.* $2=\(\"[^\"]*\"\|[^ ]*\).*/\1/p"; } # TYPE KEY
for type in imsm ddf; do
        mdadm --create /dev/md/box --run --metadata=$type --raid-devices=2 /dev/sda /dev/sdb >/tmp/said 2>&1 &&
                mdadm --create /dev/md/volume --run --level=1 --raid-devices=2 --size=500M --assume-clean /dev/md/box >>/tmp/said 2>&1
        if ! [ -e /dev/md/volume ]; then
                not_ok "$type: made"
                cat /tmp/said /proc/mdstat
                continue
        fi
        udevadm settle
        mke2fs -qF -t ext4 -L Photos /dev/md/volume
        mount /dev/md/volume /mnt && head -c 1M /dev/urandom >/mnt/photo
        look
        echo "# $(grep '^set ' /tmp/list)"
        grep '^layer ' /tmp/list | sed 's/^/# /'
        is "$type, mounted: both disks are in use" "$(known sda protected) $(known sdb protected)" 'array array'
        umount /mnt
        look
        is "$type: a member, of both disks" "$(known sda holds) $(known sdb holds) $(set_key $type disks)" 'member member sda,sdb'
        is "$type: what is found is words" "$(known sda found | grep -c '[^A-Za-z0-9@:,_.-]')" 0
        t "$type: what is in it" grep -q '^content .*type=ext4 label=Photos' /tmp/list
        clear_plan /tmp/half sda
        is "$type: not for one of its disks to lose" "$(grep -c '^release' /tmp/half) $(code nas-disk $(grep '^release' /tmp/half | head -n 1))" '2 spans'
        clear_plan /tmp/plan sda sdb
        t "$type: a dry run finds nothing in the way" carry_out /tmp/plan --dry-run
        t "$type: cleared" carry_out /tmp/plan
        t "$type: nothing but ours is on the disks" only_ours sda sdb
        is "$type: nor for mdadm" "$(mdadm --examine --scan; mdadm --assemble --scan 2>/dev/null; grep '^md' /proc/mdstat)" ''
done
finish
