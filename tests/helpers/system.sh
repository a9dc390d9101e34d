#!/bin/bash
# nas-system on made-up trees: what kind of computer, its zone, its keyboard, what makes it sleep, and setting these. No root.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
system=${BUILD:-build/plain}/nas-system
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
code() { out=$("$@" 2>/dev/null); echo "$? $(sed -n 's/^error code=\([a-z-]*\).*/\1/p' <<<"$out")"; }
call() { "$system" --root "$root" "$@" 2>&1; }

# tree: a laptop with a desktop, as Debian's installer leaves it
tree() {
        rm -rf "$root"
        mkdir -p "$root"/{etc/default,etc/systemd/system,proc/acpi/button/lid/LID0,sys/class/dmi/id,usr/share/zoneinfo/Europe}
        touch "$root/usr/share/zoneinfo/Europe/Berlin"
        echo Etc/UTC >"$root/etc/timezone"
        ln -s /usr/share/zoneinfo/Etc/UTC "$root/etc/localtime"
        printf '# KEYBOARD\n\nXKBMODEL="pc105"\nXKBLAYOUT="us"\nXKBVARIANT=""\n\nBACKSPACE="guess"\n' >"$root/etc/default/keyboard"
        printf '[Login]\n#IdleAction=ignore\nIdleAction=suspend\n' >"$root/etc/systemd/logind.conf"
        ln -s /lib/systemd/system/gdm.service "$root/etc/systemd/system/display-manager.service"
        echo QEMU >"$root/sys/class/dmi/id/sys_vendor"
}

tree
is "what is there" "$(call list | sed 's/past=[a-z]*/past=X/')" 'machine virtual=QEMU
clock past=X zone=Etc/UTC sync=none
keyboard layout=us variant=""
sleep why=lid
sleep why=idle
sleep why=desktop
result changed=no'

# --- sleep ---
is "sleep: off" "$(call sleep allowed=no)" "result changed=yes"
is "sleep: nothing is left that could" "$(call list | grep -c '^sleep')" 0
is "sleep: all targets" "$(cd "$root/etc/systemd/system" && readlink *.target | sort | uniq -c | xargs)" "5 /dev/null"
is "sleep: the second time" "$(call sleep allowed=no)" "result changed=no"
is "sleep: back" "$(call sleep allowed=yes)" "result changed=yes"
is "sleep: as it was" "$(call list | grep -c '^sleep'; find "$root/etc/systemd" -name '*nas-setup*' -o -name '*.target')" 3
is "sleep: back again" "$(call sleep allowed=yes)" "result changed=no"
ln -s /dev/null "$root/etc/systemd/system/suspend.target"
call sleep allowed=no >/dev/null
rm "$root/etc/systemd/system/sleep.target" # as if it had been cut off
is "sleep: what was cut off is gone on with" "$(call sleep allowed=no)" "result changed=yes"
call sleep allowed=yes >/dev/null
is "sleep: somebody's own mask stays" "$(cd "$root/etc/systemd/system" && echo *.target)" suspend.target
rm "$root/etc/systemd/system/suspend.target"
echo '[Unit]' >"$root/etc/systemd/system/sleep.target"
is "sleep: somebody's own unit stays" "$(code "$system" --root "$root" sleep allowed=no; cat "$root/etc/systemd/system/sleep.target")" $'1 write\n[Unit]'
is "sleep: neither yes nor no" "$(code "$system" --root "$root" sleep allowed=maybe)" "2 usage"

# --- clock ---
is "zone" "$(call clock zone=Europe/Berlin)" "result changed=yes"
is "zone: both files" "$(readlink "$root/etc/localtime") $(cat "$root/etc/timezone")" "../usr/share/zoneinfo/Europe/Berlin Europe/Berlin"
is "zone: the second time" "$(call clock zone=Europe/Berlin)" "result changed=no"
for bad in Europe/Nowhere /etc/passwd ../../etc/passwd Europe 'Europe/Ber lin' ''; do
        is "zone: '$bad' is none" "$(code "$system" --root "$root" clock "zone=$bad")" "3 no-zone"
done
is "clock: not before 1970 is always so" "$(call clock atleast=0)" "result changed=no"
is "clock: no number" "$(code "$system" --root "$root" clock atleast=tomorrow)" "2 usage"

# --- keyboard ---
is "keyboard" "$(call keyboard layout=de variant=nodeadkeys)" "result changed=yes"
is "keyboard: the rest stays" "$(cat "$root/etc/default/keyboard")" '# KEYBOARD

XKBMODEL="pc105"
XKBLAYOUT="de"
XKBVARIANT="nodeadkeys"

BACKSPACE="guess"'
is "keyboard: the second time" "$(call keyboard layout=de variant=nodeadkeys)" "result changed=no"
is "keyboard: it is listed" "$(call list | grep keyboard)" "keyboard layout=de variant=nodeadkeys"
is "keyboard: nothing gets into the shell that reads it" "$(code "$system" --root "$root" keyboard 'layout=de"; reboot; "')" "2 usage"
rm "$root/etc/default/keyboard"
is "keyboard: none that could be set" "$(code "$system" --root "$root" keyboard layout=de)" "3 no-keyboard"

# --- programs and power, as far as they go without touching anything ---
is "programs: not below another root" "$(code "$system" --root "$root" install packages=mdadm)" "3 not-here"
for bad in -y 'a b' A ../x 'x;reboot'; do
        is "programs: '$bad' is none" "$(code "$system" --dry-run install "packages=$bad")" "2 usage"
done
is "off: what it would run" "$("$system" --dry-run --root "$root" off)" $'would run="shutdown -P now"\nresult changed=yes'
is "restart: what it would run" "$("$system" --dry-run --root "$root" restart)" $'would run="shutdown -r now"\nresult changed=yes'
finish
