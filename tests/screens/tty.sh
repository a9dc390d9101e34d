#!/bin/bash
# The program on a real terminal (tmux): keys as a keyboard and a slow line send them, resizing, and the terminal afterwards.
#   tests/screens/tty.sh [PROGRAM]
cd "$(dirname "$0")/../.." || exit 2
program=${1:-build/plain/nas-setup}
work=$(mktemp -d) || exit 2
socket=nas-tty-$$
good=0 bad=0
T() { tmux -L "$socket" -f /dev/null "$@"; }
trap 'T kill-server 2>/dev/null; rm -rf "$work"' EXIT

ok() { good=$((good + 1)); echo "ok $1"; }
not_ok() { bad=$((bad + 1)); echo "not ok $1 ${2:-}"; T capture-pane -p | head -12; }
screen() { T capture-pane -p; }
# Waits for a text on the screen, at most 5 s.
see() {
	for _ in $(seq 50); do
		screen | grep -qF -- "$1" && return 0
		sleep 0.1
	done
	return 1
}
expect() { if see "$2"; then ok "$1"; else not_ok "$1" "no \"$2\""; fi; }
# The modes of the terminal, without its size.
modes='stty -a | sed "s/rows [0-9]*; columns [0-9]*;//"'
start() { # TERM machine
	T send-keys -l clear; T send-keys Enter
	for _ in $(seq 20); do screen | grep -q RETURNED || break; sleep 0.1; done
	T send-keys -l "$modes >$work/before; TERM=$1 LC_ALL=${locale:-C.UTF-8} $program --machine tests/machines/made/$2.facts; echo \"status=\$?\"; $modes >$work/after; echo RETUR''NED"
	T send-keys Enter
}
pid() { pgrep -P "$(T display -p '#{pane_pid}')"; } # what the shell in the pane runs: nothing of anybody else
sane() {
	if ! see RETURNED; then not_ok "$1" "did not end"
	elif ! cmp -s "$work/before" "$work/after"; then not_ok "$1" "$(diff "$work/before" "$work/after" | tr '\n' ' ')"
	elif [ -n "$2" ] && ! screen | grep -q "status=$2"; then not_ok "$1" "$(screen | grep status=)"
	else ok "$1"; fi
}

T new-session -d -x 80 -y 25 'bash --norc --noprofile' || { echo "no tmux"; exit 77; }
T set -g status off
T set -g escape-time 0
T resize-window -x 80 -y 25

for term in screen-256color screen linux vt220 vt100 xterm; do
	start $term look
	expect "$term: Welcome" '[ Begin ]'
	T send-keys Enter; expect "$term: Enter goes on" 'Which port connects'
	T send-keys -l $'\e'; expect "$term: Esc goes back" 'This computer becomes'
	T send-keys -l $'\e0'; sane "$term: Esc 0 leaves, terminal as before" 0
done

start screen-256color look; see '[ Begin ]'
T send-keys Enter; see 'Which port'
# A slow line: an arrow in three parts is an arrow.
for part in $'\e' '[' 'B'; do T send-keys -l "$part"; sleep 0.1; done
sleep 1
expect 'parts of an arrow are never Esc' 'Which port connects'
[ "$(T display -p '#{cursor_y}')" = 7 ] && ok 'they move down' || not_ok 'they move down'
T send-keys -l $'\e\eOP'; expect 'Esc and an F-key at once are both' 'NAS means network attached storage'
T send-keys -l $'\e'; see '[ Begin ]'; T send-keys Enter; see 'Which port'
T send-keys -l $'\e['; sleep 1.5
expect 'an unfinished sequence is never Esc' 'Which port connects'
T send-keys Tab Tab Tab; T send-keys C-u; expect 'Ctrl-U empties a field' 'see the line below'
T send-keys -l '192.168.1.10/24'; see 192.168.1.10/24
T resize-window -x 60 -y 20; expect 'too small says so' 'too small: 60 x 20'
T resize-window -x 79 -y 23; expect 'so does 79 x 23, which is nearly enough' 'too small: 79 x 23'
T resize-window -x 80 -y 25; expect 'and what was entered is kept' '192.168.1.10/24'
T send-keys C-l; expect 'Ctrl-L draws anew' '192.168.1.10/24'
T send-keys C-c; expect 'Ctrl-C asks' 'Leave NAS setup?'
T send-keys Enter; expect 'and can stay' 'Which port connects'
T send-keys C-c; see 'Leave NAS setup?'; T send-keys Right; T send-keys Enter; sane 'Ctrl-C, Leave' 0

start screen-256color one-used; see '[ Begin ]'
T send-keys Enter; see 'Which port'; T send-keys Enter; see 'Which disks'
T send-keys Space; see '1 disk chosen'
T send-keys Enter Enter Enter Enter Enter Enter Enter Enter Enter Enter; sleep 1
if see 'How should this disk' ; then ok 'ten Enters at once go one screen on'; else not_ok 'ten Enters at once go one screen on'; fi
kill -TERM "$(pid)"; sane 'SIGTERM' 0

start screen-256color look; see '[ Begin ]'; kill -HUP "$(pid)"; sane 'SIGHUP' 0
start screen-256color look; see '[ Begin ]'; kill -SEGV "$(pid)"; sane 'a crash puts the terminal back' 139
[ "$(T display -p '#{cursor_flag}')" = 1 ] && ok 'with a cursor' || not_ok 'with a cursor'
screen | grep -q 'Start it again\|start it again' && ok 'and says a word' || not_ok 'and says a word'

start dumb look; sane 'TERM=dumb: a message, no crash' 1
expect 'which says what to do' '--apply'
start nonsense look; sane 'an unknown TERM: the same' 1
locale=C start linux look; expect 'without UTF-8: ASCII' '[ Begin ]'
T send-keys Enter; see 'Which port'; expect 'ASCII glyphs' '(*) enp2s0'
T send-keys -l $'\e0'; sane 'and leaves' 0
T send-keys -l "NO_COLOR=1 "; start screen-256color look; expect 'NO_COLOR' '[ Begin ]'; T send-keys F10; sane 'F10 leaves' 0

echo "$good passed, $bad failed"
[ $bad = 0 ]
