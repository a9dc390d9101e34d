#!/bin/bash
# box: --disk 4T --disk 4T --nic cable --nic cable --seconds 600
# The screens, over the network: a new address is on trial. The wizard is killed, its terminal goes away, nobody answers: the
# old network is back and no disk was touched. Then somebody says Keep, and it goes on to the end.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8
lease=$(ip -4 -o addr show dev eth0 | awk '{print $4}')
export SSH_CONNECTION="192.168.77.50 50000 ${lease%/*} 22"
sums() { find /etc/network /etc/hosts /etc/hostname /etc/systemd/system -type f -exec sha256sum {} + | sort; }
before=$(sums)
is_back() { [ "$(sums)" = "$before" ] && [ "$(pgrep -c dhclient)" = 1 ] && ! pgrep -f 'nas-net recover' && ip -4 -o addr show dev eth0 | grep -q '192.168.77.1..'; }
untouched() { [ "$(wipefs -n /dev/sda /dev/sdb)" = '' ] && ! grep -q 'step=disks' /var/lib/nas-setup/journal; }
begin() { T -f /dev/null new-session -d -x 80 -y 25 'nas-setup; echo "left with $?"; sleep 600'; }

begin
for title in "becomes a file server" "Which port" "Which disks" "protect your files" "What should people" "changed yet"; do
        wait_for 30 shows "$title" || { not_ok "the screen: $title"; screen; }
        T send-keys Enter
done
wait_for 60 shows "Keep it?" || { not_ok "the question"; screen; }
kill -KILL "$(pgrep -x -o nas-setup)"
t "the wizard is killed: the network is back" wait_for 120 is_back
t "and no disk was touched" untouched
T kill-server
wait_for 20 eval '! pgrep -f "nas-setup --resume"'
is "the journal says why" "$(sed -n '$s/^failed step=network.* code=\([a-z-]*\).*/\1/p' /var/lib/nas-setup/journal)" taken-back

nas_again() { begin; wait_for 30 shows "Go on" && T send-keys Enter && wait_for 60 shows "Keep it?" || screen; }
t "resume asks once more" nas_again
T kill-server
t "the terminal is gone: the network is back" wait_for 120 is_back
t "and no disk was touched then" untouched
wait_for 20 eval '! pgrep -f "nas-setup --resume"'
t "resume again" nas_again
T send-keys Enter
t "it goes on to the end" wait_for 200 shows "Your NAS is ready"
is "the change is kept" "$(nas-net confirm | sed 's/ address.*//')" "result changed=no"
T send-keys Enter
nas_is raid1 public
T kill-server
finish
