# cut-apply.sh STEP MS: applies, and says CUT when STEP has begun and MS milliseconds have gone by.
. /box/share/lib.sh
. /box/share/nas.sh
[ -e /root/answers ] || printf 'disks use=A,B,C\nspeed test=none\n' >/root/answers && sync
lan_ifup
nas-setup --apply /root/answers | while read -r line; do
        case $line in
        "begun step=$1 "*) { sleep "$(awk -v n="$2" 'BEGIN {print n / 1000}')"; echo "CUT NOW"; sync; } & ;;
        esac
done
wait
echo "CUT NOW, late"
