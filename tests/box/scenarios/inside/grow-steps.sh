# grow-steps.sh OPERATION TYPE MS: an array is changed while somebody writes, and the power cut MS milliseconds after that began.
# With OPERATION TYPE alone: after the next start all of it comes to its end, and nothing that was stored is lost.
. /box/share/lib.sh
. /box/share/grow.sh
op=$1 type=$2
wide() { # a mirror that could be forty times as large, and is not yet; without a first sync, which would fill the host's disk
        part a 8000
        part b 8000
        udevadm settle
        mdadm -q --create /dev/md/public --run --metadata=1.2 --homehost=any --name=public --uuid=$array --level=1 --bitmap=none --assume-clean \
                --size=200M --raid-devices=2 /dev/sda1 /dev/sdb1 && udevadm settle &&
                nas-raid adopt uuid=$array name=public && nas-fs format array=$array uuid=$fs label=public type="$type" &&
                nas-fs mount array=$array uuid=$fs type="$type" mount=/srv/public
}
begin() {
        case $op in
        grow5) make_array raid5 "$type" a b c && parts d ;;
        mirror) make_array raid1 "$type" a && parts b ;;
        level5) make_array raid1 "$type" a b && parts c ;;
        rebuild) make_array raid5 "$type" a b c && parts d ;;
        copy) make_array raid5 "$type" a b c && parts d ;;
        resize) wide ;;
        esac
}
change() {
        case $op in
        grow5) raid grow devices=4 add="$(guid d)" ;;
        mirror) raid grow devices=2 add="$(guid b)" ;;
        level5) raid grow level=raid5 devices=3 add="$(guid c)" ;;
        rebuild) raid replace new="$(guid d)" ;;
        copy) raid replace old="$(guid a)" new="$(guid d)" ;;
        resize) nas-fs grow array=$array ;;
        esac
}
soon() { sleep "$(awk -v n="$1" 'BEGIN {print n / 1000}')"; echo "CUT NOW"; }

if [ $# = 3 ]; then
        begin >/tmp/begin 2>&1 || { cat /tmp/begin; exit 1; }
        nas-raid settle >/dev/null
        raid pace rate=fast >/dev/null
        wait_for 60 idle
        raid pace rate=leave >/dev/null
        keep_file
        [ $op = resize ] && mdadm -q --grow /dev/md/public --size=max --assume-clean
        [ $op = rebuild ] && mdadm -q --fail /dev/md/public /dev/sdb1
        cp /root/kept.md5 /etc/fstab /root/ 2>/dev/null
        sync
        write_on &
        sleep 0.3
        { [ $op != resize ] || until [ -e /var/lib/nas-setup/growing/$fs ]; do :; done; soon "$3"; } &
        change >/tmp/change 2>&1 || cat /tmp/change
        wait
        exit
fi

mount_it() { mountpoint -q /srv/public || nas-fs mount array=$array uuid=$fs type="$type" mount=/srv/public; }
here() { [ -n "$(list array | value state)" ]; }
runs() { [ "$(list array | value state)" = active ]; }
wait_for 20 here
udevadm settle
echo "# after the cut: $(list array | sed 's/.*state=/state=/')"
if [ $op = rebuild ]; then
        is "list: it was cut off while it was written to" "$(list array | value state) $(list array | value start)" "inactive force"
        is "not started without a yes" "$(raid start 2>&1 | code) $(nas-raid settle >/dev/null; grep -c 'DOES NOT START: a disk is missing' /etc/issue.d/nas-setup-state.issue)" "code=needs-force 1"
        t "started after a yes" raid start force=yes
        is "and again: nothing to do" "$(raid start | grep -o 'changed=[a-z]*')" changed=no
        t "the file system is looked through before it is mounted" nas-fs check array=$array
else
        t "it starts by itself" wait_for 20 runs
fi
t "mounted" mount_it
t "the file is the same" kept
[ $op = resize ] && echo "# cut off while it grew: $(ls /var/lib/nas-setup/growing 2>/dev/null) $(df -h --output=size,pcent /srv/public | tail -n 1)"
t "asked again" change
nas-raid settle >/dev/null
if [ $op != resize ]; then # a sync of that would fill the host's disk
        raid pace rate=fast >/dev/null
        t "it comes to its end by itself" wait_for 120 idle
        for _ in 1 2 3; do
                nas-raid settle >/dev/null
                wait_for 120 idle
        done
        t "all copies and parity are right" parity_right
fi
is "nothing is left to do" "$(list task) $(nas-raid settle | grep -o 'changed=[a-z]*') $(ls /var/lib/nas-setup/growing 2>/dev/null)" " changed=no "
case $op in
grow5 | rebuild | copy | level5) is "its level" "$(attr level) $(attr raid_disks)" "raid5 $([ $op = grow5 ] && echo 4 || echo 3)" ;;
mirror | resize) is "its level" "$(attr level) $(attr raid_disks)" "raid1 2" ;;
esac
t "the file system fills the array" fills
last=$(cat /box/share/last-record)
is "all of the last of ${last:-0} records are there" "$(records "${last:-0}")" 0
if [ $op = copy ]; then # what a copy that was cut off leaves shows only then
        mdadm -q --fail /dev/md/public /dev/sdb1
        t "the file is the same with a disk less" kept
        is "the records too" "$(records "${last:-0}")" 0
fi
t "the file is the same in the end" kept
umount /srv/public
t "the file system is sound" sound "$type"
finish
