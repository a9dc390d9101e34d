#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --disk 4T,serial=C --nic cable --nic cable
# A set-up that ended without being seen shows its summary once; after that nas-setup says what the NAS is, and a further
# share goes on the disk that is free, beside the first.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
T() { tmux -L again "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
seen() { # TEXT KEY…
        wait_for 60 shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }
        shift
        T send-keys "$@"
}
wizard() {
        T kill-server 2>/dev/null
        wait_for 10 bash -c '! tmux -L again ls 2>/dev/null'
        T -f /dev/null new-session -d -x 80 -y 24 'nas-setup; echo "left with $?"; sleep 600'
}

printf 'disks use=A,B\nspeed test=none\n' >/tmp/answers
t "a set-up without screens" nas-setup --apply /tmp/answers
wizard
seen "Your NAS is ready"
truncate -s 200M /tmp/much
address=$(field address "$(call nas-share set)")
(while [ ! -e /tmp/enough ]; do lan smbclient -N "//$address/public" -c 'put /tmp/much much'; done >/dev/null 2>&1) &
wait_for 120 bash -c "$(declare -f T screen); screen | grep -q '192.168.77.50 is writing at [0-9]* MB/s'" && ok "who is copying, live" || { not_ok "who is copying, live"; screen; }
touch /tmp/enough
wait
lan smbclient -N "//$address/public" -c 'del much' >/dev/null 2>&1
T send-keys F6
seen "Measuring: " Escape
seen "The test was ended; nothing of it is left." Enter
share_is_empty
t "leaving says the way to it" wait_for 10 shows "Your NAS: \\\\$(ip -4 -o addr show dev eth0 | awk '{sub("/.*", "", $4); print $4}')\\public (smb://"
wizard
seen "This NAS works" ""
screen
t "with its state" shows "Mirror (RAID 1)"
t "and its way" shows "\\\\$(ip -4 -o addr show dev eth0 | awk '{sub("/.*", "", $4); print $4}')\\public"
for _ in $(seq 12); do
        shows "(•) Set up a further share" && break
        T send-keys Down
        wait_for 3 shows "(•) Set up a further share" && break
done
seen "(•) Set up a further share" Enter
seen "Which disks will hold" Enter
seen "protect your files" Enter
seen "What should people see" Enter
seen "Nothing has been changed yet" Enter
wait_for 200 shows "Your NAS is ready" && ok "a further share" || { not_ok "a further share"; screen; }
screen
is "two shares" "$(testparm -s 2>/dev/null | grep -c '^\[public2\?\]')" 2
is "two arrays" "$(grep -c '^md' /proc/mdstat)" 2
t "each on its own folder" sh -c 'mountpoint -q /srv/public && mountpoint -q /srv/public2'
T kill-server
finish
