#!/bin/bash
# box: --disk 1200M --disk 1200M --nic cable
# Looking beside the screens, with helpers that tell when they are told to: the first frame waits for nobody, nothing is
# waited for without a word, what comes in shows up, the lamp is put out, and no helper outlives the wizard.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
here=/tmp/slow
mkdir $here
bin=$(dirname "$(command -v nas-setup)")
cp "$bin"/nas-* $here/
T() { tmux -L slow "$@"; }
screen() { T capture-pane -p; }
shows() { screen | grep -qF -- "$1"; }
expect() { # NAME TEXT
        wait_for 10 shows "$2" && ok "$1" || { not_ok "$1"; screen; }
}
block() { # NUMBER REST: all at once
        echo "disk name=sda serial=S1 bypath=p1 model=A size=4000787030016 kind=disk $2" >$here/new
        mv $here/new $here/block.$1
}

for h in nas-net nas-raid nas-fs nas-share nas-speed; do
        mv $here/$h $here/$h.real
        printf '#!/bin/bash\nuntil [ -e %s/go ]; do sleep 0.1; done\nexec %s/%s.real "$@"\n' $here $here $h >$here/$h
done
# watch tells the block of each file as it comes; blink lights a lamp.
cat >$here/nas-disk <<END
#!/bin/bash
case \$1 in
watch)
        echo \$\$ >$here/watch.pid
        for i in 1 2 3 4; do
                until [ -e $here/block.\$i ]; do sleep 0.1; echo "# still here" || exit; done
                cat $here/block.\$i && echo listed
        done
        while echo "# still here"; do sleep 0.2; done ;;
blink)
        trap 'rm -f $here/lamp; exit 0' TERM
        touch $here/lamp
        for i in \$(seq 200); do sleep 0.1; done ;;
esac
END
chmod +x $here/nas-*

T -f /dev/null new-session -d -x 80 -y 25 'bash --norc --noprofile'
start() { rm -f $here/block.* $here/go $here/watch.pid; T send-keys -l "clear; LC_ALL=C.UTF-8 $here/nas-setup; echo en''ded"; T send-keys Enter; }

start
expect "the first frame comes before any helper has answered" "Looking at this computer"
t "it says what is not known yet" shows "looking …"
T send-keys Enter
expect "Enter waits with a word" "Still looking at this computer"
block 1 "holds=looking state=looking"
touch $here/go
expect "then it can begin" "[ Begin ]"
screen
T send-keys Enter; expect "the network" "Which port connects"
T send-keys Enter; expect "the disks" "Which disks will hold"
expect "a disk that is looked at is shown so" "asking looking"
screen
T send-keys Enter; expect "Enter waits for it" "still being looked at"
block 2 "holds=looking state=failing why=silent"
expect "a disk that hangs is shown so" "SILENT"
block 3 "holds=blank state=good"
expect "what is known in the end" "1 disk chosen"
screen
T send-keys F2; t "its lamp" wait_for 5 test -e $here/lamp
expect "that is said" "Its light blinks"
T send-keys F2; t "and off" wait_for 5 test ! -e $here/lamp
T send-keys F2; wait_for 5 test -e $here/lamp
echo >$here/block.4
expect "a disk that went is said" "sda was unplugged"
screen
T send-keys F10; wait_for 2 shows "Leave NAS setup" && T send-keys Right Enter
wait_for 10 shows ended && ok "leaving does not wait for helpers" || { not_ok "leaving"; screen; }
t "the lamp is off" wait_for 5 test ! -e $here/lamp
gone() { ! kill -0 "$(cat $here/watch.pid)" 2>/dev/null; }
t "the watch ended with it" wait_for 5 gone

start
wait_for 10 test -s $here/watch.pid
kill -9 "$(pgrep -x nas-setup)"
t "the watch ends with a wizard that is killed too" wait_for 5 gone
finish
