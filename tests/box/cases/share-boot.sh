#!/bin/bash
# box: --boot --disk 2G --nic cable
# With systemd: smbd is enabled, started and told to wait for the mount; nmbd stays off; a masked smbd is not forced.
. "$(dirname "$0")/lib.sh"

[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01
systemctl disable --now smbd >/dev/null 2>&1
mke2fs -q -t ext4 -U $uuid -m 0 /dev/sda
mkdir -p /srv/my-nas
mount /dev/sda /srv/my-nas
set_share() { nas-share set name=public path=/srv/my-nas uuid=$uuid workgroup=HOME netbios=NAS "$@"; }
t "set" set_share
is "enabled and running" "$(systemctl is-enabled smbd) $(systemctl is-active smbd)" "enabled active"
t "waits for the mount" bash -c "systemctl show -p After smbd | grep -q 'srv-my.*x2dnas.mount'"
is "no name service" "$(systemctl is-enabled nmbd) $(systemctl is-active nmbd)" "disabled inactive"
is "does not need it" "$(systemctl show -p Requires -p BindsTo smbd | grep -c my.x2dnas)" 0
is "the second time changes nothing" "$(set_share | tail -1)" "result changed=no user=nas"
t "a guest gets in" smbclient -N //127.0.0.1/public -c ls
systemctl restart smbd
is "after a restart too" "$(set_share | tail -1)" "result changed=no user=nas"
# The provider gives the LAN another IPv6 prefix.
port=$(ip -o -4 route show default | awk '{print $5; exit}')
: "${port:=eth0}"
ip addr add 2001:db8:1::1/64 dev "$port" nodad
lan ip addr add 2001:db8:1::50/64 dev br0 nodad
t "with the LAN's computers only" set_share allow=192.168.77.0/24
t "one that comes by IPv6 gets in" lan smbclient -N //2001:db8:1::1/public -c ls
ip addr del 2001:db8:1::1/64 dev "$port"
ip addr add 2001:db8:2::1/64 dev "$port" nodad
lan ip addr add 2001:db8:2::50/64 dev br0 nodad
t "after another prefix came, too" wait_for 60 lan smbclient -N //2001:db8:2::1/public -c ls
is "and the old one is no longer let in" "$(grep -c 'hosts allow.*2001:db8:1:' /etc/samba/smb.conf)" 0
set_share >/dev/null
is "nothing follows where every computer may come" "$(systemctl is-active nas-setup-lan)" inactive

# The file system is not there: smbd starts without it, other shares work, and it is let in when it comes.
printf '[other]\n path = /srv\n guest ok = yes\n' >>/etc/samba/smb.conf
echo "UUID=$uuid /srv/my-nas ext4 nofail,x-systemd.device-timeout=5s 0 2" >>/etc/fstab
umount /srv/my-nas
chmod 0 /srv/my-nas
systemctl mask --runtime 'srv-my\x2dnas.mount' >/dev/null 2>&1 # as if its disks were gone
systemctl restart smbd
t "without its file system smbd runs" wait_for 30 smbclient -N //127.0.0.1/other -c ls
is "nobody is let in" "$(smbclient -N //127.0.0.1/public -c 'mkdir lost' 2>&1 | grep -c 'tree connect failed') $(ls -A /srv/my-nas)" "1 "
systemctl unmask --runtime 'srv-my\x2dnas.mount' >/dev/null 2>&1
systemctl daemon-reload
systemctl start 'srv-my\x2dnas.mount'
t "mounted late: let in, with the same smbd" smbclient -N //127.0.0.1/public -c 'mkdir found; rmdir found'

systemctl disable --now smbd >/dev/null 2>&1
systemctl mask smbd >/dev/null 2>&1
out=$(set_share 2>/dev/null); rc=$?
is "masked" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "3 code=masked"
finish
