# For the benchmarks inside the box: medians, ratios and the lines of a table. Source it.
export LC_ALL=C.UTF-8

now() { echo "${EPOCHREALTIME/./}"; } # microseconds

# median TIMES COMMAND…: of its microseconds, each time with cold caches; its output is in /tmp/out. COMMAND may be a function.
median() {
        local n=$1 begin i
        shift
        for ((i = 0; i < n; i++)); do
                sync
                echo 3 >/proc/sys/vm/drop_caches
                begin=${EPOCHREALTIME/./}
                "$@" >/tmp/out 2>&1 || echo "# status $? of $*" >&2
                echo $((${EPOCHREALTIME/./} - begin))
        done | sort -n | sed -n "$((n / 2 + 1))p"
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.2f", b ? a / b : 0}'; } # A B
ms() { awk -v a="$1" 'BEGIN {printf "%.1f", a / 1000}'; }

# goal WHAT VALUE MOST: one line that says whether it is reached.
goal() { printf '  goal: %-62s %7s  (at most %s)  %s\n' "$1" "$2" "$3" "$(awk -v a="$2" -v b="$3" 'BEGIN {print a <= b ? "reached" : "MISSED"}')"; }
