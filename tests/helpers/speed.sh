#!/bin/bash
# nas-speed on made-up trees: limits of ports, wrong calls, and a real run on a folder in memory. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
speed=${BUILD:-build/plain}/nas-speed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

port() { # NAME MAC SPEED
        mkdir -p "$root/sys/class/net/$1/device"
        echo "$2" >"$root/sys/class/net/$1/address"
        [ -z "$3" ] || echo "$3" >"$root/sys/class/net/$1/speed"
}
port enp2s0 52:54:00:00:00:01 1000
port enp10s0 52:54:00:00:00:02 2500
port enp3s0 52:54:00:00:00:03 -1
port vec0 52:54:00:00:00:04 ''
port odd0 52:54:00:00:00:05 4294967295
mkdir -p "$root/sys/class/net/lo"
is "limits" "$("$speed" --root "$root" list)" "$(cat <<'END'
limit port=52:54:00:00:00:01 name=enp2s0 line=125000000 smb=118000000
limit port=52:54:00:00:00:03 name=enp3s0
limit port=52:54:00:00:00:02 name=enp10s0 line=312500000 smb=295000000
limit port=52:54:00:00:00:05 name=odd0
limit port=52:54:00:00:00:04 name=vec0
result changed=no
END
)"

mkdir -p "$root/proc/self"
echo "36 25 9:127 / /srv/public rw - ext4 /dev/md127 rw" >"$root/proc/self/mountinfo"
echo '40 25 9:126 / /srv/my\040films rw - ext4 /dev/md126 rw' >>"$root/proc/self/mountinfo"
is "a folder with a blank in its name" "$("$speed" --root "$root" run "mount=/srv/my films" 2>/dev/null | sed -n 's/^error code=\([a-z-]*\).*/\1/p')" ''
while IFS='|' read -r want args; do
        # shellcheck disable=SC2086 # arguments are words
        out=$("$speed" --root "$root" run $args 2>/dev/null)
        is "call: $args" "$? $(sed -n 's/^error code=\([a-z-]*\).*/\1/p' <<<"$out")" "$want"
done <<'END'
0 |mount=/srv/public
0 |mount=/srv/public share=public address=192.168.1.10 test=full
3 not-mounted|mount=/srv/other
2 usage|
2 usage|mount=srv
2 usage|mount=/srv/public test=slow
2 usage|mount=/srv/public seconds=99
2 usage|mount=/srv/public seconds=1
2 usage|mount=/srv/public share=a/b
2 usage|mount=/srv/public address=nas
END

verb() { "$speed" --root "$root" "$@" 2>/dev/null | sed -n 's/^\(error code=[a-z-]*\|estimate .*\|result .*\).*/\1/p' | xargs; }
is "the table tells its time first" "$(verb table mount=/srv/public)" "estimate seconds=43 result changed=no"
mkdir -p "$root/var/lib/nas-setup"
cat >"$root/var/lib/nas-setup/speed" <<'END'
tested at=2026-03-01T10:00:00Z mount=/srv/public test=full
speed what=array-write name=md127 rate=20000000 error=2 block=1048576 depth=4
speed what=array-read name=md127 rate=40000000 error=2 block=1048576 depth=4
END
is "by what an earlier test found" "$(verb table mount=/srv/public)" "estimate seconds=159 result changed=no"
is "nothing mounted, no table" "$(verb table mount=/srv/other)" "error code=not-mounted"
is "no port has that address" "$(verb live address=192.0.2.77)" "error code=no-port"

# What a killed test left in this tree: one array that still is as the test made it, one that somebody set since.
for md in md127 md126 md125; do mkdir -p "$root/sys/block/$md/md"; done
echo "1000 (local)" >"$root/sys/block/md127/md/sync_speed_max"
echo "5000 (local)" >"$root/sys/block/md126/md/sync_speed_max"
mkdir -p "$root/run/nas-setup"
touch "$root/run/nas-setup/speed.lock"
cat >"$root/run/nas-setup/speed.sync" <<'END'
sync name=md127 was=system
sync name=md126 was=system
sync name=../../../etc was=system
END
"$speed" --root "$root" list >/dev/null
is "the next start puts back what is still as the test made it" "$(head -c 6 "$root/sys/block/md127/md/sync_speed_max") $(cat "$root/sys/block/md126/md/sync_speed_max")" \
        "system 5000 (local)"
is "once" "$(ls "$root/run/nas-setup" | grep -c sync)" 0
finish
