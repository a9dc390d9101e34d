#!/bin/bash
# box: --disk 40G --disk 40G --nic cable --nic cable --seconds 400
# No file of the system is ever torn: each is written beside its place, flushed, renamed into it, and its folder flushed, in
# this order. Seen by what nas-setup and its helpers ask of the kernel during a whole apply.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"
lan_ifup
modes=$(stat -c '%n %a %U' /etc/fstab /etc/mdadm/mdadm.conf /etc/samba/smb.conf /etc/network/interfaces)
echo 'speed test=none' >/tmp/answers
strace -f -y -qq -e trace=fsync,rename,renameat,renameat2,openat,truncate,ftruncate -e signal=none -o /tmp/trace \
        nas-setup --apply /tmp/answers >/tmp/out 2>&1 &
# strace would also wait for the smbd that was started.
t "the apply ends well" wait_for 200 grep -q '^summary' /tmp/out
pkill -x strace

whole() { # FILE: for every rename onto it
        awk -v f="$1" '
                BEGIN {dir = f; sub("/[^/]*$", "", dir); bad = 1}
                /fsync\(/ {split($0, p, "[<>]"); synced[p[2]] = 1; if (waiting && p[2] == dir) {waiting = 0; bad = 0}}
                /rename/ && index($0, "\"" f "\"") {
                        split($0, q, "\""); if (!synced[q[2]]) {print "renamed without a flush: " $0; exit 1}
                        waiting = 1; bad = 0
                }
                END {if (bad) print "never renamed into its place"; if (waiting) print "its folder was not flushed"; exit bad || waiting}
        ' /tmp/trace
}
for f in /etc/fstab /etc/mdadm/mdadm.conf /etc/samba/smb.conf /etc/network/interfaces /etc/network/interfaces.d/nas-setup \
        /var/lib/nas-setup/plan /var/lib/nas-setup/journal /etc/resolv.conf; do
        t "$f is the old or the new one at every moment" whole "$f"
        is "$f is never opened for writing in its place" \
                "$(grep -F "\"$f\"" /tmp/trace | grep openat | grep -E 'O_WRONLY|O_RDWR' | grep -vc 'O_APPEND')" 0
done
is "modes and owners are kept" "$(stat -c '%n %a %U' /etc/fstab /etc/mdadm/mdadm.conf /etc/samba/smb.conf /etc/network/interfaces)" "$modes"
finish
