#!/bin/bash
# box: --disk 2G --disk 2G --disk 2G --nic cable --seconds 400
# A share on a file system that somebody else filled, ext4, XFS and btrfs: after files=give a guest can write, rename and
# delete what root and a person left there, and what root puts there later; nothing outside is touched; killed, run again.
. "$(dirname "$0")/lib.sh"

ip=192.168.77.10
port=$(ls /sys/class/net | grep -v '^lo$' | head -1)
ip addr add $ip/24 dev "$port"
ip link set "$port" up
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mkdir -p /srv/public
set_share() { nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS "$@"; }
guest() { lan smbclient -N "//$ip/public" -c "$1" 2>&1; }
change() { guest 'put /tmp/f anna/photo; rename anna/photo anna/moved; rm anna/moved; put /tmp/f root/deep/file; rm root/deep/file; rmdir root/deep; put /tmp/f root/new; ls root/new'; }

fill() {
        mkdir -p /srv/public/{anna,root/deep,many}
        echo photo >/srv/public/anna/photo
        chmod 600 /srv/public/anna/photo
        chown -R 1000:1000 /srv/public/anna
        chmod 500 /srv/public/anna
        echo root >/srv/public/root/deep/file
        chmod -R go-rwx /srv/public/root
        ln -s /etc /srv/public/out
        ln -s /etc/shadow /srv/public/root/out-too
        ln /srv/public/root/deep/file /srv/public/second-name
        echo n >"/srv/public/two
lines"
        install -m 6755 /bin/true /srv/public/suid
        mkfifo /srv/public/pipe
        mknod /srv/public/device b 8 0
        mkdir /srv/public/other
        mount -t tmpfs tmpfs /srv/public/other
        touch /srv/public/other/not-mine
}
empty() {
        umount /srv/public/other
        umount /srv/public
}
outside=$(stat -c '%n %u %g %a' /etc /etc/shadow /etc/passwd)
echo x >/tmp/f
disks=(/dev/sda /dev/sdb /dev/sdc)
for type in ext4 xfs btrfs; do
        disk=${disks[0]} uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e0${#disks[@]} disks=("${disks[@]:1}")
        case $type in
        ext4) mke2fs -q -t ext4 -U $uuid -m 0 "$disk" ;;
        xfs) mkfs.xfs -q -m uuid=$uuid "$disk" ;;
        btrfs) mkfs.btrfs -q -U $uuid "$disk" ;;
        esac
        mount "$disk" /srv/public
        fill
        t "$type: a share" set_share
        is "$type: without files=give a guest can't change what others left" "$(guest 'put /tmp/f anna/photo' | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_ACCESS_DENIED
        out=$(set_share files=give)
        is "$type: given" "$(grep -o 'changed=.*' <<<"$out")" "changed=yes user=nas given=10 left=0"
        is "$type: nothing outside" "$(stat -c '%n %u %g %a' /etc /etc/shadow /etc/passwd)" "$outside"
        is "$type: no other file system, no device, no pipe" "$(stat -c %U /srv/public/{other/not-mine,device,pipe} | xargs)" "root root root"
        is "$type: a name of two lines, a link itself" "$(stat -c %U /srv/public/two*lines /srv/public/out | xargs)" "nas nas"
        is "$type: no program with somebody's rights" "$(stat -c %a /srv/public/suid)" 775
        is "$type: a guest writes, renames and deletes it" "$(change | grep -c 'NT_STATUS\|new  ') $(cat /srv/public/root/new)" "1 x"
        is "$type: again: nothing to do" "$(set_share files=give | tail -1)" "result changed=no user=nas given=0 left=0"
        # What root puts there later: made anew it can be written, copied with its rights it can be moved and deleted, and
        # written after files=give.
        mkdir /srv/public/anna/later
        echo later >/srv/public/anna/later/file
        is "$type: what root makes later can be written" "$(guest 'put /tmp/f anna/later/file; put /tmp/f anna/later/mine; rm anna/later/file' | grep -c NT_STATUS) $(ls /srv/public/anna/later)" "0 mine"
        install -m 600 /tmp/f /srv/public/copied
        is "$type: what root copies with its rights can be moved" "$(guest 'rename copied copied2' | grep -c NT_STATUS)" 0
        set_share files=give >/dev/null
        is "$type: and written after files=give" "$(guest 'put /tmp/f copied2; rm copied2' | grep -c NT_STATUS)" 0
        if [ $type = btrfs ]; then
                btrfs subvolume create /srv/public/sub >/dev/null
                touch /srv/public/sub/file
                btrfs subvolume snapshot -r /srv/public/sub /srv/public/old >/dev/null
                is "btrfs: a subvolume is given, a snapshot for reading only is left" "$(set_share files=give | grep -o 'given=.*') $(stat -c %U /srv/public/sub/file /srv/public/old/file | xargs)" "given=2 left=1 nas root"
        else
                touch /srv/public/kept && chattr +i /srv/public/kept
                is "$type: what nobody may change is left" "$(set_share files=give | grep -o 'given=.*')" "given=0 left=1"
                chattr -i /srv/public/kept && rm /srv/public/kept
        fi
        empty
done

# Many, and killed in the middle.
mount /dev/sda /srv/public
uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e03
mkdir -p /srv/public/many
(cd /srv/public/many && for i in $(seq 40); do mkdir d$i && (cd d$i && seq 500 | xargs touch); done)
chown -R 1000:1000 /srv/public/many
set_share >/dev/null
set_share files=give >/tmp/out &
wait_for 20 grep -q '^progress' /tmp/out
pkill -9 -x nas-share
wait
# The one it died at may have its owner and not yet its mode.
some=$(find /srv/public/many -user nas | wc -l)
t "killed with $some of 20041 given" [ "$some" -gt 0 ]
out=$(set_share files=give)
like "run again: the rest" "$(tail -1 <<<"$out" | grep -o 'given=.*')" "^given=($((20041 - some))|$((20042 - some))) left=0$"
is "all of them" "$(find /srv/public/many -not -user nas | wc -l)" 0
t "with progress" grep -q '^progress done=[0-9]* total=[0-9]* what=files' <<<"$out"
finish
