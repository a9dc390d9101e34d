#!/bin/bash
# nas-fs on recorded trees: what list says, which calls make sense, and what happens to fstab and the folder.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
fs=${B:-build/plain}/nas-fs
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
uuid=22222222-2222-3333-4444-000000000001 array=6af70970-0de3-460c-8b2f-0c5b4f6f3c11

is "list: mounted" "$($fs --root tests/helpers/raid/raid5-first-sync list | grep -v ^result)" \
        "filesystem uuid=$uuid type=ext4 label=public path=/dev/md/public mount=/srv/public mounted=yes array=$array fstab=yes"
is "list: not mounted" "$($fs --root tests/helpers/raid/raid5-pending list | grep -v ^result)" \
        "filesystem uuid=$uuid type=ext4 label=public path=/dev/md/public mount=/srv/public mounted=no array=$array fstab=yes"
is "list: its array is not there" "$($fs --root tests/helpers/raid/raid5-inactive list | grep -v ^result)" \
        "filesystem uuid=$uuid type=ext4 mount=/srv/public mounted=no fstab=yes"

mkdir -p "$work/srv"/{etc,proc/self,sys/block,srv/empty,srv/photos} && touch "$work/srv/srv/photos/1" "$work/srv"/{etc/fstab,proc/self/mountinfo} &&
        ln -s /etc "$work/srv/srv/link"
is "list: what stands in /srv" "$($fs --root "$work/srv" list | grep -v ^result | sort)" "folder mount=/srv/link
folder mount=/srv/photos"

while read -r what args; do
        # shellcheck disable=SC2086 # arguments are words
        out=$($fs --root "$work/none" $args 2>/dev/null)
        is "wrong call: $args" "$? $(sed -n 's/.*code=usage what=\([^ ]*\).*/\1/p' <<<"$out")" "2 $what"
done <<EOF
uuid  mount array=$array uuid=1 type=ext4 mount=/srv/public
type  mount array=$array uuid=$uuid type=vfat mount=/srv/public
mount mount array=$array uuid=$uuid type=ext4 mount=/srv
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/
mount mount array=$array uuid=$uuid type=ext4 mount=/etc
mount mount array=$array uuid=$uuid type=ext4 mount=srv/public
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/../etc
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/a/..
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/a//b
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/a,exec
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/a/b
mount mount array=$array uuid=$uuid type=ext4 mount=/srv/.a
array mount uuid=$uuid type=ext4 mount=/srv/public
array format array=x uuid=$uuid label=public type=ext4
label format array=$array uuid=$uuid label=12345678901234567 type=ext4
label format array=$array uuid=$uuid label=-x type=ext4
label format array=$array uuid=$uuid label=nas-unready type=ext4
label format array=$array uuid=$uuid label=1234567890123 type=xfs
label format array=$array uuid=$uuid label= type=btrfs
label format array=$array uuid=$uuid label=a/b type=btrfs
type  format array=$array uuid=$uuid label=public type=ntfs
files mount array=$array uuid=$uuid type=ext4 mount=/srv/public files=mine
EOF

root=$work/r fstab=$work/r/etc/fstab options=defaults,noatime,nosuid,nodev,nofail,x-systemd.device-timeout=90s
line="UUID=$uuid	/srv/public	ext4	$options,errors=remount-ro	0 2"
fresh() { chmod -R u+rwx "$root" 2>/dev/null; rm -rf "$root"; mkdir -p "$root"/{etc,sys/block,proc/self}; cp tests/helpers/fs/made/fstab "$fstab"; cp "$fstab" "$work/before"; }
mount_it() { $fs --root "$root" "$@" mount array=$array uuid=$uuid "type=${type:-ext4}" mount=/srv/public 2>/dev/null; }
changed() { grep -o 'changed=[a-z]*\|code=[a-z-]*'; }

fresh
is "dry run: the line is shown" "$(mount_it --dry-run | grep -c "diff file=/etc/fstab .*UUID=$uuid")" 1
t "dry run: nothing is written" sh -c "cmp $fstab $work/before && [ ! -e $root/srv ]"
is "one line more" "$(mount_it | changed) $(tail -n 1 "$fstab")" "changed=yes $line"
t "and the rest byte for byte" cmp <(head -n -1 "$fstab") "$work/before"
is "the folder is closed" "$(stat -c %a "$root/srv/public")" 0
is "again: nothing to do" "$(mount_it | changed) $(grep -c $uuid "$fstab")" "changed=no 1"
fresh
is "XFS: no check at boot" "$(type=xfs mount_it | changed) $(tail -n 1 "$fstab")" "changed=yes UUID=$uuid	/srv/public	xfs	$options	0 0"
fresh
is "btrfs: all of it, no check at boot" "$(type=btrfs mount_it | changed) $(tail -n 1 "$fstab")" "changed=yes UUID=$uuid	/srv/public	btrfs	$options,subvolid=5	0 0"
is "btrfs again: nothing to do" "$(type=btrfs mount_it | changed) $(grep -c $uuid "$fstab")" "changed=no 1"
fresh
mount_it >/dev/null
chmod 640 "$fstab"
sed -i '$d' "$fstab"
mount_it >/dev/null
is "its mode stays" "$(stat -c %a "$fstab")" 640

fresh
printf 'UUID="%s" /srv/public/ ext4 noatime # mine' ${uuid^^} >>"$fstab"
cp "$fstab" "$work/before"
is "there already in other words: left alone" "$(mount_it >/dev/null; cmp "$fstab" "$work/before" && echo same)" same
for words in "UUID=$uuid /srv/public ext4 defaults" "UUID=$uuid	/srv/public	ext4	defaults	0	2	# ours, since 2019" "/dev/disk/by-uuid/$uuid /srv/public ext4 defaults # four, and a comment"; do
        fresh
        printf '%s\n# the end, without a line end' "$words" >>"$fstab"
        cp "$fstab" "$work/before"
        for i in 1 2 3; do mount_it >"$work/out" || break; done
        is "known, and left alone three times: $words" "$i $(changed <"$work/out") $(cmp "$fstab" "$work/before" && echo same)" "3 changed=no same"
done
fresh
echo "/dev/disk/by-uuid/$uuid /srv/elsewhere ext4 defaults 0 2" >>"$fstab"
is "it is mounted elsewhere: refused" "$(mount_it | changed)" code=fstab-other
for option in noauto ro defaults,noauto; do
        fresh
        echo "UUID=$uuid /srv/public ext4 $option 0 2" >>"$fstab"
        cp "$fstab" "$work/before"
        is "there already with $option: refused" "$(mount_it | changed) $(cmp "$fstab" "$work/before" && echo same)" "code=fstab-option same"
done
fresh
echo 'UUID=1234-5678 /srv/public ext4 defaults,noatime,nofail,x-systemd.device-timeout=90s 0 2' >>"$fstab"
cp "$fstab" "$work/before"
is "ours for a file system that may be unplugged: refused, kept" "$(mount_it | changed) $(cmp "$fstab" "$work/before" && echo same)" "code=mount-taken same"
fresh
echo 'LABEL=photos /srv/public/ xfs defaults 0 0' >>"$fstab"
cp "$fstab" "$work/before"
is "the folder is somebody else's: refused" "$(mount_it | changed)" code=mount-taken
t "with nothing touched" sh -c "cmp $fstab $work/before && [ ! -e $root/srv ]"
fresh
printf 'UUID=1 /srv/x ext4 defaults 0 0 too many words\n' >>"$fstab"
is "not to be understood: refused, with the line" "$(mount_it | grep -o 'code=[a-z-]*\|line [0-9]*' | xargs)" "code=fstab-syntax line 12"
fresh
rm "$fstab"
is "no fstab: made" "$(mount_it | changed) $(cat "$fstab")" "changed=yes $line"
fresh
mkdir -p "$root/srv/public" && touch "$root/srv/public/photo"
is "files in the folder: refused" "$(mount_it | changed)" code=not-empty
t "with nothing touched, either" cmp "$fstab" "$work/before"
fresh
mkdir -p "$root/srv" && ln -s /tmp "$root/srv/public"
is "the folder is a link: refused" "$(mount_it | changed)" code=folder
fresh
ln -s /tmp "$root/srv"
is "/srv is a link: refused" "$(mount_it | changed)" code=folder
fresh
mkdir "$root/srv" && chmod 777 "$root/srv"
is "others may write to /srv: refused" "$(mount_it | changed)" code=folder
finish
