#!/bin/bash
# install-packages where apt-get is not there: it says exactly what is missing, and nothing where all is there.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for tool in bash cat env pkg-config; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
printf 'there file:/\nnot-there command:no-such-command\nneither pkg-config:no-such-library\n' >"$work/list"
printf '# all of it\nthere file:/\n' >"$work/all"

# The script adds the sbin folders to PATH by itself; apt-get is not in them.
out=$(PATH=$work/bin "$work/bin/bash" tests/install-packages "$work/list" 2>&1)
is "no apt-get: status" $? 1
is "no apt-get: what is missing" "$out" "missing, and there is no apt-get here to install it: not-there neither"
out=$(PATH=$work/bin "$work/bin/bash" tests/install-packages "$work/all" 2>&1)
is "nothing missing: status and silence" "$? $out" "0 "
finish
