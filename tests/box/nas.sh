# For scripts inside the box, after lib.sh: what a finished NAS is. Source it.
plan=/var/lib/nas-setup/plan
field() { sed -n "s/.* $1=\"\{0,1\}\([^\" ]*\).*/\1/p" <<<"$2" | head -n 1; } # KEY RECORD → its value, where it has no blank
call() { grep "^$1 verb=$2 " "$plan"; }                                       # HELPER VERB → the plan's line
# No way to the internet from here, which apt tells at once where it has no source.
[ ! -d /box/share ] || : >/etc/apt/sources.list
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

# --- the disk helpers as a plan calls them ---
look() { nas-disk list >/tmp/list; }                                                                # what the next ones read
known() { grep "^disk name=$1 " /tmp/list | sed -n "s/.* $2=\(\"[^\"]*\"\|[^ ]*\).*/\1/p" | tr -d '"'; } # DISK KEY
new_part() { echo "bbbbbbbb-1111-4222-8333-444444444$1"; }                                          # the GUID of partition N
# what_runs DISK…: the layers on any of these, top first: WHAT|UUID|NAME a line
what_runs() {
        awk -v disks="$*" '
                function value(key) { return match($0, " " key "=(\"[^\"]*\"|[^ ]*)") ? substr($0, RSTART + length(key) + 2, RLENGTH - length(key) - 2) : "" }
                function bare(s) { gsub("\"", "", s); return s }
                $1 == "layer" {
                        n = split(disks, d, " "); on = "," bare(value("disks")) ","; hit = 0
                        for (i = 1; i <= n; i++) if (index(on, "," d[i] ",")) hit = 1
                        type = value("type"); if (type == "lvm" || type == "crypt") type = "dm"
                        if (hit) print type "|" bare(value("uuid")) "|" bare(value("name"))
                }' /tmp/list
}
# clear_plan FILE DISK…: the release and partition lines that a plan would have; the partitions have the numbers from
# $plan_n on, which differ in each plan
plan_n=90
clear_plan() {
        local file=$1 what uuid name after='' n disk size all
        shift
        look
        plan_n=$((plan_n + 10))
        n=$plan_n
        all=$(for disk; do known "$disk" serial; done | paste -sd,)
        what_runs "$@" >/tmp/runs
        while IFS='|' read -r what uuid name; do
                echo "release what=$what${uuid:+ uuid=$uuid} name=$name disks=$all"
                case $what in mount | swap) after+=",$what:$name" ;; *) after+=",${uuid:-$name}" ;; esac
        done </tmp/runs >"$file"
        for disk; do
                size=$(blockdev --getsize64 "/dev/$disk")
                echo "partition disk=$(known "$disk" serial) size=$size guid=aaaaaaaa-1111-4222-8333-444444444$n part=$(new_part $n)" \
                        "name=nas-public-$n start=1048576 end=$(((size / 1048576 - 20) * 1048576)) found=$(known "$disk" found) after=${after#,} disks=$all"
                n=$((n + 1))
        done >>"$file"
}
# carry_out FILE [--dry-run]: every line of it; stops at the first that fails and shows what it said
carry_out() {
        local line out
        while read -r line; do
                # shellcheck disable=SC2086 # a line is words
                out=$(nas-disk ${2-} $line 2>&1) || { echo "$line"; echo "$out"; return 1; }
        done <"$1"
}
# only_ours DISK…: after udev has seen all, nothing runs there and nothing but the new table is found, wherever one looks
only_ours() {
        local disk
        udevadm settle
        look
        for disk; do
                [ "$(known "$disk" found | tr , '\n' | sed 's/@.*//' | xargs)" = 'gpt gpt PMBR' ] || { known "$disk" found; return 1; }
                [ "$(wipefs -n "/dev/${disk}1" 2>&1)" = '' ] || { wipefs -n "/dev/${disk}1"; return 1; }
                mdadm -E "/dev/${disk}1" >/dev/null 2>&1 && { mdadm -E "/dev/${disk}1"; return 1; }
                [ -z "$(lsblk -nro NAME "/dev/$disk" | grep -v "^${disk}1\?$")" ] || { lsblk "/dev/$disk"; return 1; }
                sfdisk --verify "/dev/$disk" >/dev/null || return 1
        done
}

# The wizard at a terminal of its own: T is tmux, sees TEXT waits for the screen with it.
T() { tmux -L nas "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
sees() { wait_for 30 shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }; }
row() { screen | grep -E "^ +(\[.\]|-) +$1 "; } # DISK: its line of the list
