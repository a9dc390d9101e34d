#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --disk 4T,serial=C --nic cable --nic cable --seconds 400
# nas-setup --apply is killed at the begin and in the middle of every step, and applied again each time: in the end it is the
# NAS of an undisturbed run, with the identities of the first plan. One disk carries an old array that runs and has to be
# cleared away. The moments are drawn from SEED.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
RANDOM=${SEED:=$$}
echo "# SEED=$SEED"
mdadm --create /dev/md127 --run --level=1 --raid-devices=2 --homehost=oldbox --name=photos /dev/sdc missing 2>/dev/null
mke2fs -q -t ext4 -E nodiscard /dev/md127 1G 2>/dev/null
udevadm settle
printf 'disks use=A,B,C erase=C\nspeed test=none\n' >/tmp/answers

kill_in() { # STEP MS: 0 where it was killed there
        local pid
        nas-setup --apply /tmp/answers >/tmp/out 2>&1 &
        pid=$!
        wait_for 150 grep -q "^begun step=$1 " /tmp/out || { cat /tmp/out; return 1; }
        sleep "$(awk -v n="$2" 'BEGIN {print n / 1000}')"
        kill -9 $pid 2>/dev/null
        wait $pid 2>/dev/null
        return 0
}
for step in network clear disks array files mount share; do
        t "killed at the begin of $step" kill_in $step 0
        [ -n "${plan_id-}" ] || plan_id=$(field id "$(head -n 1 $plan)")
        ms=$((RANDOM % 2500 + 50))
        t "killed $ms ms into $step" kill_in $step $ms
done
nas-setup --apply /tmp/answers >/tmp/out 2>&1
is "applied once more: status" $? 0
is "it is the first plan still" "$(field id "$(head -n 1 $plan)")" "$plan_id"
nas_is raid5 public
share_is_empty
is "and again: nothing is left to do" "$(nas-setup --apply /tmp/answers | grep '^done' | grep -vc 'changed=no')" 0
finish
