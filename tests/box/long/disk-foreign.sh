#!/bin/bash
# box: --disk 2G --put tests/machines/images
# Disks as other systems made them: what nas-disk found is what must be agreed to, and after partition nobody finds it any more.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/nas.sh"

MIB=1048576
SIZE=$(blockdev --getsize64 /dev/sda)
images=$(dirname "$0")/images

# What any program still finds on the disk beside our table, and in our partition.
traces() { { wipefs -n --noheadings -O TYPE /dev/sda && wipefs -n --noheadings -O TYPE /dev/sda1; } | grep -vxE 'gpt|PMBR' | xargs; }
partition() { # FOUND
        nas-disk partition disk="$(known sda serial)" size=$SIZE guid=aaaaaaaa-1111-4222-8333-444444444401 part="$(new_part 001)" \
                name=nas-public-1 start=$MIB end=$(((SIZE / MIB - 20) * MIB)) found="$1" 2>/dev/null | tail -n 1
}
put() { # IMAGE OFFSET: what is left of the one before is found too, and has to go too
        wipefs -qaf /dev/sda
        dd if="$1" of=/dev/sda bs=1M conv=notrunc oflag=seek_bytes seek="$2" status=none
        udevadm trigger --settle /dev/sda
}

for image in "$images"/*.tar.gz; do
        tar -xzf "$image" -C /tmp
        name=$(basename "$image" .tar.gz)
        image=/tmp/$name.img offset=0
        case $name in isw-raid | jmicron-raid | nvidia-raid | promise-raid) offset=$((SIZE - $(stat -c %s "$image"))) ;; esac
        put "$image" $offset
        rm "$image"
        look
        found=$(known sda found)
        is "$name: not without having been named" "$(partition '' | sed 's/.* code=\([a-z-]*\) .*/\1/')" changed-contents
        is "$name: agreed to ($found)" "$(partition "$found")" 'result changed=yes on=sda1'
        is "$name: nobody finds it any more" "$(traces)" ''
        look
        is "$name: nor do we" "$(known sda found | tr , '\n' | sed 's/@.*//' | xargs)" 'gpt gpt PMBR'
done
finish
