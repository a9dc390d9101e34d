# resume.sh [applied-again]: what was cut off is gone on with; the same NAS comes of it.
. /box/share/lib.sh
. /box/share/nas.sh
for f in /etc/fstab /etc/mdadm/mdadm.conf /etc/samba/smb.conf /etc/network/interfaces; do
        t "$f is not torn" test -s $f -a -z "$(tail -c 1 $f)"
done
if [ "$1" = again ]; then t "apply again" nas-setup --apply /root/answers; else t "resume" nas-setup --resume; fi
nas_is raid5 public
share_is_empty
is "applying once more changes nothing" "$(nas-setup --apply /root/answers | grep '^done' | grep -vc 'changed=no')" 0
is "nothing is left to go on with" "$(nas-setup --resume | grep -c 'nothing to go on with')" 1
finish
