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
set_share() { nas-share set name=public path=/srv/my-nas uuid=$uuid workgroup=HOME netbios=NAS; }
t "set" set_share
is "enabled and running" "$(systemctl is-enabled smbd) $(systemctl is-active smbd)" "enabled active"
t "waits for the mount" bash -c "systemctl show -p After smbd | grep -q 'srv-my.*x2dnas.mount'"
is "no name service" "$(systemctl is-enabled nmbd) $(systemctl is-active nmbd)" "disabled inactive"
is "does not need it" "$(systemctl show -p Requires -p BindsTo smbd | grep -c my.x2dnas)" 0
is "the second time changes nothing" "$(set_share | tail -1)" "result changed=no user=nas"
t "a guest gets in" smbclient -N //127.0.0.1/public -c ls
systemctl restart smbd
is "after a restart too" "$(set_share | tail -1)" "result changed=no user=nas"
systemctl disable --now smbd >/dev/null 2>&1
systemctl mask smbd >/dev/null 2>&1
out=$(set_share 2>/dev/null); rc=$?
is "masked" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "3 code=masked"
finish
