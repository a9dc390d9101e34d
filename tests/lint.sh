#!/bin/bash
# What the rules of the code say and a machine can see.
cd "$(dirname "$0")/.." || exit 1
. tests/lib.sh
code=$(git ls-files 'wizard/*.[ch]' 'helpers/*.[ch]' 'helpers/lib/*.[ch]')

none() { # NAME PATTERN FILE…: no line of the files fits the pattern
        local name=$1 pattern=$2 hits
        shift 2
        hits=$(grep -nE "$pattern" "$@" /dev/null)
        if [ -z "$hits" ]; then ok "$name"; else not_ok "$name"; sed 's/^/    /' <<<"$hits"; fi
}
but() { grep -vE "$1" <<<"$code"; }

none "helpers do not include the wizard" '#include "wizard/' $(grep '^helpers/' <<<"$code")
none "no helper includes another's main file" '#include "helpers/nas-' $code
none "curses only in ui*.c" '#include <(curses|ncurses|panel|menu|form)' $(but '^wizard/ui')
none "fork and exec only in run.c" '\b(fork|vfork|posix_spawn|exec[lv]p?e?)[[:space:]]*\(' $(but '^helpers/lib/run.c$')
none "no shell, no unbounded copies" '\b(system|popen|strcpy|strcat|sprintf|vsprintf|gets)[[:space:]]*\(' $code
none "nothing half done" '\b(TODO|FIXME|XXX|HACK)\b' $code
none "no device is opened by the wizard" '"/dev/(sd|md|nvme|disk)' $(grep '^wizard/' <<<"$code")

# A function begins at a '{' in the first column and ends at a '}' there.
long=$(for f in $(grep '\.c$' <<<"$code"); do
        awk -v f="$f" '/^{/ {start = NR} /^}/ {if (start && NR - start > 80) print f ":" start ": " NR - start " lines"; start = 0}' "$f"
done)
is "no function over 80 lines" "$long" ""
big=$(wc -l $code | awk '$2 != "total" && $1 > 620 {print $2 ": " $1 " lines"}')
is "no file past some 600 lines" "$big" ""
is "no path or host of the builder in a file" "$(git grep -nE '/root/|deb\.debian\.org|registry\.npmjs' -- . ':!tests/lint.sh' ':!tests/box' | grep -v HOME=/root | head -5)" ""

is "no two versions of a line stand side by side" "$(git grep -nE '^(<<<<<<<|>>>>>>>) ' | head -5)" ""

# Every language that is there says everything, and nothing that is said no more.
pot=$(mktemp)
make -s pot POT="$pot"
for po in po/*.po; do
        is "${po#po/} is sound" "$(msgfmt -c -o /dev/null "$po" 2>&1)" ""
        is "${po#po/} is complete" "$(msgcmp "$po" "$pot" 2>&1 | head -20)" ""
done
rm -f "$pot"
finish
