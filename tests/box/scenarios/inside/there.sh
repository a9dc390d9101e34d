# there.sh: after a start, all of it is there by itself.
. /box/share/lib.sh
. /box/share/nas.sh
fs=$(field uuid "$(call nas-fs format)")
t "the file system is there by itself" wait_for 60 mountpoint -q /srv/public
t "smbd is there by itself" wait_for 30 systemctl is-active smbd
nas_is raid5 public
t "what was written before is there" md5sum -c /root/kept.md5
is "the array has its name" "$(basename "$(readlink -f /dev/md/public)")" "$(basename "$(readlink -f "/dev/disk/by-uuid/$fs")")"
is "network-online was reached" "$(systemctl is-active network-online.target)" active
finish
