#!/bin/bash
# box: --disk 2G --nic cable --seconds 300
# A Linux computer on the LAN mounts the share, by its kernel: as a guest, as the user signed in each of SMB's
# versions, and encrypted; what programs do there: rename over a file, lock, chmod, chown, links.
. "$(dirname "$0")/lib.sh"

uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10 secret=Photos-of-anna
ip addr add $ip/24 dev eth0
ip link set eth0 up
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mke2fs -q -t ext4 -U $uuid -m 0 /dev/sda
mkdir -p /srv/public /mnt/nas
mount /dev/sda /srv/public
printf 'username=anna\npassword=%s\n' $secret >/run/credentials
modprobe cifs || not_ok "the kernel has CIFS"
out=$(nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS allow=192.168.77.0/24 address=$ip user=anna password-fd=0 <<<$secret)
is "a share" "$(grep -o 'login=anna' <<<"$out")" login=anna

attach() { nsenter --net=/run/netns/lan mount -t cifs -o "$1" //$ip/public /mnt/nas; }
use() { # NAME: what people and their programs do
        local d=/mnt/nas
        echo one >$d/a && mkdir $d/d && mv $d/a $d/d/b && echo two >$d/new && mv -f $d/new $d/d/b && [ "$(cat $d/d/b)" = two ] &&
                echo more >>$d/d/b && cp -p /etc/fstab $d/copy && rm $d/copy &&
                flock -n $d/d/b true && truncate -s 100 $d/d/b && [ "$(stat -c %s $d/d/b)" = 100 ] || return 1
        is "$1: files are everybody's" "$(stat -c '%U %G %a' /srv/public/d /srv/public/d/b | xargs)" "nas nas 2775 nas nas 664"
        chmod 600 $d/d/b 2>/dev/null
        chmod 755 $d/d/b 2>/dev/null
        chown 0:0 $d/d/b 2>/dev/null
        is "$1: chmod and chown shut nobody out" "$(stat -c '%U %G' /srv/public/d/b) $(($(stat -c 0%a /srv/public/d/b) & 0660))" "nas nas $((0660))"
        rm $d/d/b && rmdir $d/d
}
how_it_is() { grep -ho 'Dialect 0x[0-9a-f]* *[a-z]*\|DISK.*Encrypted' /proc/fs/cifs/DebugData | sed 's/DISK.*Encrypted/encrypted/' | xargs; }
while IFS='|' read -r name options want; do
        t "$name: mounts" attach "$options" || continue
        is "$name: the connection" "$(how_it_is)" "$want"
        use "$name" || not_ok "$name: works"
        umount /mnt/nas
done <<'END'
a guest|guest|Dialect 0x311
a guest, SMB 2.1|guest,vers=2.1|Dialect 0x210
anna, signed|credentials=/run/credentials,sec=ntlmsspi|Dialect 0x311 signed
anna, signed, SMB 2.1|credentials=/run/credentials,vers=2.1,sec=ntlmsspi|Dialect 0x210 signed
anna, signed, SMB 3.0|credentials=/run/credentials,vers=3.0,sec=ntlmsspi|Dialect 0x300 signed
anna, encrypted|credentials=/run/credentials,seal|Dialect 0x311 encrypted
END
t "a guest whose links are files" attach guest,mfsymlinks
ln -s inside /mnt/nas/link
is "has links that lead nowhere else" "$(readlink /mnt/nas/link) $(stat -c %F /srv/public/link)" "inside regular file"
umount /mnt/nas
t "a guest who can set rights" attach guest,cifsacl
echo x >/mnt/nas/mine
chmod 000 /mnt/nas/mine
umount /mnt/nas
is "shuts nobody out" "$(lan smbclient -N //$ip/public -c 'put /etc/fstab mine; rm mine' 2>&1 | grep -c NT_STATUS)" 0
finish
