# apply.sh WHO… inside the box, in this order: nas-setup on the first disks and the shell script of the usual commands on the
# next ones ("setup" and "script"), or nas-setup on 2 and on 8 disks ("two" and "eight"). Until a guest has stored a file.
cd "$(dirname "$0")" || exit 1
. ./lib.sh
. ./nas.sh
. ./bench.sh
lan_ifup
address=$(ip -o -4 addr show eth0 | awk '{sub("/.*", "", $4); print $4}')
share=public
cp -a /etc /tmp/etc
head -c 1000000 /dev/urandom >/tmp/file

put() { lan smbclient -N "//$address/$share" -c "put /tmp/file file"; }
stored() { wait_for 60 put || echo "# the file is not stored"; }

# Everything of a NAS goes, but for what is on its disks: the next one takes others.
clear_nas() {
        pkill -x smbd
        wait_for 20 bash -c '! pgrep -x smbd'
        umount /srv/public /srv/script 2>/dev/null
        udevadm settle
        for md in /sys/block/md*; do [ -e "$md" ] && mdadm -q --stop "/dev/${md##*/}"; done
        rm -rf /var/lib/nas-setup /etc/samba /etc/mdadm
        cp -a /tmp/etc/. /etc/
        ifdown eth0 >/dev/null 2>&1
        lan_ifup
        address=$(ip -o -4 addr show eth0 | awk '{sub("/.*", "", $4); print $4}')
        share=public
        sync
}

part() { echo "$1=$(((${EPOCHREALTIME/./} - since) / 1000))"; since=$(now); } # STEP: what it took

script() { # DISK…
        local d parts=() since
        since=$(now)
        for d; do wipefs -qa "$d"; done
        for d; do parted -s "$d" mklabel gpt mkpart data 1MiB 100% set 1 raid on && parts+=("${d}1"); done
        part disks
        mdadm -q --create /dev/md0 --run --level=5 --raid-devices=$# "${parts[@]}" || return 1
        part array
        mkfs.ext4 /dev/md0
        part files
        mkdir -p /srv/script
        echo "UUID=$(blkid -o value -s UUID /dev/md0) /srv/script ext4 defaults,nofail 0 2" >>/etc/fstab
        mount /srv/script
        chmod 777 /srv/script
        part mount
        mdadm --detail --scan >>/etc/mdadm/mdadm.conf
        printf '[script]\npath = /srv/script\nguest ok = yes\nread only = no\nforce user = root\n' >>/etc/samba/smb.conf
        smbd -D
        share=script
        stored
        part share
}

setup() { # LEVEL SERIAL…
        local level=$1 IFS=,
        shift
        printf 'disks use=%s\narray level=%s\nspeed test=none\n' "$*" "$level" >/tmp/answers
        unset IFS
        nas-setup --apply /tmp/answers >/tmp/apply || return 1
        address=$(sed -n 's/^done step=network .* address=\([0-9.]*\).*/\1/p' /tmp/apply)
        stored
}
steps() { if [ "$1" = script ]; then grep -E '^[a-z]+=[0-9]+$' /tmp/script; else sed -n 's/^done step=\([a-z]*\) ms=\([0-9]*\).*/\1=\2/p' /tmp/apply; fi | xargs; }
serials() { local i; for i in $(seq "$1" "$2"); do printf ' WD-BOX%05d' "$i"; done; }

for who; do
        begin=$(now)
        case $who in
        setup) setup raid5 $(serials 1 4) || cat /tmp/apply ;;
        script) script /dev/sd[e-h] >/tmp/script 2>&1 ;;
        two) setup raid1 $(serials 1 2) || cat /tmp/apply ;;
        eight) setup raid6 $(serials 3 10) || cat /tmp/apply ;;
        esac
        us=$(($(now) - begin)) network=0
        [ "$who" = script ] || network=$(sed -n 's/^done step=network ms=\([0-9]*\).*/\1/p' /tmp/apply)
        echo "took who=$who ms=$((us / 1000 - network)) $(steps "$who")"
        clear_nas
done
