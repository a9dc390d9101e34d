# apply.sh: three disks to a RAID 5 by --apply; then what a NAS is.
. /box/share/lib.sh
. /box/share/nas.sh
wait_for 40 ip -4 route get 192.168.77.50
printf 'disks use=A,B,C\nspeed test=none\n' >/root/answers
t "apply" nas-setup --apply /root/answers
nas_is raid5 public
share_is_empty
head -c 5000000 /dev/urandom >/srv/public/kept && sync && md5sum /srv/public/kept >/root/kept.md5
is "applying again changes nothing" "$(nas-setup --apply /root/answers | grep '^done' | grep -vc 'changed=no')" 0
finish
