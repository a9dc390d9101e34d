# A user with a password beside the guests, signed and encrypted, for computers that refuse guests; or instead of them.
# Nobody gets out of the share, or is root. The passwords begin with Secret-$SEED.
. "$(dirname "$0")/lib.sh"

uuid=5f1b6c1e-7a55-4c9e-9a0c-2f4f3c1d7e01 ip=192.168.77.10 conf=/etc/samba/smb.conf
secret=Secret-$SEED-one
ip addr add $ip/24 dev eth0
ip addr add fd00:77::1/64 dev eth0 nodad
ip addr add fd00:88::1/64 dev lo nodad
ip link set eth0 up
lan ip addr add fd00:77::50/64 dev br0 nodad
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
mke2fs -q -t ext4 -U $uuid -m 0 /dev/sda
mkdir -p /srv/public
mount /dev/sda /srv/public
set_share() { nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS allow=192.168.77.0/24 address=$ip "$@"; }
guest() { lan smbclient -N "//$ip/${share:-public}" -c "$1" 2>&1; }
user() { echo "${pass:-$secret}" | lan setsid smbclient -U "$1" "--client-protection=$2" "//${at:-$ip}/public" -c "$3" 2>&1; }
change='put /tmp/f a; mkdir d; rename a d/b; get d/b /tmp/g; rm d/b; rmdir d'

head -c 300000 /dev/urandom >/tmp/f
out=$(set_share user=anna 2>/dev/null); rc=$?
is "without a password" "$rc $(grep -o 'code=[a-z-]*' <<<"$out") $(grep -c anna /etc/passwd)" "3 code=no-password 0"
out=$(set_share user=anna password-fd=0 <<<short 2>/dev/null); rc=$?
is "with one that is too short" "$rc $(grep -o 'code=[a-z-]*' <<<"$out") $(grep -c anna /etc/passwd)" "2 code=usage 0"
set_share >/dev/null # so that strace need not wait for smbd
out=$(strace -f -s 4096 -v -e trace=execve -o /run/trace nas-share set name=public path=/srv/public uuid=$uuid workgroup=HOME netbios=NAS \
        allow=192.168.77.0/24 address=$ip user=anna password-fd=7 7<<<"$secret" </dev/null)
is "a user beside the guests" "$(tail -1 <<<"$out")" "result changed=yes user=nas login=anna"
is "the password is in no argument and no environment" "$(grep -c execve /run/trace | grep -vc '^0$') $(grep -cF "$secret" /run/trace)" "1 0"
is "nor in what was said" "$(grep -cF "$secret" <<<"$out")" 0
is "again, with the same" "$(set_share user=anna password-fd=0 <<<"$secret" | tail -1)" "result changed=no user=nas login=anna"
is "again, without" "$(set_share user=anna | tail -1)" "result changed=no user=nas login=anna"
for how in sign encrypt; do
        t "$how: writes, reads, makes folders, renames, deletes" user anna $how "$change"
        is "$how: got back what it put" "$(cmp /tmp/f /tmp/g && echo same)" same
        is "$how: a guest cannot" "$(lan smbclient -N --client-protection=$how //$ip/public -c ls 2>&1 | grep -c 'session setup failed: NT_STATUS_ACCESS_DENIED')" 1
done
user anna encrypt 'put /tmp/f from-anna' >/dev/null
is "what it wrote is everybody's" "$(stat -c '%U %a' /srv/public/from-anna) $(guest 'put /tmp/f from-anna; rm from-anna' | grep -c NT_STATUS)" "nas 664 0"
is "a wrong password" "$(pass=wrong user anna sign ls | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_LOGON_FAILURE
t "guests go on" guest "$change"
is "no shell for it" "$(getent passwd anna | cut -d: -f7)" /usr/sbin/nologin
t "over IPv6 on the link" env at=fd00:77::1 bash -c "$(declare -f user); secret='$secret' ip=; user anna sign ls"
is "not from elsewhere" "$(smbclient -N //fd00:88::1/public -c ls 2>&1 | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_ACCESS_DENIED

# Who a session is, and where it gets.
mkfifo /tmp/words
lan smbclient -N "//$ip/public" </tmp/words >/dev/null 2>&1 &
exec 7>/tmp/words
echo 'put /tmp/f open' >&7
wait_for 20 test -s /srv/public/open
is "no session is root's" "$(smbstatus -b 2>/dev/null | awk '$1 ~ /^[0-9]+$/ {print $2}' | sort -u | xargs)" nobody
exec 7>&-
rm -f /srv/public/open
ln -s /etc /srv/public/way-out
ln -s /etc/passwd /srv/public/way-out-too
printf '   wide links = yes\n' >/tmp/wide
sed -i '/^\[global\]/r /tmp/wide' $conf
set_share user=anna >/dev/null
for try in 'ls way-out/*' 'get way-out/passwd /tmp/got' 'get way-out-too /tmp/got' 'get ../etc/passwd /tmp/got' 'put /tmp/f way-out/new' 'get ..\..\etc\passwd /tmp/got'; do
        guest "$try" >/tmp/said
        is "no way out: $try" "$(grep -c NT_STATUS /tmp/said) $(ls /tmp/got /etc/new 2>/dev/null)" "1 "
done

# Instead of guests.
out=$(set_share access=user user=anna password-fd=0 <<<"$secret")
is "only with the password" "$(tail -1 <<<"$out")" "result changed=yes user=nas login=anna"
is "a guest is turned away" "$(guest ls | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_ACCESS_DENIED
is "nor does who works on this computer" "$(runuser -u games -- ls /srv/public 2>&1 | grep -c denied) $(stat -c %a /srv/public)" "1 2770"
t "the user is not" user anna encrypt "$change"
useradd -m berta
printf 'Bertas-1\nBertas-1\n' | smbpasswd -s -a berta >/dev/null
is "somebody else is" "$(pass=Bertas-1 user berta sign ls | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_ACCESS_DENIED
set_share >/dev/null
is "for everyone again: everyone" "$(stat -c %a /srv/public)" 2775
out=$(set_share user=berta password-fd=0 <<<"$secret" 2>/dev/null); rc=$?
is "a person's own password is not changed" "$rc $(grep -o 'code=[a-z-]*' <<<"$out")" "1 code=user-taken"
is "with their own it is theirs too" "$(set_share user=berta password-fd=0 <<<Bertas-1 | tail -1)" "result changed=yes user=nas login=berta"
is "and nothing is changed again" "$(set_share user=berta password-fd=0 <<<Bertas-1 | tail -1)" "result changed=no user=nas login=berta"
other=Secret-$SEED-two
is "another password" "$(set_share user=anna password-fd=0 <<<"$other" | tail -1)" "result changed=yes user=nas login=anna"
is "the old one is no longer taken" "$(user anna sign ls | grep -c LOGON_FAILURE) $(pass=$other user anna sign ls | grep -c NT_STATUS)" "1 0"
is "the user is the files' account too" "$(set_share user=nas password-fd=0 <<<"$other" | tail -1)" "result changed=yes user=nas login=nas"
t "it works" env pass=$other bash -c "$(declare -f user); secret= ip=$ip; user nas encrypt ls"

sync
finish
