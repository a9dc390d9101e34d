# A user beside the guests by the wizard's keys; a share that fails is changed in a later run, with the array kept; without
# screens the password comes from a descriptor or is made. The passwords begin with Secret-$SEED.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=en_US.UTF-8
state=/var/lib/nas-setup
secret() { echo "Secret-$SEED-$1"; }
type_in() { T send-keys C-u; T send-keys -l "$1"; }
user() { lan smbclient -U "anna%$2" "--client-protection=$1" "//$ip/$share" -c 'put /etc/hostname from-anna; rm from-anna' 2>&1; }
everywhere() { grep -rlF "$1" /etc /var /run /root /tmp /srv 2>/dev/null; } # WORD: files that have it
# The names of programs that run, but for those of the test; and of those whose words or environment have a password.
sample() {
        local p comm words
        while :; do
                for p in /proc/[0-9]*; do
                        { read -r comm <"$p/comm"; } 2>/dev/null || continue
                        case $comm in nas-* | smb* | pdbedit | testparm | user*) ;; *) continue ;; esac
                        words=$(cat "$p/cmdline" "$p/environ" 2>/dev/null | tr '\0' ' ')
                        echo "$comm" >>/run/sampled
                        [ "${words/Secret-$SEED/}" = "$words" ] || echo "$comm" >>/run/told
                done
        done
}
open_at_share() {
        local title
        for title in "becomes a file server" "Which port" "Which disks" "protect your files"; do
                sees "$title"
                T send-keys Enter
        done
        sees "What should people see"
}
mkdir /data

T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
open_at_share
T send-keys Down Down Down Down Space
sees "Write it down now"
is "a password is made" "$(screen | grep -cE 'Password +[a-z2-9]{4}(-[a-z2-9]{4}){3}')" 1
screen
T send-keys Down Down Tab
type_in short
sees "at least 8 characters"
T send-keys Enter
sees "!  A password needs at least 8"
type_in "$(secret one)"
t "what is typed is seen" wait_for 10 shows "$(secret one)"
T send-keys BTab
type_in anna
T send-keys F4
sees "More about the share"
T send-keys Down Down Space
sees "[x] Told in a text file"
screen
T send-keys Enter
sees "What should people see"
T send-keys Enter
sees "a text file on it tells"
sees "anna"
sees "may come in with a password"
T send-keys F5
sees "Saved as"
T send-keys F3
sees "Exact commands"
moved() { [ "$(screen)" != "$was" ]; }
for _ in 1 2 3; do
        was=$(screen)
        echo "$was"
        T send-keys PageDown
        wait_for 10 moved
done >/tmp/seen
is "the commands say where it comes from" "$(grep -c 'password-fd=0' /tmp/seen)" 1
is "and not which it is" "$(grep -c "Secret-$SEED" /tmp/seen)" 0
T send-keys Escape
sees "Nothing has been changed yet"
printf '\n[public]\n   path = /data\n' >>/etc/samba/smb.conf # somebody else is quicker
sample &
sampler=$!
T send-keys Enter
wait_for 120 shows "Change the share" && ok "a share that failed can be changed" || { not_ok "a share that failed can be changed"; screen; }
screen
array=$(field uuid "$(call nas-raid create)")
T send-keys Right Right Enter
sees "left with 1"
T kill-server

T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
sees "A set-up stopped at Share"
sees "Password for anna"
screen
T send-keys Down Right Enter
sees "What should people see"
T send-keys Escape
sees "A set-up stopped at Share"
T send-keys Down Right Enter
sees "What should people see"
type_in "My photos"
T send-keys Down Down Down Down Down Down Tab
type_in "$(secret two)"
t "the other password is seen" wait_for 10 shows "$(secret two)"
screen
T send-keys Enter
sees "Nothing: the disks stay as they are now"
screen
T send-keys Enter
wait_for 180 shows "Your NAS is ready" && ok "the changed share is ready" || { not_ok "the changed share is ready"; screen; tail -3 /run/nas-setup/progress; }
screen
is "the summary has no password" "$(screen | grep -c "Secret-$SEED")" 0
T send-keys F5
sees "Saved as"
T send-keys Enter
sees "left with 0"
kill $sampler
is "programs were looked at" "$(grep -xc nas-share /run/sampled | grep -vc '^0$')" 1
is "none had a password among its words or in its environment" "$(sort -u /run/told 2>&1 | grep -v 'No such file')" ""
T kill-server

share="My photos" ip=$(field address "$(call nas-share set)")
is "the array is the one that there was" "$(mdadm --detail --export /dev/md/public 2>/dev/null | sed -n 's/^MD_UUID=//p' | tr -d :)" "$(tr -d - <<<"$array")"
is "and was made once" "$(grep -c '^ARRAY' /etc/mdadm/mdadm.conf)" 1
is "somebody's share stays" "$(testparm -s --suppress-prompt --section-name=public --parameter-name=path 2>/dev/null)" /data
t "a guest" guest "$ip" "$share"
for how in sign encrypt; do is "the user, $how" "$(user $how "$(secret two)" | grep -o 'NT_STATUS_[A-Z_]*')" ""; done
is "the first password is none" "$(user sign "$(secret one)" | grep -o 'NT_STATUS_[A-Z_]*')" NT_STATUS_LOGON_FAILURE
is "the login screen tells of it" "$(grep -c 'My photos' /etc/issue.d/nas-setup.issue)" 1
is "so do a file here and one on the share" "$(grep -lF 'My photos' $state/summary.txt '/srv/public/How to connect.txt' | wc -l)" 2
is "no file has a password" "$(everywhere "Secret-$SEED")" ""

sed -i '/^step name=speed/d; /^nas-speed /d' $state/plan # which takes its time
nas-setup --apply $state/plan >/tmp/out 2>&1 </dev/null
is "the same plan again needs none, and changes nothing" "$? $(grep -c '^done.*changed=yes' /tmp/out)" "0 0"
: >$state/journal # as if it had been cut off before the share
setsid -w nas-setup --resume >/tmp/out 2>&1 </dev/null
is "without a terminal" "$? $(grep -c 'anna needs a password' /tmp/out) $(grep -c '^begun' /tmp/out)" "3 1 0"
nas-setup --resume --password-fd 7 >/tmp/out 2>&1 7<<<short
is "one that is too short" "$? $(grep -c '^begun' /tmp/out)" "2 0"
nas-setup --resume --password-fd 7 >/tmp/out 2>&1 7<<<"$(secret three)"
is "from a descriptor" "$?" 0
is "it is the one" "$(user encrypt "$(secret three)" | grep -o 'NT_STATUS_[A-Z_]*')" ""
: >$state/journal
T -f /dev/null new-session -d -x 80 -y 25 'nas-setup --resume >/tmp/out; echo "left with $?"; sleep 600'
sees "A password for anna"
T send-keys Enter
wait_for 120 shows "left with 0" && ok "nothing typed: one is made" || { not_ok "nothing typed: one is made"; screen; cat /tmp/out; }
made=$(screen | grep -oE '[a-z2-9]{4}(-[a-z2-9]{4}){3}')
is "it is told once, to the terminal" "$(screen | grep -cF "$made") $(everywhere "$made")" "1 "
is "and is the one" "$(user sign "$made" | grep -o 'NT_STATUS_[A-Z_]*')" ""
T kill-server
is "no file has a password in the end" "$(everywhere "Secret-$SEED")" ""
finish
