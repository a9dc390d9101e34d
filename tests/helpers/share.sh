#!/bin/bash
# nas-share on made-up trees: what gets into smb.conf and what stays, which account is taken, what is refused. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
share=${BUILD:-build/plain}/nas-share
data=tests/helpers/share
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root conf=$root/etc/samba/smb.conf uuid=11111111-2222-4333-8444-555555555555

# tree [SMB.CONF]: a computer with a file system mounted at /srv/public
tree() {
        rm -rf "$root"
        mkdir -p "$root"/{etc/samba,etc/systemd/system,proc/self,dev/disk/by-uuid,srv/public}
        [ -z "$1" ] || cp "$1" "$conf"
        echo "36 25 9:127 / /srv/public rw,noatime shared:1 - ext4 /dev/md127 rw,stripe=32" >"$root/proc/self/mountinfo"
        ln -s ../../md127 "$root/dev/disk/by-uuid/$uuid"
        printf '%s\n' root:x:0:0:root:/root:/bin/bash >"$root/etc/passwd"
        printf '%s\n' root:x:0: >"$root/etc/group"
}
set -o pipefail
call() { "$share" --root "$root" set name=public path=/srv/public uuid=$uuid "$@" | sed 's/ off=.*//'; }
full() { call 'comment=Files for everyone' workgroup=HOME netbios=NAS allow=192.168.77.0/24 access=everyone "$@"; }
code() { out=$("$@" 2>/dev/null); echo "$? $(sed -n 's/^error code=\([a-z-]*\).*/\1/p' <<<"$out")"; }
global() { sed -n '/^\[[Gg]lobal\]/,/^\[[^Gg]/p' "$conf" | grep -c "^ *$1"; }

# --- what it does to smb.conf ---

for case in stock/smb.conf made/hand.conf; do
        tree $data/$case
        is "$case" "$(full 2>&1)" "result changed=yes user=nas"
        is "$case: the difference" "$(diff $data/$case "$conf")" "$(cat $data/${case%.conf}.wanted)"
        is "$case: the old one is kept" "$(cat "$conf".nas-setup-* | cmp - $data/$case && stat -c %a "$conf".nas-setup-*)" 644
        is "$case: the second time" "$(full 2>&1)" "result changed=no user=nas"
        is "$case: still one copy" "$(ls "$conf".nas-setup-* | wc -l)" 1
done

tree $data/stock/smb.conf
full >/dev/null
chmod 600 "$conf"
is "another comment" "$(call comment=Fotos workgroup=HOME netbios=NAS allow=192.168.77.0/24)" "result changed=yes user=nas"
is "only that line" "$(diff "$(grep -l 'Files for everyone' "$conf".nas-setup-*)" "$conf")" \
        "$(printf '%s\n' 257c257 '<    comment = Files for everyone' --- '>    comment = Fotos')"
is "the mode is kept" "$(stat -c %a "$conf" "$(ls "$conf".nas-setup-* | tail -1)" | sort -u)" 600
"$share" --root "$root" set 'name=Our photos' path=/srv/public uuid=$uuid workgroup=HOME >/dev/null
is "another name: renamed in place" "$(grep -c '^\[public\]' "$conf") $(grep -c '^\[Our photos\]' "$conf")" "0 1"
is "no comment, no subnets: those lines go" "$(grep -A99 '^\[Our photos\]' "$conf" | grep -c -e comment -e 'hosts allow')" 0
is "list" "$("$share" --root "$root" list | grep ^share)" 'share name="Our photos" path=/srv/public guest=yes writable=yes ours=yes'
sed -i 's/^\[Our photos\]/&\n   writable = no\n   public = no/' "$conf"
"$share" --root "$root" set 'name=Our photos' path=/srv/public uuid=$uuid workgroup=HOME >/dev/null
is "other names of our lines do not stay beside them" "$(grep -c -e '^ *writable' -e '^ *public' "$conf")" 0

tree $data/made/hand.conf
full >/dev/null
is "somebody's decision about NetBIOS stays" "$(global 'smb ports') $(global 'disable netbios = no')" "0 1"
is "nothing comes behind an include" "$(sed -n '/include/,/^\[/p' "$conf" | grep -c ' = yes')" 0
tree
full >/dev/null
is "without smb.conf" "$(head -2 "$conf" | paste -sd'|') $(ls "$root"/etc/samba)" "[global]|# nas-setup: what the share needs; lines of yours count where they stand smb.conf"
printf '[global]\n' >"$work/empty.conf"
tree "$work/empty.conf"
full >/dev/null
is "an empty [global]" "$(head -3 "$conf" | tail -1)" "   workgroup = HOME"
tree $data/stock/smb.conf
mkdir -p "$root/etc/cups"
echo x >"$root/etc/cups/printers.conf"
full >/dev/null
is "a computer with printers keeps them" "$(global 'load printers') $(global 'disable spoolss')" "0 0"
tree $data/stock/smb.conf
mv "$conf" "$root/etc/real.conf"
ln -s ../real.conf "$conf"
full >/dev/null
is "a symbolic link stays one" "$(readlink "$conf") $(grep -c '^\[public\]' "$root/etc/real.conf")" "../real.conf 1"
tree $data/stock/smb.conf
"$share" --dry-run --root "$root" set name=public path=/srv/public uuid=$uuid >"$work/out"
is "dry run: nothing is written" "$(cmp "$conf" $data/stock/smb.conf && ls "$root"/etc/samba "$root"/etc/systemd/system)" \
        "$(printf '%s\n' "$root/etc/samba:" smb.conf '' "$root/etc/systemd/system:")"
is "dry run: the differences are shown" "$(grep -o '^diff file=[^ ]*' "$work/out" | paste -sd' ')" \
        "diff file=/etc/samba/smb.conf diff file=/etc/systemd/system/smbd.service.d/nas-setup.conf"
tree $data/stock/smb.conf
sed -i 's|/srv/public|/srv/my-nas|' "$root/proc/self/mountinfo"
"$share" --root "$root" set name=public path=/srv/my-nas uuid=$uuid >/dev/null
is "smbd waits for the mount" "$(tail -1 "$root"/etc/systemd/system/smbd.service.d/nas-setup.conf)" 'After=srv-my\x2dnas.mount'

# What Debian's file offers and nobody uses.
off() { "$share" --root "$root" set name=public path=/srv/public uuid=$uuid | sed -n 's/.*off=//p'; }
tree $data/stock/smb.conf
is "printers and home shares of the stock file are switched off, and told" "$(off) $(grep -c 'available = no' "$conf")" '"homes,printers,print\$" 3'
is "once" "$(off) $(grep -c 'available = no' "$conf")" " 3"
tree $data/stock/smb.conf
mkdir -p "$root/etc/cups"
echo x >"$root/etc/cups/printers.conf"
is "not where there are printers" "$(off)" homes
tree
printf '[global]\n[homes]\n available = yes\n[ Printers ]\n guest ok = yes\n[print$]' >"$conf"
is "not what somebody decided about" "$(off) $(sed -n '/homes/,/^$/p' "$conf" | paste -sd'|')" \
        '"print\$" [homes]| available = yes|[ Printers ]| guest ok = yes|[print$]|# nas-setup switched this off, for nobody uses it|   available = no|'

# What others said for all shares must not shut anybody out of ours, nor let anybody out of it.
tree
printf '[global]\n  valid users = anna\n  admin users = @staff\n  wide links = yes\n  hosts deny = ALL\n  max connections = 1\n[media]\n  path = /m\n' >"$conf"
cp "$conf" "$work/before"
full >/dev/null
ours() { sed -n '/^\[public\]/,/^\[/p' "$conf" | sed -n "s/^ *$1 = *\(.*\)/[\1]/p"; }
is "what [global] says for all shares is undone in ours" \
        "$(ours 'valid users') $(ours 'admin users') $(ours 'wide links') $(ours 'hosts deny') $(ours 'max connections')" "[] [] [no] [] [0]"
is "and stays for others" "$(diff "$work/before" "$conf" | grep -c '^<')" 0
is "the second time" "$(full)" "result changed=no user=nas"

# Whoever is on the LAN's link by IPv6 is on the LAN; addresses of other ports, the way out and reject routes are not.
tree $data/stock/smb.conf
mkdir -p "$root/proc/net"
cp $data/made/route $data/made/ipv6_route "$root/proc/net/"
full >/dev/null
is "hosts allow: IPv6 prefixes on the port's link" "$(ours 'hosts allow')" "[192.168.77.0/24 fd00:77::/64 2001:db8:1:2::/64 127.0.0.1 ::1 fe80::/10]"
# The provider gives another prefix; a subnet of somebody's own stays.
call allow=192.168.77.0/24,2001:db8:99::/48,fd12:3456::/32 >/dev/null
sed -i 's/^20010db800010002/20010db800010003/' "$root/proc/net/ipv6_route"
cp "$conf" "$work/before"
is "another IPv6 prefix is followed" "$("$share" --root "$root" follow) $(ours 'hosts allow')" \
        "result changed=yes [192.168.77.0/24 2001:db8:99::/48 fd12:3456::/32 fd00:77::/64 2001:db8:1:3::/64 127.0.0.1 ::1 fe80::/10]"
is "only that line" "$(diff "$work/before" "$conf" | grep -c '^[<>]')" 2
is "followed once" "$("$share" --root "$root" follow)" "result changed=no"
is "nobody follows where every computer may come" "$(call >/dev/null; "$share" --root "$root" follow) $(ls "$root"/etc/systemd/system)" "result changed=no smbd.service.d"
call allow=10.9.0.0/16 >/dev/null
is "hosts allow changes with the address" "$(ours 'hosts allow')" "[10.9.0.0/16 fd00:99::/64 127.0.0.1 ::1 fe80::/10]"
call allow=192.168.78.0/24 >/dev/null
is "a subnet that no port has: no prefix" "$(ours 'hosts allow')" "[192.168.78.0/24 127.0.0.1 ::1 fe80::/10]"

tree $data/stock/smb.conf
"$share" --root "$root" set 'name=Fotos für alle' path=/srv/public uuid=$uuid netbios=NAS address=192.168.77.10 greet=yes >/dev/null
is "the login screen" "$(head -1 "$root/etc/issue.d/nas-setup.issue")" \
        '\\\\NAS\\Fotos für alle   smb://NAS/Fotos%20f%C3%BCr%20alle   192.168.77.10'

is "how to reach it, in words" "$(tr -d '\r' <"$root/var/lib/nas-setup/summary.txt")" 'How to reach "Fotos für alle"

Windows:  Explorer, in the line of the address:  \\NAS\Fotos für alle
Mac:      Finder, Go, Connect to Server:  smb://NAS/Fotos%20f%C3%BCr%20alle
Linux:    the file manager, in the line of the address:  smb://NAS/Fotos%20f%C3%BCr%20alle

By its address, where the name is not found:  \\192.168.77.10\Fotos für alle   smb://192.168.77.10/Fotos%20f%C3%BCr%20alle'
is "everybody may read that" "$(stat -c %a "$root/var/lib/nas-setup/summary.txt")" 644
"$share" --root "$root" set 'name=Fotos für alle' path=/srv/public uuid=$uuid netbios=BOX address=192.168.77.11 user=anna >/dev/null
is "another name: nothing of the old one is left" "$(grep -rl 'NAS' "$root/etc/issue.d" "$root/var/lib/nas-setup") $(grep -c 'BOX.anna' "$root/var/lib/nas-setup/summary.txt")" " 1"

# With a password.
tree $data/stock/smb.conf
is "a user beside the guests" "$(full user=anna)" "result changed=yes user=nas login=anna"
is "changes nothing for guests" "$(ours 'guest ok')$(ours 'valid users')" "[yes]"
call access=user user=anna >/dev/null
is "only with a password" "$(ours 'guest ok')$(ours 'valid users')" "[no][anna]"
call user=anna >/dev/null
is "and back" "$(ours 'guest ok')$(ours 'valid users')" "[yes][]"

# For Macs: in our shares only.
tree $data/made/hand.conf
full >/dev/null
cp "$conf" "$work/before"
full macs=yes user=anna timemachine=500000000000 >/dev/null
is "modules for Macs: only lines more, below our own shares' titles" \
        "$(diff "$work/before" "$conf" | grep -c '^<') $(sed '/^\[public\]/,$d' "$work/before" | cmp - <(sed '/^\[public\]/,$d' "$conf") && echo same)" "0 same"
is "our share has them" "$(ours 'vfs objects')" "[catia fruit streams_xattr]"
backups() { sed -n '/^\[Time Machine\]/,/^\[/p' "$conf" | sed -n "s/^ *$1 = *\(.*\)/[\1]/p"; }
is "backups: a share of its own for the user alone" \
        "$(for i in path 'force user' 'guest ok' 'valid users' 'fruit:time machine' 'fruit:time machine max size' 'vfs objects'; do backups "$i"; done | paste -sd' ')" \
        "[/srv/public/.time-machine] [anna] [no] [anna] [yes] [500000000000] [catia fruit streams_xattr]"
is "backups: let in only while the file system is there" "$(backups 'root preexec')" "[/usr/bin/findmnt -rn -S UUID=$uuid -M /srv/public]"
is "backups: the second time" "$(full macs=yes user=anna timemachine=500000000000)" "result changed=no user=nas login=anna"
is "smbd waits for the one mount" "$(grep -h After "$root"/etc/systemd/system/smbd.service.d/*)" "After=srv-public.mount"

# --- what is left alone ---

while IFS='|' read -r what text want; do
        tree
        printf "$text" >"$conf"
        cp "$conf" "$work/before"
        is "$what" "$(code full) $(cmp "$conf" "$work/before" && ls "$root/etc/samba")" "$want smb.conf"
done <<'END'
an unfinished section|[global]\nworkgroup = A\n[global\n|3 smb-conf
a continued line|[global]\nwins support = \\\n no\n|3 smb-conf
somebody's share of this name|[Public]\npath = /home/x\n|3 name-taken
a share of ours with another folder|[public]\n# nas-setup: x\npath = /srv/other\n|3 name-taken
a domain controller|[global]\nserver role = active directory domain controller\n|3 samba-role
a domain member|[global]\nsecurity = ADS\n|3 samba-role
END

# --- what harms ---

while IFS='|' read -r line want; do
        tree
        printf '[global]\n%s\n[media]\n%s\n' "$line" "$line" >"$conf"
        is "harm: $line" "$("$share" --root "$root" list | sed -n 's/^harm why=\([a-z]*\) .*/\1/p')" "$want"
done <<'END'
socket options = TCP_NODELAY SO_RCVBUF=8192 SO_SNDBUF=8192|slow
socket options = TCP_NODELAY IPTOS_LOWDELAY|
Read Raw = yes|slow
strict sync = no|unsafe
strict sync = yes|
min protocol = NT1|unsafe
min protocol = SMB2|
server signing = Mandatory|guests
server signing = auto|
smb encrypt = required|guests
hosts allow = 10.0.0.1|closed
log level = 1|
log level = 10|slow
END
tree
printf '[global]\nserver signing = required\n' >"$conf"
cp "$conf" "$work/before"
is "no share for guests where smb.conf turns them all away" "$(code full) $(cmp "$conf" "$work/before" && ls "$root/etc/samba")" "3 guests smb.conf"
is "with a password only there is one" "$(call access=user user=anna)" "result changed=yes user=nas login=anna"

# --- the account ---

while IFS='|' read -r what passwd group want; do
        tree $data/stock/smb.conf
        printf "$passwd" >>"$root/etc/passwd"
        printf "$group" >>"$root/etc/group"
        is "account: $what" "$(full)" "result changed=yes user=$want"
done <<'END'
nobody has it|||nas
a system user|nas:x:110:115::/nonexistent:/usr/sbin/nologin\n|nas:x:115:\n|nas
a person|nas:x:1000:1000::/home/nas:/bin/bash\n|nas:x:1000:\n|nas1
two people|nas:x:1000:1000::/:/bin/sh\nnas1:x:1001:1001::/:/bin/sh\n|nas:x:1000:\nnas1:x:1001:\n|nas2
somebody with root's number|nas:x:0:0::/root:/usr/sbin/nologin\n||nas1
a system user that logs in|nas:x:110:115::/:/bin/bash\n|nas:x:115:\n|nas1
a group of people|nas:x:x\n|nas:x:1000:anna\n|nas1
ours from before, the person is gone|nas1:x:110:115::/nonexistent:/usr/sbin/nologin\n|nas1:x:115:\n|nas1
END
while IFS='|' read -r what passwd group name want; do
        tree $data/stock/smb.conf
        printf "$passwd" >>"$root/etc/passwd"
        printf "$group" >>"$root/etc/group"
        is "user: $what" "$(code full "user=$name")" "$want"
done <<'END'
nobody has it|||anna|0 
the share's own account|||nas|0 
a person|anna:x:1000:1000::/home/anna:/bin/bash\n||anna|0 
root|||root|3 user-taken
a program's|daemon:x:1:1::/:/usr/sbin/nologin\n||daemon|3 user-taken
nobody|nobody:x:65534:65534::/:/usr/sbin/nologin\n||nobody|3 user-taken
another root|toor:x:0:0::/root:/bin/bash\n||toor|3 user-taken
a group|  |anna:x:1000:\n|anna|3 user-taken
one of ours|anna:x:105:105:comes in to the share with a password:/:/usr/sbin/nologin\n||anna|0 
END
tree $data/stock/smb.conf
for i in '' 1 2 3 4 5 6 7 8 9; do echo "nas$i:x:100$i:100:::/bin/sh" >>"$root/etc/passwd"; done
is "account: all taken" "$(code full)" "3 account"

# --- the mount ---

while IFS='|' read -r what line want; do
        tree $data/stock/smb.conf
        echo "$line" >"$root/proc/self/mountinfo"
        is "mount: $what" "$(code full) $(cmp "$conf" $data/stock/smb.conf && ls "$root/etc/samba")" "$want smb.conf"
done <<'END'
none|25 1 8:1 / / rw - ext4 /dev/sda1 rw|3 not-mounted
another file system|36 25 8:17 / /srv/public rw - ext4 /dev/sdb1 rw|3 not-mounted
a folder of it|36 25 9:127 /sub /srv/public rw - ext4 /dev/md127 rw|3 not-mounted
for reading only|36 25 9:127 / /srv/public ro,noatime - ext4 /dev/md127 ro|3 read-only
a share of another computer|36 25 0:40 / /srv/public rw - nfs 10.0.0.1:/x rw|3 not-mounted
END
tree $data/stock/smb.conf
echo "40 36 0:50 / /srv/public rw - tmpfs tmpfs rw" >>"$root/proc/self/mountinfo"
is "mount: something lies on top" "$(code full)" "3 not-mounted"

# --- wrong calls ---

tree $data/stock/smb.conf
while IFS='|' read -r what word; do
        out=$("$share" --root "$root" set name=public path=/srv/public uuid=$uuid "$word" 2>/dev/null)
        is "wrong call: $word" "$? $(sed -n 's/.*code=usage what=\([^ ]*\).*/\1/p' <<<"$out")" "2 $what"
done <<'END'
comment|comment=100%
workgroup|workgroup=a/b
workgroup|workgroup=
netbios|netbios=a.b
netbios|netbios=abcdefghijklmnop
access|access=me
user|access=user
user|password-fd=0
user|user=Anna
user|user=anna%x
user|user=-anna
user|user=abcdefghijklmnopqrstu
user|user=
announce|announce=no
firewall|firewall=open
firewall|firewall=closed
greet|greet=yes
summary|summary=yes
macs|macs=no
timemachine|timemachine=500000000000
files|files=take
address|address=nas
address|address=192.168.1.10/24
allow|allow=192.168.1.0
allow|allow=192.168.1.0/24,all
allow|allow=0.0.0.0/0
size|size=1
END
for path in / /etc /home/x /var/lib srv /srv/../etc '/srv/a b' '/srv/a;b' '/srv/$(x)' /srv/ /srv/%u; do
        is "wrong folder: $path" "$(code "$share" --root "$root" set name=public "path=$path" uuid=$uuid)" "2 usage"
done
for name in 'a[b' 'a%b' '' 'a$' global ' a' 'a\b'; do
        is "wrong name: $name" "$(code "$share" --root "$root" set "name=$name" path=/srv/public uuid=$uuid)" "2 usage"
done
# What would be lines, sections, includes or Samba's own variables in smb.conf.
for evil in $'a\ninclude = /etc/shadow' $'a]\n[b' $'a\r\npath = /' 'a]' '[a' '%S' '%$(HOME)' 'include = /etc/shadow' $'a\\\n' $'a\001' $'a\xe2\x80\xa8b'; do
        for key in name comment workgroup netbios user path uuid allow address; do
                # a comment may speak of an include, as no line of its own
                [ "$key $evil" != 'comment include = /etc/shadow' ] && [[ "$key $evil" != comment\ *[][] || $evil = *$'\n'* ]] || continue
                args=(name=public path=/srv/public uuid=$uuid)
                for i in "${!args[@]}"; do [[ ${args[i]} != "$key="* ]] || unset "args[$i]"; done
                is "nothing gets into smb.conf by $key=$(printf %q "$evil")" "$(code "$share" --root "$root" set "${args[@]}" "$key=$evil" password-fd=9)" "2 usage"
        done
done
is "wrong name: the computer's" "$(code call workgroup=nas netbios=NAS)" "2 usage"
is "wrong UUID" "$(code "$share" --root "$root" set name=public path=/srv/public uuid=x)" "2 usage"
t "nothing was touched" cmp "$conf" $data/stock/smb.conf
rm -rf "$root"
is "list without anything" "$("$share" --root "$root" list)" "samba running=no
firewall kind=none
result changed=no"
finish
