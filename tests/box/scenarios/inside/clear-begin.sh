# clear-begin.sh: after a restart the old things run by themselves; a plan is made and its releases carried out, nothing more.
. /box/share/lib.sh
. /box/share/nas.sh
t 'the old array runs by itself' wait_for 60 test -e /dev/photos/all
t 'and the old volume group' wait_for 60 test -e /dev/beside/wide
udevadm settle
[ -e /root/plan ] || clear_plan /root/plan sda sdb
is 'three layers to release' "$(grep -c '^release' /root/plan)" 3
grep '^release' /root/plan >/tmp/releases
t 'released' carry_out /tmp/releases
udevadm settle
is 'and they stay down' "$(lsblk -nro NAME,TYPE /dev/sda /dev/sdb | awk '$2 !~ /disk|part/' | xargs)" ''
sync
finish
echo 'CUT NOW'
sleep 60
