# For tests in QEMU: the newest kernel that apt knows and a busybox to start from, downloaded once. Source it, after lib.sh.
export PATH="$PATH:/usr/sbin:/sbin"

# qemu_kernel: sets version and from, the folder with boot/, lib/modules and bin/busybox; else says in why what is missing.
# shellcheck disable=SC2034 # for whoever sources it
qemu_kernel() {
        local cache=${NAS_BOX_CACHE:-/var/cache/nas-setup-box} kernel new deb
        [ -w "$cache" ] || cache=$HOME/.cache/nas-setup-box
        type -p qemu-system-x86_64 >/dev/null || { why="no qemu-system-x86_64 (Debian: qemu-system-x86)"; return 1; }
        kernel=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
        [ -n "$kernel" ] || { why="apt knows no linux-image-amd64"; return 1; }
        version=${kernel#linux-image-} from=$cache/qemu-${kernel#linux-image-}
        [ ! -d "$from" ] || return 0
        new=$(mktemp -d)
        (cd "$new" && apt-get -q download "$kernel" busybox-static) >"$new/log" 2>&1 ||
                { why="$kernel cannot be downloaded: $(tail -n 1 "$new/log")"; rm -rf "$new"; return 1; }
        for deb in "$new"/*.deb; do dpkg-deb -x "$deb" "$new"; done
        rm "$new"/*.deb "$new/log"
        depmod -b "$new" "$version"
        cp -R "$new" "$from.$$" && mv -T "$from.$$" "$from"
        rm -rf "$new"
}

# qemu_modules FOLDER MODULE…: copies them there, with a file order in which they need each other
qemu_modules() {
        local folder=$1 module file
        shift
        for module; do modprobe -d "$from" -S "$version" --show-depends "$module"; done |
                awk '$1 == "insmod" && !seen[$2]++ {print $2}' | while read -r file; do
                cp "$file" "$folder"
                echo "${file##*/}"
        done >"$folder/order"
}
