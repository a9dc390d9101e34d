# fs-missing.sh: all data disks are gone.
. /box/share/lib.sh
. /box/share/nas.sh
address=$(field address "$(call nas-net static)")
is "no disk is there" "$(ls -d /sys/block/sd* 2>/dev/null)" ""
# Login, and ssh where there is one, come with multi-user.target.
t "it starts" wait_for 120 systemctl -q is-active multi-user.target
t "within 120 s" [ "$(cut -d. -f1 /proc/uptime)" -lt 120 ]
t "no emergency" bash -c '! systemctl -q is-active emergency.target rescue.target'
is "with its address" "$(ip -o -4 addr show scope global | awk '{print $4}')" "$address"
t "smbd runs" wait_for 30 systemctl -q is-active smbd
is "nothing is mounted" "$(findmnt -rn /srv/public)" ""
echo x >/tmp/x
is "nobody is let in" "$(lan smbclient -N "//${address%/*}/public" -c 'put /tmp/x lost' 2>&1 | grep -c 'tree connect failed')" 1
is "nor gets a file there otherwise" "$(setpriv --reuid nas --clear-groups --regid nas touch /srv/public/lost 2>&1 | grep -c denied) $(ls -A /srv/public)" "1 "
fails "root neither" 1 touch /srv/public/lost
is "every line of ours names a UUID and may fail" "$(grep /srv/ /etc/fstab | grep -vc '^UUID=.*nofail')" 0
finish
