#!/bin/bash
# box: --disk 4T --disk 4T --nic cable
# Which plan runs: the file that is named, not the kept one that came of the same answers; and the kept one is left alone
# while it is carried out.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=en_US.UTF-8
screen() { tmux -L kept capture-pane -p -t w; }
shows() { screen | grep -qF "$1"; }

echo 'speed test=none' >/tmp/answers
nas-setup --answers /tmp/answers --print-plan >/tmp/plan
tmux -L kept new-session -d -s w -x 80 -y 25 'nas-setup; sleep 600'
for text in "becomes a file server" "Which port" "Which disks" "protect your files" "What should people see"; do
        wait_for 30 shows "$text"
        tmux -L kept send-keys -t w Enter
done
wait_for 30 shows "Nothing has been changed yet" || screen

nas-setup --apply /tmp/plan >/tmp/out 2>&1 &
apply=$!
wait_for 30 grep -q '^begun step=network' /tmp/out
kept=$(cat "$plan")
tmux -L kept send-keys -t w Enter
wait_for 10 shows "A set-up is being carried out right now" && ok "Enter in a wizard beside it starts nothing" || { not_ok "Enter in a wizard beside it starts nothing"; screen; }
is "its plan stays" "$(cat "$plan")" "$kept"
wait $apply
is "it ends well" "$?" 0
is "its journal is whole" "$(grep -c '^begun' /var/lib/nas-setup/journal) $(tail -n 1 /var/lib/nas-setup/journal | cut -d' ' -f1)" "$(grep -c '^step ' "$plan") finished"
tmux -L kept kill-server

nas-setup --apply /tmp/plan >/tmp/out 2>&1
is "the same plan again changes nothing" "$? $(grep '^done' /tmp/out | grep -vc 'changed=no')" "0 0"
sed 's/ comment="[^"]*"/ comment="Other words"/' /tmp/plan >/tmp/edited
nas-setup --apply /tmp/edited >/tmp/out 2>&1
is "a plan that was edited is the one that runs" "$? $(testparm -s --suppress-prompt --section-name=public --parameter-name=comment 2>/dev/null)" "0 Other words"
finish
