# level.sh LEVEL DISKS: one NAS of that level by --apply, and its sizes against what was said before.
. /box/share/lib.sh
. /box/share/nas.sh
lan_ifup
printf 'disks use=%s\narray level=%s\nspeed test=none\n' "$2" "$1" >/tmp/answers
t "$1: apply" nas-setup --apply /tmp/answers
md=$(readlink -f "/dev/disk/by-uuid/$(field uuid "$(call nas-fs format)")")
t "$1: the array is as large as was said" within "$(blockdev --getsize64 "$md")" "$(field size "$(grep '^step name=array' $plan)")" 0.001
t "$1: df says what was said" within "$(df -B1 --output=size /srv/public | tail -n 1)" "$(field size "$(grep '^step name=files' $plan)")" 0.005
nas_is "$1" public
share_is_empty
finish
