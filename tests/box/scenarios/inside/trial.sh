# The power fails while a change of the network is on trial, with /var/lib on a file system of its own.
# The state before is kept on the root file system; what the trial needs must have made itself durable.
. /box/share/lib.sh

sums() { find /etc/network /etc/hosts /etc/hostname /etc/systemd/system -exec stat -c '%n %a %u %g %N' {} + -type f -exec sha256sum {} + | sort; }
global() { ip -4 -o addr show dev "$1" | awk '{print $4}' | paste -sd' '; }
leased() { [[ $(global eth0) == 192.168.77.1??/24 ]]; }
t "a lease" wait_for 60 leased

if [ ! -e /root/before ]; then
        mke2fs -q -t ext4 -E nodiscard /dev/sda 1G && mount /dev/sda /mnt && cp -a /var/lib/. /mnt/ && umount /mnt && mount /dev/sda /var/lib
        echo '/dev/sda /var/lib ext4 defaults 0 2' >>/etc/fstab
        sums >/root/before
        hostname >>/root/before
        sync
        t "a change on trial" nas-net static "port=$(cat /sys/class/net/eth0/address)" address=192.168.77.10/24 \
                gateway=192.168.77.50 name=other others=off trial=60
        is "the new address" "$(global eth0) $(hostname)" "192.168.77.10/24 other"
        t "who takes it back is of no session" grep -q '/run-.*\.service$' "/proc/$(pgrep -f 'recover stay=yes')/cgroup"
        finish
        echo "CUT NOW"
        sleep 60
fi
is "/var/lib is a file system of its own" "$(findmnt -no SOURCE /var/lib)" /dev/sda
is "every file is back, and the name" "$(sums; hostname)" "$(cat /root/before)"
is "it was taken back before the network began" "$(journalctl -b -o cat -u nas-net-recover.service | grep -c '^Finished')$(journalctl -b -o cat |
        grep -m 1 -oE '^(Finished nas-net-recover|Starting networking)')" "1Finished nas-net-recover"
is "it is said" "$(nas-net wait 2>&1 | sed -n 's/^error code=\([a-z-]*\).*/\1/p')" taken-back
is "nothing of the unit is left" "$(find /etc/systemd -name '*recover*')" ""
is "nothing failed at the start" "$(systemctl --failed --plain --no-legend)" ""
is "one default route" "$(ip route show default | wc -l)" 1
is "the port asks for its address" "$(pgrep -c dhclient) $(systemctl is-active ifup@eth0)" "1 active"
finish
