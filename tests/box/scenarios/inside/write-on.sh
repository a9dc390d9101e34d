# write-on.sh: a client on the LAN writes until the power is cut.
. /box/share/lib.sh
wait_for 60 mountpoint -q /srv/public
address=$(sed -n 's/^nas-net .* address=\([0-9.]*\).*/\1/p' /var/lib/nas-setup/plan)
head -c 3000000 /dev/urandom >/tmp/x
for i in $(seq 200); do
        lan smbclient -N "//$address/public" -c "put /tmp/x written-$i" >/dev/null 2>&1
        [ "$i" -ge 3 ] && [ -e "/srv/public/written-$i" ] && echo "CUT NOW at file $i"
done
