#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --nic cable --nic cable
# A NAS is changed by keys: its share gets another name, then the computer another address and another name; who may use
# the share follows, a file in it stays, and the last change is taken back.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
T() { tmux -L later "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
seen() { # TEXT KEY…
        wait_for 90 shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }
        shift
        [ $# = 0 ] || T send-keys "$@"
}
wizard() {
        T kill-server 2>/dev/null
        wait_for 10 bash -c '! tmux -L later ls 2>/dev/null'
        T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
}
act() { # WORDS: goes to that line of the list, then Enter
        seen "This NAS works"
        for _ in $(seq 12); do
                shows "(•) $1" && break
                T send-keys Down
                wait_for 3 shows "(•) $1" && break
        done
        seen "(•) $1" Enter
}
share() { testparm -s 2>/dev/null | sed -n "/^\[$1\]/,/^\[/p"; }
now() { ip -4 -o addr show dev eth0 | awk '{print $4}'; }

printf 'disks use=A,B\nspeed test=none\n' >/tmp/answers
t "a set-up without screens" nas-setup --apply /tmp/answers
before=$(now)
net=${before%.*}
printf 'a photo of mine\n' >/srv/public/photo
sum=$(sha256sum </srv/public/photo)
wizard
seen "Your NAS is ready" Enter
wait_for 20 shows "left with 0" && ok "left" || { not_ok "left"; screen; }

wizard
act "Change the share"
seen "What should people see" C-u
T send-keys -l Bilder
T send-keys Enter
seen "until now: public" Enter
seen "Your NAS is ready" Enter
wait_for 20 shows "left with 0"
t "the share has the new name" test -n "$(share Bilder)"
is "and the old one is none any more" "$(share public)" ""

wizard
act "Change the network address"
seen "Fixed address" Tab Tab Tab C-u
T send-keys -l "$net.77/24"
T send-keys Tab Tab Tab C-u
T send-keys -l photobox
T send-keys Enter
seen "until now: $before" ""
screen
T send-keys Enter
seen "Your NAS is ready"
t "with the new address" shows "\\\\$net.77\\Bilder"
T send-keys Enter
wait_for 20 shows "left with 0"
is "the address" "$(now)" "$net.77/24"
is "the name" "$(hostname)" photobox
t "the share is open to its network" grep -q "hosts allow = ${net%.*}" <<<"$(share Bilder)"
is "Windows sees the name" "$(testparm -s --parameter-name='netbios name' 2>/dev/null)" PHOTOBOX
t "a guest reads the file" sh -c "smbclient -N '//$net.77/Bilder' -c 'get photo /tmp/back'"
is "as it was" "$(sha256sum </tmp/back)" "$sum"

printf 'change do=network\nnetwork address=%s.78/24\n' "$net" >/tmp/later
t "the same without screens" nas-setup --apply /tmp/later
is "is there" "$(now)" "$net.78/24"
t "said again" nas-setup --apply /tmp/later
wizard
for _ in 1 2; do shows "This NAS works" || wait_for 60 shows "Your NAS is ready" && T send-keys Enter; done
wait_for 20 shows "left with 0" || screen
wizard
act "Take back the last change"
seen "until now: $net.78/24" Enter
seen "Your NAS is ready" Enter
is "the address before is back" "$(now)" "$net.77/24"
t "and its share answers there" sh -c "smbclient -N '//$net.77/Bilder' -c ls"
T kill-server
finish
