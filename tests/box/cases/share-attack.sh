#!/bin/bash
# box: --disk 2G --disk 2G --nic cable --seconds 300
# Somebody on the LAN and somebody who works on this computer try to reach what is not shared, to shut others out, and to
# have nas-share, which is root, touch what is not the share's.
. "$(dirname "$0")/lib.sh"

uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10 secret=Photos-of-anna
ip addr add $ip/24 dev eth0
ip link set eth0 up
ip link set lo up
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mke2fs -q -t ext4 -U $uuid -m 0 /dev/sda
mke2fs -q -t ext4 /dev/sdb
mkdir -p /srv/public /srv/other
mount /dev/sda /srv/public
mount /dev/sdb /srv/other
useradd -m -p x eve
useradd -m -p x berta
printf 'Bertas-1\nBertas-1\n' | smbpasswd -s -a berta >/dev/null
echo private >/home/berta/letter
set_share() { nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME "netbios=${host:-NAS}" allow=192.168.77.0/24 address=$ip "$@"; }
guest() { timeout 20 lan smbclient -N "//$ip/${share:-public}" -c "$1" 2>&1; }
eve() { runuser -u eve -- "$@"; }
state() { stat -c '%n %U %G %a %s' /etc /etc/passwd /etc/shadow /srv/other /srv/other/victim /home/berta/letter; }
echo victim >/srv/other/victim
chmod 600 /srv/other/victim
set_share user=anna password-fd=0 <<<$secret >/dev/null
outside=$(state)

# --- on the LAN, as a guest ---
for share in homes berta root nas 'print$' 'C$' global; do
        is "no other share: $share" "$(guest 'ls; get letter /tmp/got' | grep -c 'tree connect failed') $(ls /tmp/got 2>/dev/null)" "1 "
done
share=public
echo photo >/tmp/photo
guest 'put /tmp/photo photo' >/dev/null
for acl in DENIED/0x0/FULL ALLOWED/0x0/READ; do lan smbcacls -N //$ip/public photo -S ACL:Everyone:$acl >/dev/null 2>&1; done
is "rights that somebody sets shut nobody out" "$(guest 'put /tmp/photo photo; get photo /tmp/back' | grep -c NT_STATUS) $(stat -c %a /srv/public/photo)" "0 664"
lan smbcacls -N //$ip/public / -S ACL:Everyone:ALLOWED/0x0/READ >/dev/null 2>&1
is "nor those of the share itself" "$(guest 'mkdir new; rmdir new' | grep -c NT_STATUS) $(stat -c %a /srv/public)" "0 2775"
is "a guest makes no folder for backups beforehand" "$(guest 'mkdir .time-machine' | grep -c NT_STATUS) $(ls -d /srv/public/.time-machine 2>/dev/null)" "1 "
mkfifo /srv/public/pipe
chown nas:nas /srv/public/pipe
guest 'get pipe /tmp/got' >/tmp/said; rc=$?
t "a pipe holds nobody up (status $rc)" [ $rc != 124 ]
is "no share is made by a guest" "$(lan rpcclient -N -U% $ip -c 'netshareadd C:/etc stolen 10 x' 2>&1 | grep -c 'WERR_ACCESS_DENIED\|NT_STATUS_ACCESS_DENIED') $(testparm -s 2>/dev/null | grep -c stolen)" "1 0"

# --- on this computer, as somebody ---
is "nothing is put into the share past Samba" "$(eve touch /srv/public/x 2>&1 | grep -c denied) $(eve ln -s /etc /srv/public/x 2>&1 | grep -c denied) $(eve ln /etc/passwd /srv/public/x 2>&1 | grep -c .)" "1 1 1"
is "a system file is no part of the share" "$(ln /etc/shadow /srv/public/shadow 2>&1 | grep -c 'cross-device')" 1
mkdir -p /srv/system /home/eve/mine
mount --bind /home/eve/mine /srv/system
out=$(nas-share set name=system path=/srv/system uuid="$(blkid -o value -s UUID "$(findmnt -no SOURCE /)")" 2>/dev/null); rc=$?
is "a folder of the system disk is not shared" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "3 code=not-mounted"
umount /srv/system
ln -s /srv/other /srv/link
out=$(nas-share set name=link path=/srv/link uuid="$(blkid -o value -s UUID /dev/sdb)" 2>/dev/null); rc=$?
is "nor what a link leads to" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "3 code=not-mounted"
is "nobody reads what nas-share keeps" "$(eve cat /run/nas-setup/* /etc/samba/smb.conf.nas-setup-* /var/lib/samba/private/passdb.tdb 2>&1 >/tmp/read | grep -c 'denied\|No such') $(grep -c "$secret" /tmp/read)" "$(ls /run/nas-setup/* /var/lib/samba/private/passdb.tdb 2>/dev/null | wc -l) 0"

# --- links in place of what root goes to ---
exchange() { perl -e 'while (getppid() == $ARGV[2]) { syscall(316, -100, $ARGV[0], -100, $ARGV[1], 2) }' "$@" $$ & } # renameat2(2)
cd /srv/public || exit 1
for f in .nas-setup-test-5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e0{1,2,3}; do ln -s /srv/other/victim "$f"; done
rm .nas-setup-test-*1
mkfifo .nas-setup-test-5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01
t "links and a pipe with the names of its own trials" set_share user=anna
rm -f .nas-setup-test-*
mkdir away
for i in $(seq 200); do mkdir "away/$i"; echo x >"away/$i/x"; done
ln -s /srv/other way
chown -hR nas:nas .
exchange away way
racer=$!
for i in 1 2 3; do set_share user=anna files=give >/dev/null; done
kill $racer
wait $racer 2>/dev/null
is "folders that turn into links while files are given" "$(state)" "$outside"
rm -rf away way
cd / || exit 1
how='/srv/public/How to connect.txt'
told() { set_share user=anna summary=yes "$@" | tail -1 | grep -o 'summary=.*'; }
ln -s /srv/other/victim "$how"
is "a link in place of the text on the share" "$(told) $(readlink "$how")" "summary=other /srv/other/victim"
rm "$how"
mkfifo "$how"
is "a pipe" "$(told)" summary=other
rm "$how"
echo mine >"$how"
is "somebody's own text" "$(told) $(cat "$how")" "summary=other mine"
rm "$how"
is "written once nothing is there" "$(told) $(stat -c '%U %a' "$how") $(grep -c 'NAS.public' "$how") $(grep -c "$secret" "$how" /var/lib/nas-setup/*.txt | grep -vc ':0$')" "summary=yes nas 664 3 0"
is "again: nothing to do" "$(set_share user=anna summary=yes | tail -1)" "result changed=no user=nas login=anna summary=yes"
is "renewed with the name" "$(host=BOX told) $(grep -c 'BOX.public' "$how") $(grep -c NAS "$how")" "summary=yes 3 0"
set_share user=anna >/dev/null
t "taken away when it is not wanted" test ! -e "$how"
told >/dev/null
guest 'put /tmp/photo "How to connect.txt"' >/dev/null
is "what a guest makes of it stays" "$(told) $(set_share user=anna >/dev/null && cat "$how")" "summary=other photo"
is "nothing outside was touched" "$(state)" "$outside"
finish
