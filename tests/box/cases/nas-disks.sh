#!/bin/bash
# box: --disk 1500M,serial=A --disk 1500M,serial=B --disk 1500M,serial=C --nic cable --sync-speed 60000 --seconds 300
# The disks of a NAS over the years, by keys: a single disk becomes a mirror, a disk that failed is replaced; a disk that is
# too small is refused before anything is touched. A file stays as it is.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
T() { tmux -L disks "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
seen() { # TEXT KEY…
        wait_for 90 shows "$1" && ok "the screen: $1" || { not_ok "the screen: $1"; screen; }
        shift
        [ $# = 0 ] || T send-keys "$@"
}
wizard() {
        T kill-server 2>/dev/null
        wait_for 10 bash -c '! tmux -L disks ls 2>/dev/null'
        T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'
}
act() { # WORDS: goes to that line of the list, then Enter
        for _ in $(seq 12); do
                shows "(•) $1" && break
                T send-keys Down
                wait_for 3 shows "(•) $1" && break
        done
        seen "(•) $1" Enter
}
array() { nas-raid list | grep '^array '; }
idle() { array | grep -q 'sync=idle'; }
whole() { idle && array | grep -q "devices=$1" && array | grep -q 'degraded=0'; }

printf 'disks use=A\nspeed test=none\n' >/tmp/answers
t "a NAS of one disk, set up without screens" nas-setup --apply /tmp/answers
head -c 3000000 /dev/urandom >/srv/public/photo
sync
sum=$(sha256sum </srv/public/photo)
wizard
seen "Your NAS is ready" Enter
wait_for 20 shows "left with 0"

wizard
seen "This NAS works" ""
act "Add disks"
seen "A mirror: all files on both disks" ""
screen
T send-keys Enter
seen "Nothing has been changed yet" ""
screen
is "nothing was begun" "$(array | grep -c 'devices=1 ')" 1
T send-keys Enter
seen "It is begun, and goes on by itself"
wait_for 120 whole 2 && ok "two disks hold all files" || { not_ok "two disks hold all files"; array; }
wait_for 30 shows "It works: all 2 disks take part" && ok "the screen tells it by itself" || { not_ok "the screen"; screen; }
is "the file is as it was" "$(sha256sum </srv/public/photo)" "$sum"
T send-keys F10
wait_for 20 shows "left with 0"

part=$(nas-raid list | sed -n 's/^member .*state=active name=\([^ ]*\) .*serial=A.*/\1/p')
mdadm -q --fail /dev/md/public "/dev/$part"
wizard
seen "A DISK HAS FAILED" ""
screen
act "Replace the failed disk"
seen "Which disk is to take the place" Enter
seen "takes the place of the disk with the serial number A" Enter
seen "It is begun, and goes on by itself"
wait_for 120 whole 2 && ok "the new disk is filled" || { not_ok "the new disk is filled"; array; }
wait_for 60 sh -c 'nas-raid settle >/dev/null; ! nas-raid list | grep -q "^task"' && ok "nothing is left to do" || { not_ok "tasks"; nas-raid list; }
t "the disk is a member" sh -c "nas-raid list | grep '^member ' | grep -q 'state=active.*serial=C'"
is "the file is as it was" "$(sha256sum </srv/public/photo)" "$sum"
is "and through the share" "$(smbclient -N //127.0.0.1/public -c 'get photo /tmp/back' >/dev/null 2>&1; sha256sum </tmp/back)" "$sum"
T kill-server
finish
