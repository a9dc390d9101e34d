#!/bin/bash
# box: --disk 4T --disk 4T --nic cable --nic cable
# Not root, no terminal, started twice: a sentence that says so, and nothing is touched. An apply outlives its terminal, and
# another terminal watches it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
says() { grep -qF -- "$2" <<<"$1" || { echo "$1"; return 1; }; }
T() { tmux -L alone "$@"; }
screen() { T capture-pane -p -t "$1"; }
shows() { screen "$1" | grep -qF -- "$2"; }

out=$(setpriv --reuid 65534 --regid 65534 --clear-groups nas-setup 2>&1 </dev/null)
is "not root: status" $? 3
t "not root: the sudo line" says "$out" "sudo nas-setup"
out=$(nas-setup 2>&1 </dev/null)
is "no terminal: status" $? 1
t "no terminal: says what to do" says "$out" "--apply"
out=$(nas-setup --resume 2>&1)
is "nothing to resume: status" $? 3
t "nothing to resume: says so" says "$out" "no set-up to go on with"
out=$(nas-setup --bogus 2>&1)
is "an unknown option: status" $? 2
for bad in 'network port=' 'disks use=nope' 'array level=raid9' 'share name=a/b' '$(reboot)' "network address='1.2.3.4"; do
        echo "$bad" >/tmp/bad
        nas-setup --apply /tmp/bad >/tmp/out 2>&1
        is "bad answers: $bad" $? 2
        t "and says where: $bad" grep -q /tmp/bad /tmp/out
done
t "and nothing was kept" test ! -e /var/lib/nas-setup/plan

T -f /dev/null new-session -d -s one -x 80 -y 25 nas-setup
wait_for 30 shows one "becomes a file server"
T new-session -d -s two -x 80 -y 25 'nas-setup; echo "status $?"; sleep 100'
t "started twice: says who is first" wait_for 10 shows two "nas-setup is open already on /dev/pts/"
t "started twice: status" shows two "status 3"

for title in "becomes a file server" "Which port" "Which disks" "protect your files" "What should people" "changed yet"; do
        wait_for 30 shows one "$title" || { not_ok "the screen: $title"; screen one; }
        T send-keys -t one Enter
done
t "the apply begins" wait_for 30 shows one "Setting up your NAS"
T kill-session -t one
t "its terminal is gone" wait_for 10 bash -c '! pgrep -xa nas-setup | grep -qv -- --resume'
T new-session -d -s three -x 80 -y 25 nas-setup
t "another terminal watches it" wait_for 20 shows three "Setting up your NAS"
T new-session -d -s four -x 80 -y 25 nas-setup
t "who comes later than that takes it over" wait_for 20 shows four "Setting up your NAS"
t "and the one before has left" wait_for 10 eval '! T has-session -t three'
t "it ends well, seen there" wait_for 200 shows four "Your NAS is ready"
T send-keys -t four Enter
nas_is raid1 public
finish
