#!/bin/bash
# box: --variant net --disk 4T --disk 4T --nic cable --nic cable --seconds 900
# The screens over ssh, from a computer on the LAN. The new address ends its connection. Nobody answers: the old network is
# back, and so is the connection. The wizard is killed, ssh is killed: the same. No disk was touched. Then somebody comes to
# the new address, says Keep, and it goes on to the end.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
export LC_ALL=C.UTF-8 TERM=xterm
lease=$(ip -4 -o addr show dev eth0 | awk '{print $4}')
sums() { find /etc/network /etc/hosts /etc/hostname /etc/systemd/system -type f -exec sha256sum {} + | sort; }
before=$(sums)
is_back() { [ "$(sums)" = "$before" ] && [ "$(pgrep -c dhclient)" = 1 ] && ! pgrep -f 'nas-net recover' && ip -4 -o addr show dev eth0 | grep -q "$lease"; }
untouched() { [ "$(wipefs -n /dev/sda /dev/sdb)" = '' ] && ! grep -q 'step=disks' /var/lib/nas-setup/journal; }
by_ssh() { # ADDRESS: a terminal on the LAN, where somebody starts the wizard
        T kill-server 2>/dev/null
        wait_for 5 eval '! pgrep -x "tmux: server"'
        T -f /dev/null new-session -d -x 80 -y 25 "lan ssh -tt -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR root@$1 nas-setup; echo left; sleep 900"
}
lan_pings() { lan ping -c 1 -W 1 "$1"; }
on_trial() { nas-net list | grep -q '^host.* trial=192.168.77.10/24'; }
has_left() { ! pgrep -f 'nas-setup --resume'; }

mkdir -p /run/sshd /root/.ssh
ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
cp /root/.ssh/id_ed25519.pub /root/.ssh/authorized_keys
printf '%s\n' 'AcceptEnv LC_*' 'PermitRootLogin yes' 'StrictModes no' >/tmp/sshd_config
/usr/sbin/sshd -f /tmp/sshd_config || not_ok "sshd"

by_ssh "${lease%/*}"
sees "over ssh, from 192.168.77.50"
sees "[ Begin ]"
T send-keys Enter
sees "Over ssh: the change takes itself back"
T send-keys Tab Tab Tab
T send-keys C-u 192.168.77.10/24 Enter
for title in "Which disks" "protect your files" "What should people"; do
        sees "$title"
        T send-keys Enter
done
sees "changed yet"
t "it is asked for a yes" eval 'screen | tr -s " \n" " " | grep -q "over ssh"' || screen
T send-keys Enter
t "the new address is on trial" wait_for 60 on_trial
t "the old one is gone, so is what ssh showed" eval '! lan_pings "${lease%/*}" && lan_pings 192.168.77.10'
t "nobody answers: the network is back" wait_for 120 is_back
t "no disk was touched" untouched
t "ssh goes on, and says so" wait_for 150 shows "was not kept" || screen
wait_for 20 has_left
is "the journal says why" "$(sed -n '$s/^failed step=network.* code=\([a-z-]*\).*/\1/p' /var/lib/nas-setup/journal)" taken-back

again() { # comes to the old address and goes on there, until the new one is on trial
        by_ssh "${lease%/*}"
        wait_for 30 shows "Go on" && T send-keys Enter && wait_for 60 on_trial || screen
}
t "resume asks once more" again
kill -KILL "$(pgrep -x -o nas-setup)"
t "the wizard is killed: the network is back" wait_for 120 is_back
t "no disk was touched then" untouched
wait_for 20 has_left

t "resume again" again
pkill -KILL -x ssh
pkill -KILL -f 'sshd: root@'
t "ssh is killed at both ends: the network is back" wait_for 120 is_back
t "no disk was touched even then" untouched
wait_for 20 has_left

t "resume a third time" again
by_ssh 192.168.77.10 # the wizard that ssh showed to nobody any more makes way
t "somebody comes to the new address and is asked" wait_for 40 shows "Keep it?" || screen
T send-keys Enter
t "it goes on to the end" wait_for 300 shows "Your NAS is ready" || screen
is "the change is kept" "$(nas-net confirm | sed 's/ address.*//')" "result changed=no"
T send-keys Enter
nas_is raid1 public
T kill-server
finish
