#!/bin/bash
# box: --disk 4T,serial=A --disk 4T,serial=B --nic cable --nic cable
# A change of the network on trial: kept, or taken back by itself, whoever is killed. Its plan touches no disk before.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
RANDOM=${SEED:=$$}
echo "# SEED=$SEED"

A=$(cat /sys/class/net/eth0/address)
unit=/etc/systemd/system/nas-net-recover.service wanted=/etc/systemd/system/multi-user.target.wants/nas-net-recover.service
sums() { find /etc/network /etc/hosts /etc/hostname /etc/systemd/system -exec stat -c '%n %a %u %g %N' {} + -type f -exec sha256sum {} + | sort; }
global() { ip -4 -o addr show dev "$1" | awk '{print $4}' | paste -sd' '; }
# set ADDRESS [trial=N]; with the address of the lease nobody is asked for 3.5 s whether it is free
set_to() { nas-net static "port=$A" "address=$1" gateway=192.168.77.50 name=nas others=off "${@:2}"; }
code() { sed -n 's/^error code=\([a-z-]*\).*/\1/p'; }
guards() { pgrep -fc 'nas-net recover stay=yes'; }
trial() { nas-net list | sed -n 's/^host.* trial=\([^ ]*\).*/\1/p'; }
on_trial() { [ "$(trial)" != '' ]; }
# nothing where all is as it was, else what is not
amiss() {
        sums | diff /tmp/before -
        [[ $(global eth0) == 192.168.77.1??/24 ]] || echo "address $(global eth0)"
        local now
        now="$(ip route show default | wc -l) $(pgrep -c dhclient) $(hostname) $(nas-net list | sed -n 's/^port name=eth0.* method=\([a-z]*\).*/\1/p')"
        [ "$now" = "1 1 $host dhcp" ] || echo "routes, clients, name, method: $now"
}
is_back() { [ "$(amiss)" = '' ] && [ "$(guards)" = 0 ]; }
back() { wait_for 40 is_back || { amiss; guards; return 1; }; } # by itself

lan_ifup
sums >/tmp/before
host=$(hostname) lease=$(global eth0)
out=$(set_to 192.168.77.10/24 trial=2)
is "on trial" "$(sed -n 's/^result.*\(changed=yes\).* \(trial=.\).*/\1 \2/p' <<<"$out")" "changed=yes trial=2"
is "who takes it back: a process and a unit" "$(guards) $(readlink $wanted)" "1 $unit"
is "nobody confirmed" "$(nas-net wait 2>&1 | code)" taken-back
is "everything is as before" "$(amiss)" ""
is "too late" "$(nas-net confirm 2>&1 | code)" no-trial

set_to "$lease" trial=60 >/dev/null &
pid=$!
wait_for 20 test -e /etc/network/interfaces.d/nas-setup
pkill -KILL -f '^nas-net static'
wait $pid 2>/dev/null
t "killed while it is made: taken back at once" back

T -f /dev/null new-session -d -x 80 -y 25 "nas-net static port=$A address=$lease gateway=192.168.77.50 trial=4"
wait_for 20 test -e /etc/network/interfaces.d/nas-setup
T kill-server
t "its terminal dies: it goes on" wait_for 20 on_trial
t "and is taken back" back

set_to "$lease" trial=2 >/dev/null
is "still on trial" "$(set_to "$lease" trial=2 | sed -n 's/^result \(changed=no\).* trial=[12]$/\1/p')" changed=no
while [ "$(nas-net list | sed -n 's/^host.* left=\([0-9]*\)$/\1/p')" = 2 ]; do :; done
sleep "0.$((40 + RANDOM % 60))"
out=$(nas-net confirm 2>&1 | sed -n 's/^result changed=\(yes\).*\|^error code=\([a-z-]*\).*/\1\2/p')
wait_for 20 eval '! on_trial && [ "$(guards)" = 0 ]'
echo "# confirmed at the last moment: $out"
case $out in
yes) is "confirmed at the last moment: it stays" "$(amiss | tail -n 1)" "routes, clients, name, method: 1 0 nas static" ;;
*) is "confirmed too late: $out" "$out $(amiss)" "no-trial " ;;
esac
nas-net undo >/dev/null

# The files are as wanted, but somebody has come over what is set by hand.
set_to "$lease" >/dev/null
ip addr flush dev eth0
ip addr add 192.168.77.77/24 dev eth0
ip route add default via 192.168.77.50
is "only the ports are otherwise: on trial all the same" "$(set_to "$lease" trial=2 | sed -n 's/^result.*\(changed=yes\).* \(trial=.\).*/\1 \2/p') $(global eth0)" \
        "changed=yes trial=2 $lease"
is "nobody confirmed that" "$(nas-net wait 2>&1 | code)" taken-back
is "the ports are as before" "$(global eth0) $(ip route show default | grep -o 'via [^ ]*')" "192.168.77.77/24 via 192.168.77.50"
nas-net undo >/dev/null
is "and undo still has the files before" "$(amiss)" ""

# A plan of somebody who came over the network.
echo 'speed test=none' >/tmp/answers
nas-setup --answers /tmp/answers --print-plan | sed 's/ trial=60$//; /^nas-net verb=wait/d' |
        sed '/^nas-net verb=static/{s/$/ trial=3/;a nas-net verb=wait client=192.168.77.50
        }' >/tmp/plan
untouched() { [ "$(wipefs -n /dev/sda /dev/sdb)" = '' ] && ! grep -q 'step=disks' /var/lib/nas-setup/journal; }
exec 9>/run/nas-setup/wizard.lock
flock 9 # as the screens do
nas-setup --apply /tmp/plan >/tmp/out 2>&1 9>&-
is "a plan that nobody confirms ends" "$? $(tail -n 1 /var/lib/nas-setup/journal | sed -n 's/^\(failed step=network\).* \(code=[a-z-]*\).*/\1 \2/p')" \
        "1 failed step=network code=taken-back"
t "its time was counted down" grep -q '^progress done=2 total=3 what=trial step=network' /tmp/out
is "everything is as before it" "$(amiss)" ""
t "no disk was touched" untouched
nas-setup --resume >/tmp/out 2>&1 9>&- &
pid=$!
wait_for 30 on_trial
kill -9 $pid
pkill -KILL -f 'nas-net .*wait'
t "killed in the trial: taken back" back
t "and no disk was touched" untouched
flock -u 9
nas-setup --resume >/tmp/out 2>&1 &
pid=$!
t "alone, and the client answers: it goes on" wait_for 60 grep -q '^begun step=disks' /tmp/out
is "the change is kept" "$(nas-net confirm | sed 's/ address.*//')" "result changed=no"
kill -9 $pid
is "nobody is left" "$(wait_for 5 eval '[ "$(guards)" = 0 ]' && find /etc/systemd -name '*recover*')" ""
t "undo after that" wait_for 30 nas-net undo # once what the plan began has ended
is "everything is as before that" "$(amiss)" ""
finish
