#!/bin/bash
# box: --seconds 120
# How a plan is carried out, with helpers that only tell what they were called with: all calls of a step at once, those of
# "clear" in turn, every call asked before the first is made, and every failure told.
. "$(dirname "$0")/lib.sh"
work=$(mktemp -d)
cp "$(command -v nas-setup)" "$work/"
export CALLS=/tmp/calls
for helper in nas-net nas-disk nas-raid nas-fs nas-share nas-speed; do
        cat >"$work/$helper" <<'EOF'
#!/bin/bash
# A partition is not over before all eight have begun; bad=usage is refused when it is asked, bad=late fails when it is done.
exec 9>>/tmp/calls
case " $* " in
*" bad=usage "*)
        echo 'error code=usage what=bad text="bad= is not known"'
        exit 2
        ;;
*" --dry-run "*)
        echo "asked ${0##*/} $*" >&9
        echo 'result changed=yes'
        exit 0
        ;;
esac
echo "began ${0##*/} $*" >&9
until=$((SECONDS + 20))
case " $* " in
*" partition "*) while [ "$(grep -c '^began .*partition' /tmp/calls)" -lt 8 ] && [ $SECONDS -lt $until ]; do sleep 0.1; done ;;
esac
echo "ended ${0##*/} $*" >&9
case " $* " in
*" bad=late "*)
        echo "error code=disk-error what=${@: -1} text=\"the disk stopped answering\""
        exit 1
        ;;
esac
echo 'result changed=yes'
EOF
        chmod +x "$work/$helper"
done
head='plan version=1 id=11111111-2222-4333-8444-555555555555 made=2026-01-01T00:00:00Z'
disks() { for i in 1 2 3 4 5 6 7 8; do echo "nas-disk verb=partition ${1-} disk=$i"; done; }
apply() { # PLAN: what it said in /tmp/out, its status
        : >/tmp/calls
        "$work/nas-setup" --forget
        "$work/nas-setup" --apply "$1" >/tmp/out 2>&1
}

printf '%s\nstep name=disks\n%s\nstep name=array\nnas-raid verb=create uuid=1\n' "$head" "$(disks)" >/tmp/plan
apply /tmp/plan
is "eight disks are one step" "$?" 0
is "all of them began before one had ended" "$(sed '/^asked/d' /tmp/calls | head -n 8 | grep -c '^began nas-disk .*partition')" 8
is "every call was asked before the first was made" "$(head -n 9 /tmp/calls | grep -c '^asked')" 9

printf '%s\nstep name=clear\nnas-disk verb=release name=top\nnas-disk verb=release name=below\n' "$head" >/tmp/plan
apply /tmp/plan
is "what is taken down goes in turn" "$(sed -n 's/^\(began\|ended\) .* name=/\1 /p' /tmp/calls | tr '\n' ,)" "began top,ended top,began below,ended below,"

printf '%s\nstep name=clear\nnas-disk verb=release name=top bad=late\nnas-disk verb=release name=below\n' "$head" >/tmp/plan
apply /tmp/plan
is "and stops at the first that stays" "$? $(grep -c '^began' /tmp/calls)" "1 1"

{
        printf '%s\nstep name=disks\n' "$head"
        disks | sed 's/disk=[36]/bad=late &/'
        printf 'step name=array\nnas-raid verb=create uuid=1\n'
} >/tmp/plan
apply /tmp/plan
is "where two of eight fail, the step fails when all have ended" "$? $(grep -c '^ended nas-disk' /tmp/calls)" "1 8"
is "the first is the reason" "$(sed -n 's/^failed .* what=\([^ ]*\).*/\1/p' /tmp/out)" "disk=3"
is "the other is told too" "$(sed -n 's/^error .* what=\([^ ]*\).*/\1/p' /tmp/out)" "disk=6"
t "and nothing comes after it" sh -c '! grep -q "^began nas-raid" /tmp/calls'

printf '%s\nstep name=disks\n%s\nstep name=speed\nnas-speed verb=run bad=usage\n' "$head" "$(disks)" >/tmp/plan
apply /tmp/plan
is "a last line that makes no sense stops the plan before its first" "$? $(grep -c '^began' /tmp/calls)" "2 0"
t "and is named" grep -q 'Speed test: The plan asks for something that this version does.*know (bad)' /tmp/out
is "no plan is kept then" "$(ls /var/lib/nas-setup/plan 2>&1 | grep -c 'No such')" 1
finish
