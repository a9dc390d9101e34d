#!/bin/bash
# box: --disk 2G --nic cable
# nas-share killed at many moments, each time run again: the same end, and smb.conf always whole.
. "$(dirname "$0")/lib.sh"

[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 conf=/etc/samba/smb.conf
mke2fs -q -t ext4 -U $uuid -m 0 /dev/sda
mkdir -p /srv/public
mount /dev/sda /srv/public
cp $conf /tmp/stock.conf
args=(name=public path=/srv/public uuid=$uuid comment=Files workgroup=HOME netbios=NAS allow=192.168.77.0/24)
nas-share set "${args[@]}" >/dev/null || not_ok "set once"
cp $conf /tmp/wanted.conf
undo() {
	pkill -x smbd
	wait_for 10 bash -c '! pgrep -x smbd'
	userdel nas 2>/dev/null
	rm -rf $conf.nas-setup-* /etc/systemd/system/smbd.service.d
	cp /tmp/stock.conf $conf
	chown root:root /srv/public
	chmod 755 /srv/public
}
whole=0 rounds=0 cut=0
RANDOM=$((${SEED:=$SRANDOM} % 32768))
echo "SEED=$SEED"
end=$((SECONDS + 20))
while [ $SECONDS -lt $end ]; do
	undo
	nas-share set "${args[@]}" >/dev/null 2>&1 &
	pid=$!
	sleep $((RANDOM % 3)).$((RANDOM % 10))$((RANDOM % 10))
	kill -9 $pid 2>/dev/null && cut=$((cut + 1))
	wait $pid 2>/dev/null
	rounds=$((rounds + 1))
	if cmp -s $conf /tmp/stock.conf || cmp -s $conf /tmp/wanted.conf; then whole=$((whole + 1)); fi
	wait_for 10 bash -c '! pgrep -x smbclient'
done
is "smb.conf was whole each time" $whole $rounds
t "at least one was cut off ($cut of $rounds)" [ $cut -gt 0 ]
t "run again" nas-share set "${args[@]}"
t "the same end" cmp $conf /tmp/wanted.conf
is "one copy of the old file" "$(ls $conf.nas-setup-* | wc -l)" 1
is "owner" "$(stat -c '%U %G %a' /srv/public)" "nas nas 2775"
is "nothing left in the share" "$(ls -A /srv/public)" lost+found
is "nothing left beside smb.conf" "$(ls /etc/samba | grep -v -e '^smb.conf$' -e nas-setup-2 -e gdbcommands -e tls)" ""
is "the second time changes nothing" "$(nas-share set "${args[@]}" | tail -1)" "result changed=no user=nas"
finish
