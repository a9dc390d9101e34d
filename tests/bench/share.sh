# What a share as nas-setup makes it does beside one with Debian's smb.conf as it comes and one with openmediavault's settings
# (its templates global.j2 and shares.j2, with the defaults of its screens): one smbd each, all running, on one RAID 5 of four
# disks, over loopback; in each round all of them, in another order. Figures are speeds by Debian's in the same round: medians,
# and the worst and best round in brackets. Debian's stands twice: how far that is from 1 is chance. Inside the box.
cd "$(dirname "$0")" || exit 1
. ./lib.sh
. ./nas.sh
. ./bench.sh
ROUNDS=${1:-5} MIB=96
lan_ifup
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd
printf 'array level=raid5\nspeed test=none\n' >/tmp/answers
cp /etc/samba/smb.conf /tmp/stock.conf
nas-setup --apply /tmp/answers >/tmp/apply || cat /tmp/apply
idle() { [ "$(cat /sys/block/md*/md/sync_action)" = idle ]; }
wait_for 300 idle
uuid=$(findmnt -rno UUID /srv/public)
nas-share set name=public path=/srv/public uuid="$uuid" netbios=NAS workgroup=HOME user=anna password-fd=0 <<<Bench-share-1 >/tmp/set || cat /tmp/set
export USER=anna PASSWD=Bench-share-1

share() { printf '[public]\n path = /srv/public\n read only = no\n guest ok = yes\n force user = nas\n'; }
{ cat /tmp/stock.conf; share; } >/tmp/debian.conf
cp /tmp/debian.conf /tmp/again.conf
{
        printf '[global]\nworkgroup = HOME\nserver string = %%h server\ndns proxy = no\nlog level = 0\nlog file = /var/log/samba/log.%%m\nmax log size = 1000\n'
        printf 'logging = syslog@0\npassdb backend = tdbsam\nobey pam restrictions = no\nunix password sync = no\npam password change = yes\n'
        printf 'socket options = TCP_NODELAY IPTOS_LOWDELAY\nguest account = nobody\nload printers = no\ndisable spoolss = yes\nprinting = bsd\n'
        printf 'printcap name = /dev/null\nunix extensions = yes\nwide links = no\ncreate mask = 0777\ndirectory mask = 0777\nmap to guest = Bad User\n'
        printf 'use sendfile = yes\naio read size = 16384\naio write size = 16384\nlocal master = yes\n'
        share
        printf ' guest only = no\n inherit acls = yes\n inherit permissions = no\n ea support = no\n store dos attributes = no\n vfs objects =\n'
        printf ' create mask = 0664\n force create mode = 0664\n directory mask = 0775\n force directory mode = 0775\n hide special files = yes\n'
        printf ' follow symlinks = yes\n hide dot files = yes\n'
} >/tmp/omv.conf
cp /etc/samba/smb.conf /tmp/ours.conf
sed 's/^ *smb2 max trans.*/&\n   min receivefile size = 16384/' /tmp/ours.conf >/tmp/receive.conf
all=(debian again omv ours receive) port=4450
declare -A ports
for conf in "${all[@]}"; do
        ports[$conf]=$((++port))
        mkdir -p /tmp/run/$conf
        sed -i 's/^ *\(smb ports\|disable netbios\) *=.*//' /tmp/$conf.conf
        smbd -D -s /tmp/$conf.conf --option="smb ports=$port" --option="pid directory=/tmp/run/$conf" --option="lock directory=/tmp/run/$conf" \
                --option="state directory=/tmp/run/$conf" --option="cache directory=/tmp/run/$conf" --option="ncalrpc dir=/tmp/run/$conf/rpc"
        answers() { smbclient -N -p $port //127.0.0.1/public -c pwd; }
        wait_for 60 answers || { echo "# $conf: does not answer" >&2; answers >&2; }
done

# --- what is done ---
talk() { smbclient -N -p "${ports[$1]}" //127.0.0.1/public -c "$2" >/tmp/said 2>&1 || cat /tmp/said >&2; } # CONF COMMANDS
user() { smbclient -p "${ports[$1]}" --client-protection=sign //127.0.0.1/public -c "$2" >/tmp/said 2>&1 || cat /tmp/said >&2; }
cold() { sync; echo 3 >/proc/sys/vm/drop_caches; }
mkdir -p /tmp/small /srv/public/{many,small}
head -c ${MIB}M /dev/urandom >/tmp/big
for i in $(seq 150); do head -c 16384 /dev/urandom >/tmp/small/$i; done
cp /tmp/big /srv/public/big
cp /tmp/small/* /srv/public/small
(cd /srv/public/many && seq -f 'a photo of the summer %.0f.jpg' 10000 | tr '\n' '\0' | xargs -0 touch)
chown -R nas:nas /srv/public/*
big3='get big /dev/null; get big /dev/null; get big /dev/null'

work() { # WHAT CONF; what is not measured comes before "begin"
        case $1 in
        "write") begin; talk "$2" 'put /tmp/big w; put /tmp/big w' ;;
        "write to the disks") begin; talk "$2" 'put /tmp/big w'; sync -f /srv/public ;;
        "read, from memory") cat /srv/public/big >/dev/null; begin; talk "$2" "$big3" ;;
        "read, from the disks") cold; begin; talk "$2" 'get big /dev/null' ;;
        "write 150 of 16 KiB") rm -rf /srv/public/s; begin; talk "$2" 'mkdir s; cd s; lcd /tmp/small; prompt; mput *' ;;
        "read 150 of 16 KiB, disks") mkdir -p /tmp/back; cold; begin; talk "$2" 'cd small; lcd /tmp/back; prompt; mget *' ;;
        "list 10,000 names, twice") begin; talk "$2" 'ls many\*; ls many\*' ;;
        "four clients read") cat /srv/public/big >/dev/null; begin; for i in 1 2 3 4; do talk "$2" 'get big /dev/null' & done; wait $! ; wait_clients ;;
        "write, signed") begin; user "$2" 'put /tmp/big w' ;;
        "read, signed") cat /srv/public/big >/dev/null; begin; user "$2" 'get big /dev/null; get big /dev/null' ;;
        esac
}
wait_clients() { while pgrep -x smbclient >/dev/null; do sleep 0.02; done; }
begin() { from=$(now); }
works=("write" "write to the disks" "read, from memory" "read, from the disks" "write 150 of 16 KiB" "read 150 of 16 KiB, disks"
        "list 10,000 names, twice" "four clients read" "write, signed" "read, signed")
for w in "${works[@]}"; do
        for ((round = 0; round < ROUNDS; round++)); do
                for conf in $(printf '%s\n' "${all[@]}" | shuf); do
                        rm -f /srv/public/w
                        sync
                        work "$w" $conf
                        echo "$w|$round|$conf|$(($(now) - from))"
                done
        done
done >/tmp/times

echo "Speed by that of Debian's smb.conf in the same round: median [worst, best] of $ROUNDS; RAID 5 over 4 disks, loopback, smbclient"
printf '  %-28s %19s %19s %19s %19s %9s\n' "" "Debian's again" openmediavault "nas-setup's" "with receivefile" "ms"
low=9
for w in "${works[@]}"; do
        printf '  %-28s' "$w"
        for conf in again omv ours receive; do
                value=$(awk -F'|' -v w="$w" -v c=$conf '$1 == w {t[$2, $3] = $4; r[$2]} END {for (i in r) print t[i, "debian"] / t[i, c]}' /tmp/times | sort -n |
                        awk '{v[NR] = $1} END {printf "%.2f [%.2f, %.2f]", v[int((NR + 1) / 2)], v[1], v[NR]}')
                printf ' %19s' "$value"
                [ $conf != ours ] || low=$(awk -v a="$low" -v b="${value%% *}" 'BEGIN {print a < b ? a : b}')
        done
        printf ' %9.0f\n' "$(awk -F'|' -v w="$w" '$1 == w && $3 == "debian" {print $4 / 1000}' /tmp/times | sort -n | sed -n "$((ROUNDS / 2 + 1))p")"
done
awk -v a="$low" 'BEGIN {printf "  goal: the lowest of nas-setup'\''s medians %43s  (at least 0.97)  %s\n", a, a >= 0.97 ? "reached" : "MISSED"}'
