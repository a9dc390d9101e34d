# For test scripts: cases that print "ok NAME" or "not ok NAME", and the closing line. Source it.
passed=0 failed=0 skipped=0

ok() { echo "ok $*"; passed=$((passed + 1)); }
not_ok() { echo "not ok $*"; failed=$((failed + 1)); }
skip() { echo "skip $*"; skipped=$((skipped + 1)); } # NAME why

# t NAME COMMAND…: passes where the command succeeds; what it printed is shown where it does not. Fails itself then.
t() {
        local name=$1 out
        shift
        if out=$("$@" 2>&1); then ok "$name"; else
                not_ok "$name"
                sed 's/^/    /' <<<"$out"
                return 1
        fi
}

# is NAME GOT WANTED
is() {
        if [ "$2" = "$3" ]; then ok "$1"; else
                not_ok "$1"
                printf 'wanted: %s\ngot:    %s\n' "$3" "$2" | sed 's/^/    /'
        fi
}

# fails NAME STATUS COMMAND…: passes where the command ends with that status.
fails() {
        local name=$1 want=$2 out rc
        shift 2
        out=$("$@" 2>&1)
        rc=$?
        if [ "$rc" = "$want" ]; then ok "$name"; else
                not_ok "$name (status $rc, not $want)"
                sed 's/^/    /' <<<"$out"
        fi
}

# wait_for SECONDS COMMAND…: until it succeeds.
wait_for() {
        local until=$((SECONDS + $1))
        shift
        until "$@" >/dev/null 2>&1; do
                [ $SECONDS -ge $until ] && return 1
                sleep 0.1
        done
}

finish() {
        echo "$passed passed, $failed failed$([ $skipped = 0 ] || echo ", $skipped skipped")"
        [ $failed = 0 ]
}
