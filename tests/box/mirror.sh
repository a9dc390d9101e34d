# For scripts inside the box, after lib.sh: a Debian mirror of packages that were invented here, on a computer of the LAN that
# plays the internet. Source it.
mirror=/srv/mirror
mirror_url=http://192.168.77.50:8080/

# fake PACKAGE PROGRAM [SERVICE]: a package that brings the program and asks a question that nobody may be asked; with a
# service that is begun when it is installed, as Debian's are.
fake() {
        local name=$1 program=$2 service=${3-} d=/tmp/fake/$1
        mkdir -p "$d"/{DEBIAN,usr/sbin,etc/default} "$mirror"
        printf 'Package: %s\nVersion: 99:1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nInstalled-Size: 2048\nDescription: invented\n' \
                "$name" >"$d/DEBIAN/control"
        printf '#!/bin/sh\necho "%s of the mirror"\n' "$program" >"$d/usr/sbin/$program"
        echo "as the package has it" >"$d/etc/default/$name-invented"
        echo "/etc/default/$name-invented" >"$d/DEBIAN/conffiles"
        printf '#!/bin/sh\nread answer && exit 1\n[ ! -e /tmp/slow ] || { touch /tmp/in-postinst; while [ -e /tmp/slow ]; do sleep 0.1; done; }\n' >"$d/DEBIAN/postinst"
        if [ "$service" ]; then
                mkdir -p "$d/etc/init.d"
                printf '#!/bin/sh\n### BEGIN INIT INFO\n# Provides: %s\n# Required-Start:\n# Required-Stop:\n# Default-Start: 2 3 4 5\n# Default-Stop:\n### END INIT INFO\necho "$1" >>/tmp/started-%s\n' "$service" "$service" >"$d/etc/init.d/$service"
                # as invoke-rc.d asks (it would not start anything where nothing was booted)
                printf 'rc=0; [ ! -x /usr/sbin/policy-rc.d ] || policy-rc.d %s start || rc=$?\n[ $rc = 101 ] || /etc/init.d/%s start\n' "$service" "$service" >>"$d/DEBIAN/postinst"
                chmod 755 "$d/etc/init.d/$service"
        fi
        chmod 755 "$d/DEBIAN/postinst" "$d/usr/sbin/$program"
        dpkg-deb --root-owner-group -Zgzip -b "$d" "$mirror/$name.deb" >/dev/null
}

# Its lists, from what lies there now.
mirror_lists() {
        local deb sum
        for deb in "$mirror"/*.deb; do
                dpkg-deb -f "$deb"
                printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "${deb##*/}" "$(stat -c %s "$deb")" "$(sha256sum <"$deb" | cut -d' ' -f1)"
        done >"$mirror/Packages"
        sum=$(sha256sum <"$mirror/Packages" | cut -d' ' -f1)
        printf 'Origin: invented\nDate: %s\nSHA256:\n %s %s Packages\n' "$(date -Ru)" "$sum" "$(stat -c %s "$mirror/Packages")" >"$mirror/Release"
}
mirror_on() {
        lan busybox httpd -f -p 8080 -h "$mirror" >/dev/null 2>&1 </dev/null &
        echo $! >/tmp/mirror.pid
        echo "deb [trusted=yes] $mirror_url ./" >/etc/apt/sources.list
        wait_for 20 busybox wget -q -O /dev/null "$mirror_url/Release"
}
mirror_off() { kill "$(cat /tmp/mirror.pid)"; }
# gone PACKAGE PROGRAM: as on a computer that never had it
gone() {
        dpkg --force-depends --purge "$1" >/dev/null 2>&1
        rm -f "$(command -v "$2")"
}
# repack PACKAGE [SERVICE]: what Debian's package has put here, as a package of the mirror; its service is begun when it is
# installed
repack() {
        local name=$1 service=${2-} d=/tmp/repack/$1 file
        mkdir -p "$d/DEBIAN" "$mirror"
        dpkg -L "$name" | while read -r file; do
                [ -d "$file" ] && [ ! -L "$file" ] || [ ! -e "$file" ] || { mkdir -p "$d${file%/*}" && cp -a "$file" "$d$file"; }
        done
        printf 'Package: %s\nVersion: 99:2\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nInstalled-Size: 1024\nDescription: packed anew\n' \
                "$name" >"$d/DEBIAN/control"
        [ ! "$service" ] || printf '#!/bin/sh\nrc=0; [ ! -x /usr/sbin/policy-rc.d ] || policy-rc.d %s start || rc=$?\n[ $rc = 101 ] || echo %s >>/tmp/begun\n' "$service" "$service" >"$d/DEBIAN/postinst"
        [ ! "$service" ] || chmod 755 "$d/DEBIAN/postinst"
        dpkg-deb --root-owner-group -Zgzip -b "$d" "$mirror/$name.deb" >/dev/null
}
