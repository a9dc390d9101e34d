#!/bin/bash
# box: --disk 2G --disk 2G --nic cable
# The public share: a guest on the LAN reads and writes, and is let in only while the right file system is mounted.
. "$(dirname "$0")/lib.sh"

uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10 conf=/etc/samba/smb.conf
port=$(ls /sys/class/net | grep -v '^lo$' | head -1)
ip addr add $ip/24 dev "$port"
ip link set "$port" up
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
disks=(/dev/sd?) disk=${disks[0]} other=${disks[1]}
mke2fs -q -t ext4 -U $uuid -m 0 "$disk"
mkdir -p /srv/public
cp $conf /tmp/stock.conf
set_share() { nas-share set "name=${1:-public}" path=/srv/public uuid=$uuid "comment=${2:-Files for everyone}" workgroup=HOME netbios=NAS allow=192.168.77.0/24 address=$ip; }
guest() { lan smbclient -N "//$ip/${share:-public}" -c "$1" 2>&1; }

out=$(set_share); rc=$?
is "refused while nothing is mounted" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "3 code=not-mounted"
t "nothing was touched" cmp $conf /tmp/stock.conf
mount "$disk" /srv/public
t "set" set_share
is "the second time changes nothing" "$(set_share | tail -1)" "result changed=no user=nas"
is "list" "$(nas-share list | grep ^share)" 'share name=public path=/srv/public comment="Files for everyone" guest=yes writable=yes ours=yes'
is "list: Samba" "$(nas-share list | sed -n 's/^samba version=[^ ]* //p')" "running=yes workgroup=HOME netbios=NAS"
is "every line of the stock file stays" "$(diff /tmp/stock.conf $conf | grep '^<')" "<    workgroup = WORKGROUP"
is "one copy of the old file" "$(cat $conf.nas-setup-* | cmp - /tmp/stock.conf && ls $conf.nas-setup-* | wc -l)" 1
is "owner and mode" "$(stat -c '%U %G %a' /srv/public)" "nas nas 2775"

head -c 300000 /dev/urandom >/tmp/f
t "a guest writes, reads, makes folders, renames, deletes" guest 'put /tmp/f a; mkdir d; rename a d/b; get d/b /tmp/g; rm d/b; rmdir d'
t "and gets back what it put" cmp /tmp/f /tmp/g
t "as a user that nobody knows" lan smbclient -U 'somebody%secret' //$ip/public -c 'put /tmp/f u'
is "files belong to nas" "$(stat -c '%U %G %a' /srv/public/u)" "nas nas 664"
echo by root >/srv/public/root-made
mkdir -m 700 /srv/public/root-dir
t "a file that root put there can be changed" guest 'put /tmp/f root-made'
t "a folder that root made can be deleted" guest 'rmdir root-dir'
t "lost+found is not seen" bash -c "! lan smbclient -N //$ip/public -c ls | grep -q lost"
t "shares are listed" bash -c "lan smbclient -N -L //$ip | grep -q 'public.*Disk.*Files for everyone'"
is "no test file is left" "$(ls -A /srv/public | grep nas-setup)" ""
is "one port is open" "$(ss -Hltn 2>/dev/null | awk '{print $4}' | sed 's/.*://' | sort -u | grep -E '139|445')" 445

umount /srv/public
chmod 777 /srv/public
guest 'ls; put /tmp/f lost' >/tmp/out; rc=$?
is "a guest is turned away while nothing is mounted" "$rc" 1
t "at the door" grep -q 'tree connect failed' /tmp/out
is "and nothing is on the system disk" "$(ls -A /srv/public)" ""
fails "set is refused then" 3 set_share
mke2fs -q -t ext4 "$other"
mount "$other" /srv/public
chmod 777 /srv/public
guest 'ls; put /tmp/f lost' >/tmp/out; rc=$?
is "or while another file system is mounted there" "$rc $(ls /srv/public)" "1 lost+found"
fails "set is refused then too" 3 set_share
umount /srv/public
mount "$disk" /srv/public
t "and let in again after it" guest 'get u /tmp/g'

t "another comment" set_share public "Fotos für alle"
is "is there" "$(testparm -s --section-name=public --parameter-name=comment 2>/dev/null)" "Fotos für alle"
t "another name" set_share "Our photos" "Fotos für alle"
share="Our photos" t "under the new name the files are there" guest 'get u /tmp/g'
is "the old name is gone" "$(grep -c '^\[public\]' $conf)" 0
pkill -x smbd
wait_for 10 bash -c '! pgrep -x smbd'
t "smbd is started again" set_share "Our photos" "Fotos für alle"
echo '[global' >>$conf
out=$(set_share); rc=$?
is "a file that is not understood is left alone" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "3 code=smb-conf"
finish
