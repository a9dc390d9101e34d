# For scripts inside the box, after lib.sh: what a finished NAS is. Source it.
plan=/var/lib/nas-setup/plan
field() { sed -n "s/.* $1=\"\{0,1\}\([^\" ]*\).*/\1/p" <<<"$2" | head -n 1; } # KEY RECORD → its value, where it has no blank
call() { grep "^$1 verb=$2 " "$plan"; }                                       # HELPER VERB → the plan's line
lan_ifup() { ifup eth0 >/dev/null 2>&1; }                                     # as an installed Debian has done

# guest ADDRESS SHARE: a computer on the LAN writes, lists, reads and deletes as a guest.
guest() {
        local work rc
        work=$(mktemp -d)
        head -c 1000000 /dev/urandom >"$work/a"
        lan smbclient -N "//$1/$2" -c "put $work/a guest-file; ls; get guest-file $work/b; del guest-file" >"$work/log" 2>&1 &&
                grep -q guest-file "$work/log" && cmp "$work/a" "$work/b"
        rc=$?
        [ $rc = 0 ] || cat "$work/log"
        rm -rf "$work"
        return $rc
}

within() { awk -v a="$1" -v b="$2" -v p="$3" 'BEGIN {d = a > b ? a - b : b - a; exit !(d <= b * p)}'; } # A B PART

# nas_is LEVEL SHARE: everything that the plan promised is so, seen from outside of nas-setup.
nas_is() {
        local level=$1 share=$2 uuid fs md mount address port off
        uuid=$(field uuid "$(call nas-raid create)" | tr -d '-')
        fs=$(field uuid "$(call nas-fs format)")
        mount=$(field mount "$(call nas-fs mount)")
        address=$(field address "$(call nas-net static)")
        md=$(readlink -f "/dev/disk/by-uuid/$fs")
        is "the array is $level" "$(cat "/sys/block/${md##*/}/md/level" 2>&1)" "$level"
        is "the array has the plan's UUID" "$(mdadm --detail --export "$md" | sed -n 's/^MD_UUID=//p' | tr -d :)" "$uuid"
        is "the file system is mounted once, by UUID" "$(findmnt -rn -o SOURCE,FSTYPE "$mount")" "$md ext4"
        is "one line in fstab" "$(grep -c "^UUID=$fs $mount \|^UUID=$fs	*$mount" /etc/fstab)" 1
        is "one line in mdadm.conf" "$(tr -d ':-' <"/etc/mdadm/mdadm.conf" | grep -c "^ARRAY.*$uuid")" 1
        is "one share section" "$(grep -c "^ *\[$share\]" /etc/samba/smb.conf)" 1
        port=$(ip -o link | grep -i "$(field port "$(call nas-net static)")" | sed 's/^[0-9]*: \([^:@]*\).*/\1/')
        is "the port has the one address" "$(ip -o -4 addr show dev "$port" scope global | awk '{print $4}')" "$address"
        for off in $(field off "$(call nas-net static)" | tr , ' '); do
                port=$(ip -o link | grep -i "$off" | sed 's/^[0-9]*: \([^:@]*\).*/\1/')
                is "$port is down and has no address" "$(cat "/sys/class/net/$port/flags") $(ip -o addr show dev "$port")" "0x1002 "
        done
        is "no DHCP client is left" "$(pgrep -c dhclient)" 0
        t "a guest on the LAN writes, lists, reads, deletes" guest "${address%/*}" "$share"
}

share_is_empty() { is "nothing of ours is left on the share" "$(find /srv/public -mindepth 1 -not -name lost+found)" ""; }
