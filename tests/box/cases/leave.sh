#!/bin/bash
# box: --disk 1200M --disk 1200M --disk 1200M --nic cable --nic cable
# Left at any screen before Apply, by F10, Ctrl-C or SIGTERM, nothing was touched: no write went to a disk, no file of the
# system changed (its change time tells), the network is as it was, and the terminal is sane.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
mke2fs -q -t ext4 -L photos /dev/sdb
sync
udevadm settle

files() { find / -xdev \( -path /tmp -o -path /root \) -prune -o -printf '%p %C@ %s %m %U:%G\n' 2>/dev/null | sort; }
disks() { for d in sda sdb sdc; do echo "$d $(awk '{print $5, $7, $12}' /sys/block/$d/stat)"; done; }
network() { ip -o addr | sed 's/valid_lft.*//'; ip route; cat /sys/class/net/eth?/flags; }
all() { files; disks; network; }
T() { tmux -L leave "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }

titles=("becomes a file server" "Which port connects" "Which disks will hold" "protect your files" "What should people see" "Nothing has been changed yet")
T -f /dev/null new-session -d -x 80 -y 25 'bash --norc --noprofile'
wait_for 10 T send-keys ''

open_at() { # NUMBER: the wizard, on that screen
        T send-keys -l "clear; stty -a | grep -v rows >/tmp/before; LC_ALL=C.UTF-8 nas-setup; stty -a | grep -v rows >/tmp/after; echo en''ded"
        T send-keys Enter
        for i in $(seq 0 "$1"); do
                wait_for 30 shows "${titles[i]}" || { not_ok "screen $i comes"; screen; return 1; }
                [ "$i" = "$1" ] || T send-keys Enter
        done
}
leave_by() { # HOW
        case $1 in
        SIGTERM) pkill -TERM -x nas-setup ;;
        *) T send-keys "$1"; wait_for 2 shows "Leave NAS setup?" && T send-keys Right Enter ;;
        esac
        wait_for 10 shows ended
}

open_at 2 && leave_by F10 # what Samba or udev do once is done
all >/tmp/all.before
for i in "${!titles[@]}"; do
        how=(F10 C-c SIGTERM)
        open_at "$i" || continue
        t "${how[i % 3]} on \"${titles[i]}\" leaves" leave_by "${how[i % 3]}"
        t "the terminal is sane" cmp /tmp/before /tmp/after
done
for how in F10 C-c SIGTERM; do open_at 5 && t "$how in Review leaves" leave_by $how; done
all >/tmp/all.after
t "nothing was touched" diff /tmp/all.before /tmp/all.after
is "the photos are there" "$(blkid -p -s LABEL -o value /dev/sdb)" photos
finish
