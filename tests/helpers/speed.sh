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
finish
