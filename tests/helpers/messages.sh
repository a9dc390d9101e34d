#!/bin/bash
# Every code that a helper raises has its words in wizard/messages.c, and each of these is raised by somebody.
cd "$(dirname "$0")/../.." || exit 1
. tests/lib.sh

# The first argument of helper_fail and helper_refuse, also where it stands in the next line; array_fail (fs_array.h) has an
# array before it and hands its own to helper_fail.
raised=$(cat helpers/*.c helpers/lib/*.c wizard/apply.c wizard/look.c | tr '\n' ' ' |
        grep -oE '(helper_(fail|refuse)\( *|array_fail\( *[a-z_>&.-]+, *|"code", )"[a-z0-9-]+"' | grep -oE '"[a-z0-9-]+"$' | tr -d '"' | sort -u)
# What an array cannot become is refused by the word of a table, "same" is none.
words=$(sed -n '/reasons\[\] = {/,/^};/s/^ *{"\([a-z0-9-]*\)", .*/\1/p' helpers/raid_growth.c | grep -vx same)
raised=$(printf '%s\n%s\nusage\n' "$raised" "$words" | sort -u)
known=$(sed -n '/messages\[\] = {/,/^};/s/^ *{"\([a-z0-9-]*\)", .*/\1/p' wizard/messages.c | sort -u)

is "nothing is said twice" "$(sed -n '/messages\[\] = {/,/^};/s/^ *{\("[a-z0-9-]*", [^,]*\),.*/\1/p' wizard/messages.c | sort | uniq -d)" ""
is "codes are found at all" "$([ "$(wc -l <<<"$raised")" -gt 50 ] && echo yes)" yes
is "a code is a literal, so that it can be found" \
        "$(cat helpers/*.c | tr '\n' ' ' | grep -oE 'helper_(fail|refuse)\( *[^" )][^,]*,|array_fail\( *[a-z_>&.-]+, *[^" ]' | grep -vE '\((code|v\[i\]\.refused),$' | head)" ""
is "every code has its words" "$(comm -23 <(echo "$raised") <(echo "$known"))" ""
is "no words for what nobody raises" "$(comm -13 <(echo "$raised") <(echo "$known"))" ""
finish
