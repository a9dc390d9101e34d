#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --nic cable --nic cable
# A set-up that was refused: the next start says where it stopped and that nothing was touched, and can set it aside.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
T() { tmux -L anew "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
sees() { wait_for 30 shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }; }

nas-setup --answers /dev/null --print-plan | sed 's/disk=B serial=B/disk=B serial=X/' >/tmp/plan
mkdir -p /var/lib/nas-setup && cp /tmp/plan /var/lib/nas-setup/plan # as Review keeps it, before the disk was exchanged
nas-setup --resume >/tmp/out 2>&1
is "another disk than the plan's: status" $? 3
T -f /dev/null new-session -d -x 80 -y 24 'nas-setup; echo "left with $?"; sleep 600'
sees "A set-up stopped at Disks"
screen
T send-keys Right Enter
sees "Nothing: no step was begun."
T send-keys Right Enter
sees "becomes a file server"
t "the plan is set aside" test ! -e /var/lib/nas-setup/plan
for title in "becomes a file server" "Which port" "Which disks" "protect your files" "What should people" "changed yet"; do
        sees "$title"
        T send-keys Enter
done
t "and another one is carried out" wait_for 200 shows "Your NAS is ready"
T send-keys Enter
nas_is raid1 public
finish
