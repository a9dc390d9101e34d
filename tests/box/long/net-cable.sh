#!/bin/bash
# Cables that are put in and pulled out, speeds, the light of a port, and whether a port without a cable holds up the boot:
# the box's system with systemd-networkd in QEMU, which has what User-Mode Linux has not. Ports of three makes; the kernel is
# Debian's, downloaded once. Runs outside first, which starts this same file in the guest at each of its two boots; lines
# "host WORDS" of the guest go to QEMU's monitor. Without QEMU (qemu-system-x86, no part of tests/packages-test: it is 300 MB
# with what it needs) or a kernel it is skipped, and says so.
A=52:54:00:77:00:01 B=52:54:00:77:00:02 C=52:54:00:77:00:03 D=52:54:00:77:00:04
if [ "$1" != inside ]; then
        cd "$(dirname "$0")/.." || exit 1
        . ../lib.sh
        . ./qemu.sh
        built=$PWD/../../${BUILD-build/plain}
        work=$(mktemp -d /tmp/nas-net-cable.XXXXXX)
        trap 'rm -rf "$work"' EXIT

        skip_all() { skip "ports with cables" "$*"; finish; exit; }
        qemu_kernel || skip_all "$why"

        # What starts the system: modules in the order in which they need each other, our program, this script.
        tree=$work/tree
        mkdir -p "$tree"/{bin,modules,put,proc,sys,dev,mnt}
        cp "$from/bin/busybox" "$tree/bin"
        qemu_modules "$tree/modules" virtio_pci virtio_blk ext4 crc32c_generic virtio_net e1000 8139cp
        cp "$built/nas-net" ../lib.sh long/net-cable.sh "$tree/put"
        cat >"$tree/put/net-cable.service" <<'U'
[Unit]
Description=The cables are tried
After=systemd-networkd.service systemd-udev-settle.service
Wants=systemd-networkd.service systemd-udev-settle.service
[Service]
ExecStart=/bin/bash /root/net-cable.sh inside
U
        printf '[Match]\nPermanentMACAddress=%s %s %s\n\n[Network]\nDHCP=ipv4\n' $A $B $C >"$tree/put/20-wired.network"
        cat >"$tree/init" <<'I'
#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
while read -r m; do insmod /modules/$m; done </modules/order
until mount -t ext4 /dev/vda /mnt 2>/dev/null; do sleep 1; done
cd /put
cp nas-net /mnt/usr/sbin/
cp lib.sh net-cable.sh /mnt/root/
s=/mnt/etc/systemd/system
cp net-cable.service $s/
mkdir -p $s/multi-user.target.wants
ln -sf ../net-cable.service $s/multi-user.target.wants/
for u in systemd-networkd.service systemd-networkd-wait-online.service; do ln -sf /lib/systemd/system/$u $s/multi-user.target.wants/; done
for u in ifupdown-pre networking smbd nmbd winbind wsdd2 avahi-daemon smartmontools mdmonitor; do ln -sfn /dev/null $s/$u.service; done
cp 20-wired.network /mnt/etc/systemd/network/
echo "# the ports are networkd's" >/mnt/etc/network/interfaces
echo "/dev/vda / ext4 errors=remount-ro 0 1" >/mnt/etc/fstab
umount /proc /sys
mount --move /dev /mnt/dev
exec switch_root /mnt /sbin/init
I
        chmod 755 "$tree/init"
        (cd "$tree" && find . | "$from/bin/busybox" cpio -o -H newc 2>/dev/null | gzip -1) >"$work/initrd"

        image=$(./images | tail -n 1)
        mkfifo "$work/monitor.in" "$work/monitor.out"
        exec 7<>"$work/monitor.in" 8<>"$work/monitor.out"
        cat <&8 >"$work/monitor.log" &
        reader=$!
        trap 'kill $reader; rm -rf "$work"' EXIT
        port() { echo "-netdev user,id=n$1,net=192.168.77.0/24,dhcpstart=192.168.77.100,restrict=on -device $2,id=p$1,netdev=n$1,mac=$3,romfile="; }
        printf 'set_link p%s off\n' 2 3 4 >&7
        # shellcheck disable=SC2046 # options are words
        while IFS= read -r line; do
                line=${line%$'\r'}
                case $line in
                'host '*) echo "${line#host }" >&7 ;;
                'ok '* | 'not ok '* | 'skip '* | '# '* | '    '*) echo "$line" ;;&
                'ok '*) passed=$((passed + 1)) ;;
                'not ok '*) failed=$((failed + 1)) ;;
                'all was tried') complete=yes ;;
                esac
        done < <(timeout "${LIMIT:-1200}" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -smp 2 -m 768 -nodefaults -display none \
                -kernel "$from/boot/vmlinuz-$version" -initrd "$work/initrd" \
                -append "console=ttyS0 systemd.unit=multi-user.target systemd.mask=box-job.service" \
                -serial "file:$work/console" -serial stdio -chardev "pipe,id=monitor,path=$work/monitor" -mon chardev=monitor \
                -drive "file.filename=$image,file.locking=off,format=raw,if=virtio,snapshot=on" \
                $(port 1 e1000 $A) $(port 2 virtio-net-pci $B) $(port 3 rtl8139 $C) $(port 4 e1000 $D) 2>"$work/qemu.log")
        is "both boots came to their end" "$complete" yes
        [ "$complete" = yes ] || tail -n 30 "$work/console" "$work/qemu.log" | sed 's/^/    /'
        finish
        exit
fi

exec >/dev/ttyS1 2>&1
. /root/lib.sh
port_of() { nas-net list | sed -n "s/^port name=\([^ ]*\) mac=$1 .*/\1/p"; }
a=$(port_of $A) b=$(port_of $B) c=$(port_of $C) d=$(port_of $D)
value() { sed -n "s/^port name=$1 .* $2=\([^ ]*\).*/\1/p"; }
keys() { # LIST NAME KEY…
        local list=$1 name=$2 key value
        shift 2
        for key; do value=$(value "$name" "$key" <<<"$list") && echo -n "${value:--} "; done
}
link() { echo "host set_link p$1 $2"; } # the cable of port 1, 2 …: on or off
has_lease() { [[ $(ip -4 -o addr show dev "$a") = *192.168.77.1* ]]; }
state() { echo "$(cat "/sys/class/net/$1/flags" "/sys/class/net/$1/statistics/tx_packets" | paste -sd' ') $(ip -o addr show dev "$1")"; }
last() { grep "^port name=$d " /tmp/watch | tail -n 1 | sed 's/.* \(carrier=[a-z]*\) .*/\1/'; }
tells() { [ "$(last)" = "carrier=$1" ]; }
seconds() { local from=$EPOCHREALTIME; "$@" >/tmp/out 2>&1; awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN {printf "%d\n", b - a + 0.5}'; }
waits() { systemctl show -P ActiveState systemd-networkd-wait-online; }

if [ ! -e /root/second ]; then
        wait_for 60 has_lease
        is "ports without a cable hold up the boot" "$(waits)" activating
        list=$(nas-net list)
        is "a gigabit card with its cable" "$(keys "$list" "$a" kind bus carrier speed maxspeed duplex driver)" "wired pci yes 1000 1000 full e1000 "
        is "a virtio card without" "$(keys "$list" "$b" kind bus carrier speed maxspeed duplex driver)" "wired pci no - - - virtio_net "
        is "a slow card without, and what it could do" "$(keys "$list" "$c" carrier speed maxspeed peerspeed duplex driver)" "no - 100 - - 8139cp "
        is "a port that is down: nobody knows" "$(keys "$list" "$d" carrier up speed maxspeed)" "unknown no - 1000 "
        link 2 on
        link 3 on
        plugged() { list=$(nas-net list); [ "$(keys "$list" "$b" carrier)$(keys "$list" "$c" carrier)" = "yes yes " ]; }
        wait_for 10 plugged
        is "cables are put in; the other end of one is no faster" "$(keys "$list" "$b" carrier)$(keys "$list" "$c" carrier speed peerspeed duplex)" "yes yes 100 100 full "
        link 2 off
        link 3 off
        pulled() { list=$(nas-net list); [ "$(keys "$list" "$b" carrier)$(keys "$list" "$c" carrier)" = "no no " ]; }
        wait_for 10 pulled
        is "and pulled out" "$(keys "$list" "$b" carrier speed)$(keys "$list" "$c" carrier speed peerspeed duplex)" "no - no - - - "

        took=$(seconds nas-net look)
        is "look: no cable in the port that is down" "$(keys "$(cat /tmp/out)" "$d" carrier up) $(state "$d")" "no no  0x1002 0 "
        t "after $took s" test "$took" -le 6
        nas-net watch >/tmp/watch 2>&1 &
        watch=$!
        t "watch: not yet" wait_for 10 tells no
        link 4 on
        t "the cable comes" wait_for 10 tells yes
        link 4 off
        t "and goes" wait_for 10 tells no
        link 4 on
        t "and comes" wait_for 10 tells yes
        kill $watch
        is_down() { [ "$(cat "/sys/class/net/$d/flags")" = 0x1002 ]; }
        t "the port is down again" wait_for 5 is_down
        is "and never said a word" "$(state "$d")" "0x1002 0 "
        took=$(seconds nas-net look)
        is "look: its cable" "$(keys "$(cat /tmp/out)" "$d" carrier speed duplex up) $(state "$d")" "yes 1000 full no  0x1002 0 "
        t "after $took s" test "$took" -le 6
        link 4 off
        took=$(seconds nas-net blink port=$A seconds=2)
        is "the lamp blinks" "$(cat /tmp/out)" "result changed=no"
        t "for $took of 2 s" test "$took" -ge 2
        is "also of a port that is down" "$(nas-net blink port=$D seconds=1) $(state "$d")" "result changed=no 0x1002 0 "
        is "virtio has none" "$(nas-net blink port=$B 2>/dev/null | grep -o 'code=[a-z-]*')" code=no-lamp

        is "one fixed address" "$(nas-net static port=$A address=192.168.77.10/24 gateway=192.168.77.2 name=nas others=off 2>&1 | sed 's/ off=.*//')" \
                "result changed=yes name=$a stack=networkd address=192.168.77.10/24"
        touch /root/second
        systemctl --no-block reboot
        exit
fi

ended() { [ "$(waits)" = active ]; }
t "case N09: with them off the boot goes on" wait_for 60 ended
held=$(($(systemctl show -P ExecMainExitTimestampMonotonic systemd-networkd-wait-online) - $(systemctl show -P ExecMainStartTimestampMonotonic systemd-networkd-wait-online)))
t "after $((held / 1000000)) s" test $held -lt 30000000
off() { for p in $b $c $d; do state "$p"; done | sort -u; }
is "the others are off, and have said nothing since the power came on" "$(off)" "0x1002 0 "
for i in 2 3 4; do link $i on; done
sleep 5 # nothing shall happen: there is no condition to wait for
is "case N17: also with their cables in" "$(off)" "0x1002 0 "
is "the address is there" "$(ip -4 -o addr show scope global | awk '{print $2, $4}')" "$a 192.168.77.10/24"
link 1 off
pulled() { [ "$(nas-net list | value "$a" carrier)" = no ]; }
t "its cable is pulled" wait_for 10 pulled
is "check says why nobody was asked" "$(nas-net check port=$A address=192.168.77.20/24 | head -n 1)" "check what=address value=192.168.77.20 state=untested why=no-cable"
link 1 on
back() { [ "$(nas-net list | value "$a" carrier)" = yes ]; }
t "and put in again" wait_for 10 back
has_address() { [ "$(ip -4 -o addr show scope global | awk '{print $2, $4}')" = "$a 192.168.77.10/24" ]; }
t "the address comes back" wait_for 30 has_address # networkd asks anew whether it is free
echo "all was tried"
systemctl --no-block poweroff
