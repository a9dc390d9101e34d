#!/bin/bash
# box: --disk 4T --disk 4T --disk 4T --nic cable --nic cable
# The whole run in German, in a real terminal of 80 × 25: Enter on every screen; no screen cuts a word off or falls back to
# English.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
T() { tmux -L german "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
good() { # on the screen that stands there
        if screen | grep -v 'WDC WD40' | grep -qE '[^ ]…|[^.]\.\.$'; then echo "something is cut off"; screen; return 1; fi
        if screen | grep -qwE 'Enter (next|begin|start|finish)|help|leave|Nothing|Address|Disks'; then echo "English"; screen; return 1; fi
}

T -f /dev/null new-session -d -x 80 -y 25 'LC_ALL=de_DE.UTF-8 nas-setup; echo "status $?"; sleep 600'
wait_for 60 shows "[ Beginnen ]" # until then Welcome still looks, and Enter has nothing to begin
for n in 1 2 3 4 5 6; do
        wait_for 40 shows "Schritt $n von 7" || { not_ok "step $n comes"; screen; }
        t "step $n in German, whole" good
        T send-keys F1
        wait_for 5 bash -c '! tmux -L german capture-pane -p | grep -qF "Schritt '$n' von 7"'
        t "its help in German, whole" good
        T send-keys Escape
        wait_for 5 shows "Schritt $n von 7"
        T send-keys Enter
done
wait_for 30 shows "wird eingerichtet" && t "the work in German, whole" good
wait_for 200 shows "Ihr NAS ist bereit" && t "the summary in German, whole" good || screen
T send-keys Enter
t "it ends well" wait_for 10 shows "status 0"
finish
