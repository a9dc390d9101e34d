#!/bin/bash
# box: --disk 2G --nic cable --seconds 300
# The file system goes away under a session that is open, and comes back: nothing is ever written to the bare folder, and
# nothing has to be started anew.
. "$(dirname "$0")/lib.sh"

uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10
port=$(ls /sys/class/net | grep -v '^lo$' | head -1)
ip addr add $ip/24 dev "$port"
ip link set "$port" up
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mdadm -q --create /dev/md/public --run --metadata=1.2 --homehost=any --name=public --level=1 --force --raid-devices=1 --bitmap=none /dev/sda 2>/dev/null
udevadm settle
array=$(mdadm --detail --export /dev/md/public | sed -n 's/^MD_UUID=//p')
t "a file system" nas-fs format array="$array" uuid=$uuid label=public type=ext4
t "mounted" nas-fs mount array="$array" uuid=$uuid type=ext4 mount=/srv/public
t "shared" nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS address=$ip
printf '[other]\n path = /srv/other\n guest ok = yes\n' >>/etc/samba/smb.conf
mkdir -p /srv/other
smbcontrol smbd reload-config
bare() { mkdir -p /tmp/bare && mount --bind / /tmp/bare && ls -A /tmp/bare/srv/public; umount /tmp/bare; }
used() { df --output=used -k / | tail -1; }
guest() { lan smbclient -N "//$ip/${2:-public}" -c "$1" 2>&1; }

is "the bare folder: nobody's, and unchangeable" "$(mount --bind / /mnt && stat -c '%a %U' /mnt/srv/public && lsattr -d /mnt/srv/public | grep -o '^....i')" "0 root
----i"
umount /mnt
echo x >/tmp/small
head -c 3000000 /dev/urandom >/tmp/big
mkfifo /tmp/words
lan stdbuf -oL smbclient -N "//$ip/public" </tmp/words >/tmp/said 2>&1 &
exec 7>/tmp/words
echo 'put /tmp/small first' >&7
t "a session is open" wait_for 20 test -s /srv/public/first
before=$(used)

# smbclient reads ahead and then waits for the next line: one at a time, each until it has said something.
grown() { [ "$(stat -c %s /tmp/said)" -gt "$1" ]; }
say() { # LINE
        local size
        size=$(stat -c %s /tmp/said)
        echo "$1" >&7
        t "it goes on talking: $1" wait_for 60 grown "$size"
}
umount -l /srv/public
say 'put /tmp/big lost'
say 'mkdir lost-folder'
say 'put /tmp/big lost2'
say ls
is "nothing is in the bare folder" "$(bare)" ""
t "nothing is on the system disk" [ $(($(used) - before)) -lt 1000 ]
is "a new session is turned away" "$(guest ls | grep -c 'tree connect failed')" 1
t "other shares go on" guest ls other

mount /srv/public
t "a late mount: let in again, nothing started anew" guest 'put /tmp/small back; rm back'
echo 'put /tmp/small after' >&7
t "the session that was open works" wait_for 20 test -s /srv/public/after
exec 7>&-
wait
is "what it wrote is there" "$(cat /srv/public/first /srv/public/after | xargs)" "x x"

# smbd began while nothing was mounted.
umount /srv/public
pkill -x smbd
wait_for 10 bash -c '! pgrep -x smbd'
smbd -D
wait_for 20 lan smbclient -N "//$ip/other" -c ls
is "begun without it: turned away" "$(guest 'put /tmp/small lost' | grep -c 'tree connect failed')" 1
t "other shares work" guest ls other
mount /srv/public
t "and let in when it comes" guest 'put /tmp/small back; rm back'
finish
