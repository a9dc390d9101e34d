#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --nic cable --nic cable
# The main job at the keyboard: Enter on every screen, in a real terminal of 80 × 25, to a NAS that a guest can use.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=en_US.UTF-8

screen() { tmux capture-pane -p -t nas; }
shows() { screen | grep -qF "$1"; }
seen() { # TEXT KEY: the screen with TEXT comes, then KEY is typed
        wait_for 30 shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }
        tmux send-keys -t nas "$2"
}

tmux new-session -d -s nas -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
seen "becomes a file server" Enter
seen "Which port connects this NAS" Enter
seen "Which disks will hold your files" Enter
wait_for 30 shows "protect your files"
room=$(screen | grep -oE 'RAID 5\) +[0-9.]+ [TG]B' | grep -oE '[0-9.]+ [TG]B')
seen "protect your files" Enter
seen "What should people see" Enter
seen "Nothing has been changed yet" Enter
wait_for 120 shows "Your NAS is ready" && ok "it says that it is ready" || { not_ok "it says that it is ready"; screen; tail -5 /run/nas-setup/progress; }
screen
tmux send-keys -t nas Enter
wait_for 10 shows "left with 0" && ok "it ends well" || { not_ok "it ends well"; screen; }
nas_is raid5 public
share_is_empty
is "eight terabytes were promised" "$room" "8.0 TB"
finish
