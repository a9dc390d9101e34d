#include "wizard/messages.h"

#include "wizard/i18n.h"

/* At most one %s: what= of the record. The entry of a step stands before the one for all. */
static const struct message {
        const char *code, *step, *words;
} messages[] = {
        /* the disks */
        {"no-look", NULL,
         N_("The disks of this computer can't be looked at. Nothing was changed. Restart the computer and try "
            "again.")},
        {"no-sysfs", NULL,
         N_("Linux doesn't tell which disks there are (%s). Nothing was changed. Restart the computer and try "
            "again.")},
        {"no-disk", NULL,
         N_("The disk %s isn't there any more. Nothing was changed on it. Check its cable and its power, then "
            "try again.")},
        {"ambiguous", "array",
         N_("One disk is a copy of another: both have the partition %s. Unplug the one that is not meant, then "
            "try again.")},
        {"ambiguous", "mount",
         N_("%s is a copy of the file system on the array: both have the same identity. Unplug it, then try again.")},
        {"ambiguous", NULL,
         N_("\"%s\" fits more than one disk; a dock may give all its disks one serial number. Nothing was "
            "changed. Connect the disks without the dock, then try again.")},
        {"other-disk", NULL,
         N_("%s is not the disk that you chose: it was exchanged or its name moved. Nothing was changed on it.")},
        {"protected", NULL,
         N_("%s is in use by this computer and stays as it is. Nothing was changed on it.")},
        {"changed-contents", NULL,
         N_("A disk holds something that was not there when you looked it over. Nothing was changed on it.")},
        {"in-use", "clear",
         N_("What runs on the disks can't be stopped while it is in use (%s). End what uses it, or restart the computer, and "
            "go on.")},
        {"in-use", NULL,
         N_("%s is in use by this computer. Nothing was changed on it. Restart the computer and go on.")},
        {"spans", "mount",
         N_("The files on %s lie on other disks too, so they can't be taken over from it alone. Nothing was changed.")},
        {"spans", NULL,
         N_("What runs on the disks lies also on %s, which was not chosen. Nothing was changed.")},
        {"system", NULL,
         N_("%s belongs to the system of this computer and stays as it is. Nothing was changed on it.")},
        {"not-released", NULL,
         N_("%s could not be stopped. Restart the computer, start nas-setup and go on.")},
        {"no-memory", NULL,
         N_("The memory is too small for what lies in the swap space %s. End some programs, then try again.")},
        {"failing", NULL,
         N_("%s is failing, so its lamp is not made to blink: each reading may harm it. Look for its serial number.")},
        {"unreadable", "network",
         N_("%s can't be read. Nothing was changed. Restart the computer and try again.")},
        {"unreadable", "array",
         N_("What is on the disks can't be read. Nothing was changed. Check the cables of the disks, then try "
            "again.")},
        {"unreadable", NULL,
         N_("%s can't be read: the disk or its cable may be failing. Nothing was changed on it. Check the "
            "cable, then try again.")},
        {"disk-error", NULL,
         N_("%s stopped answering: the disk or its cable may be failing. Check its cable and its power, then "
            "try again. If it happens again, leave this disk out.")},
        {"not-empty", "mount",
         N_("There are files in the folder %s; they would be hidden. Move them elsewhere, then try again.")},
        {"not-empty", NULL,
         N_("%s still holds something after it was emptied: the disk may be failing. Try again. If it happens "
            "again, leave this disk out.")},
        {"table-unsound", NULL,
         N_("The partition on %s was made, but Linux doesn't see it yet. Restart the computer, start nas-setup "
            "and go on.")},
        {"no-partition", NULL,
         N_("The partition on %s was made, but it didn't show up in time. Try again.")},
        {"kernel-busy", NULL,
         N_("%s was emptied, but its old partitions are still in use. Restart the computer, start nas-setup and "
            "go on.")},

        /* the array */
        {"no-member", NULL,
         N_("A disk of the array is missing (partition %s). Check the cables and the power of the disks, then "
            "try again.")},
        {"not-blank", NULL,
         N_("%s holds something that you didn't agree to lose. Nothing was changed on it.")},
        {"too-small", NULL,
         N_("%s is too small to take part. Nothing was changed on it.")},
        {"no-array", NULL,
         N_("The array %s doesn't run. Check the cables and the power of its disks, restart the computer, and "
            "go on.")},
        {"not-running", NULL,
         N_("The array %s was made, but it doesn't run. Check the cables and the power of its disks, restart "
            "the computer, and go on.")},
        {"degraded", NULL,
         N_("Not all disks of the array take part (%s). Check the cables and the power of its disks, restart the "
            "computer, and go on.")},
        {"not-whole", NULL,
         N_("A disk of the array %s is missing, so it was not taken over. Nothing was changed. Check the cables and the "
            "power of its disks, then try again.")},
        {"external", NULL,
         N_("The array %s belongs to the RAID of the mainboard and can't be taken over. Nothing was changed.")},
        {"create-failed", NULL,
         N_("The array %s could not be made. Try again. If it happens again, one of the disks may be failing.")},
        {"assemble-failed", NULL,
         N_("The array %s is on these disks, but it doesn't start. Nothing on them was erased. Restart the "
            "computer and go on.")},
        {"half-there", NULL,
         N_("The array %s was made already, but nothing of it is on one or all of its disks: were they exchanged "
            "or erased? Nothing was changed. Connect the right disks, then try again.")},
        {"other-array", NULL,
         N_("The array %s is there already, but of another kind or size. Nothing was changed.")},
        {"name-taken", "share",
         N_("There is a share \"%s\" already, which was left as it is. Change the share: give it another name.")},
        {"name-taken", NULL,
         N_("Another array has the name %s already. Nothing was changed. Start anew (nas-setup --forget) "
            "with another name.")},
        {"cache-failed", NULL,
         N_("The array %s runs, but it could not be tuned. Try again.")},
        {"conf-syntax", NULL,
         N_("%s has a line that can't be understood, so it was left alone. Correct that line, then try again.")},
        {"no-program", NULL,
         N_("The program %s is missing. Install it, then try again.")},
        {"no-devices", NULL,
         N_("Below another root no disk is touched.")},

        /* an array that is changed */
        {"syncing", NULL,
         N_("The array %s is being built or read through. Nothing was changed. Wait until that has ended, then try again.")},
        {"checking", NULL,
         N_("All disks of the array %s are just being read through. Nothing was changed. Wait until that has ended, then try again.")},
        {"reshaping", NULL,
         N_("The array %s is being changed already. Nothing was changed. Wait until that has ended, then try again.")},
        {"busy", NULL,
         N_("An earlier change of the array %s is not finished. Nothing was changed. Wait for it, then try again.")},
        {"level", NULL,
         N_("The array %s can't be changed so. Nothing was changed.")},
        {"unsafe", NULL,
         N_("The array %s is not changed so: a power cut meanwhile could lose all files.")},
        {"no-room", NULL,
         N_("The array %s has no room before its files that such a change needs. Nothing was changed.")},
        {"ppl", NULL,
         N_("The array %s keeps a log (PPL) that does not go with that. Nothing was changed.")},
        {"sector", NULL,
         N_("%s has larger sectors than the files on the array can use. Nothing was changed on it.")},
        {"no-place", NULL,
         N_("No disk of the array %s is missing or failed. Nothing was changed. Say which one is to be replaced.")},
        {"needs-force", NULL,
         N_("The array %s was cut off while it was written to. Start it from the screen This NAS, which tells the risk.")},
        {"not-enough", NULL,
         N_("Too many disks of the array %s are missing. Nothing was changed. Check the cables and the power of its disks, then "
            "try again.")},
        {"backup", NULL,
         N_("The array %s was being changed by somebody else's program, which must go on with it. Nothing was changed.")},
        {"add-failed", NULL,
         N_("A disk could not be added to the array %s. Try again. If it happens again, that disk may be failing.")},
        {"grow-failed", NULL,
         N_("The array %s could not be changed. Its files are as they were. Try again.")},
        {"replace-failed", NULL,
         N_("The disk in the array %s could not be replaced. Its files are as they were. Try again.")},
        {"repair-failed", NULL,
         N_("The array %s could not be made right. Try again.")},
        {"pace-failed", NULL,
         N_("How fast %s goes on could not be changed.")},
        {"not-checked", NULL,
         N_("The file system of %s could not be checked, so it was left as it is. Try again; look at F3 where it stays so.")},
        {"not-grown", NULL,
         N_("The files on %s did not get all of the new room. Nothing is lost. Restart the computer and try again.")},
        {"mounted", NULL,
         N_("%s is mounted, so its files can't be looked through.")},

        /* the file system */
        {"format-failed", NULL,
         N_("The file system could not be made on %s. Try again. If it happens again, one of the disks may be "
            "failing.")},
        {"disk-failed", NULL,
         N_("%s stopped working meanwhile. Check the cables and the power of the disks, then try again. If it happens again, "
            "that disk is defective.")},
        {"needs-repair", NULL,
         N_("The file system on %s is damaged, so it was not taken over, nor repaired. Copy what can still be read; "
            "then let somebody repair it who knows how (fsck).")},
        {"geometry", NULL,
         N_("The file system on %s doesn't fit its array, so it would be slow. Try again.")},
        {"other-label", NULL,
         N_("This file system is on %s already, but under another name. Nothing was changed.")},
        {"unfinished", NULL,
         N_("The file system on %s is not finished. Try again from the start: leave, start nas-setup and go on.")},
        {"no-filesystem", NULL,
         N_("The file system is not there (%s). Check the cables and the power of the disks, restart the "
            "computer, and go on.")},
        {"fstab-other", NULL,
         N_("%s mounts this file system on another folder already. Nothing was changed. Take that line out, "
            "then try again.")},
        {"fstab-option", NULL,
         N_("A line in /etc/fstab mounts this file system with the option \"%s\"; the share would be missing or could not "
            "be written to. Nothing was changed. Take that option out, then try again.")},
        {"fstab-syntax", NULL,
         N_("%s has a line that can't be understood, so it was left alone. Correct that line, then try again.")},
        {"mount-taken", NULL,
         N_("Something else is at %s, now or after the next start (/etc/fstab). Nothing was changed. Take it "
            "away, or begin anew with another name.")},
        {"folder", NULL,
         N_("The folder %s can't be made or used: something else is in its place, or the system disk is full. "
            "Mend that, then try again.")},
        {"mount-failed", NULL,
         N_("The file system could not be mounted on %s. Nothing is lost. Restart the computer, start nas-setup "
            "and go on.")},
        {"readonly", NULL,
         N_("%s can only be read: the file system or a disk may be damaged. Restart the computer and try again.")},
        {"readback", NULL,
         N_("A test file on %s came back changed: a disk, a cable or the memory is defective. Do not keep files "
            "there before that is found.")},
        {"write-failed", NULL,
         N_("%s could not be written. The disk it is on may be full or failing. Make room or check the cable, "
            "then try again.")},

        /* the share */
        {"systemd", "share",
         N_("Samba could not be told to wait for the disks (%s). Try again.")},
        {"systemd", NULL,
         N_("The system did not take over the new start-up settings. Restart the computer and go on.")},
        {"masked", NULL,
         N_("Somebody switched Samba off for good on this computer. To allow it again, type: systemctl unmask "
            "smbd")},
        {"not-mounted", NULL,
         N_("The disks are not mounted at %s. Nothing was changed. Restart the computer, start nas-setup and go "
            "on.")},
        {"read-only", NULL,
         N_("%s can only be read: the file system or a disk may be damaged. Restart the computer and try again.")},
        {"smb-conf", NULL,
         N_("%s has a line that can't be understood, so it was left alone. Correct that line, then try again.")},
        {"samba-role", NULL,
         N_("Samba on this computer is part of a domain (%s). A share for everyone doesn't fit there, so "
            "nothing was changed.")},
        {"testparm", NULL,
         N_("Samba would not take the new share, so %s was left alone. Try again; if it happens again, the file "
            "has settings that contradict it.")},
        {"account", NULL,
         N_("The account that the shared files belong to (%s) could not be made. Try again.")},
        {"user-taken", NULL,
         N_("The user name %s is in use on this computer already. Choose another one, or type the password that it "
            "has.")},
        {"no-password", NULL,
         N_("%s has no password for the share yet. Type one, or have one made.")},
        {"password", NULL,
         N_("The password of %s could not be set. Try again.")},
        {"guests", NULL,
         N_("Samba's settings on this computer turn every guest away (%s). Nothing was changed. Take that line out "
            "of /etc/samba/smb.conf, or share with a password only.")},
        {"firewall", NULL,
         N_("The share works, but this computer's firewall (%s) keeps others out. Let TCP port 445 in from your network "
            "there, then try again.")},
        {"announce", NULL,
         N_("The share works, but other computers don't find it by themselves yet: type its name or address there. "
            "Try again.")},
        {"owner", NULL,
         N_("%s could not be opened for everyone. Try again.")},
        {"give", NULL,
         N_("Not all files could be opened for everyone; it stopped at %s. Nothing is lost. Try again. If it happens again, the "
            "file system or a disk may be damaged.")},
        {"write", NULL,
         N_("%s could not be written. The system disk may be full. Make room, then try again.")},
        {"smbd", NULL,
         N_("Samba was set up, but it doesn't answer. Try again. More stands in /var/log/samba/log.smbd.")},
        {"probe", NULL,
         N_("The share is set up, but a test file could not be put there over %s. Check that the network cable "
            "is in, then try again.")},
        {"cancelled", NULL,
         N_("The speed test was stopped. Nothing of it is left.")},

        /* the network */
        {"no-ports", NULL,
         N_("The network ports of this computer can't be looked at. Nothing was changed. Restart the computer "
            "and try again.")},
        {"no-port", NULL,
         N_("There is no network port with the hardware address %s any more. Nothing was changed. Put its card "
            "back, or choose another port.")},
        {"port-ambiguous", NULL,
         N_("More than one network port has the hardware address %s. Nothing was changed. Choose another port.")},
        {"port-used", NULL,
         N_("The port %s belongs to a network that somebody set up by hand. Nothing was changed. Choose another "
            "port.")},
        {"no-stack", NULL,
         N_("No program on this computer sets up the port %s at start. Nothing was changed. Type: apt install "
            "ifupdown")},
        {"files", NULL,
         N_("The network's files can't be changed: they have a line that can't be understood. Nothing was "
            "changed. Correct it, then try again.")},
        {"address-taken", NULL,
         N_("Another device in your network has the address %s. Choose another one.")},
        {"not-set", NULL,
         N_("The new address did not come up on %s within 30 seconds. Check the network cable, then try "
            "again.")},
        {"apply-failed", NULL,
         N_("The port %s could not be set up. Try again.")},
        {"name-failed", NULL,
         N_("The computer's name could not be set to %s. Try again.")},
        {"no-undo", NULL,
         N_("The old network settings could not be kept in %s, so nothing was changed. The system disk may be "
            "full. Make room, then try again.")},
        {"edited", NULL,
         N_("%s was changed since nas-setup wrote it. Putting the old file back would lose that, so nothing was "
            "touched.")},

        {"no-lamp", NULL,
         N_("The port %s has no lamp that can blink. Plug its cable in while you look here, or look for its hardware address.")},
        {"no-trial", NULL,
         N_("No change of the network waits to be kept. It was kept or taken back before.")},
        {"taken-back", NULL,
         N_("The new address was not kept, so the old settings are back. No disk was touched.")},

        /* the programs that are missing */
        {"no-mirror", NULL,
         N_("The missing programs can't be fetched: no answer from the internet. Check cable and router, or install by hand: %s")},
        {"no-sources", NULL,
         N_("It is not set where programs come from (/etc/apt/sources.list). Set it, or install them by hand: %s")},
        {"no-package", NULL,
         N_("Where programs come from (/etc/apt/sources.list) there is no: %s. Add a Debian mirror there, then try again.")},
        {"no-apt", NULL,
         N_("This system has no apt-get. Install by its own means: %s")},
        {"no-room", "packages",
         N_("The system disk has no room for the programs that are missing. Make room on it, then try again.")},
        {"apt-refuses", NULL,
         N_("The programs that are missing don't go together with what is installed. F3 shows why.")},
        {"apt-busy", NULL,
         N_("%s has been installing programs for half an hour. Wait until it has finished, then try again.")},
        {"not-installed", NULL,
         N_("Not all programs could be installed (%s). No disk was touched. Try again; F3 shows what went wrong.")},
        {"policy", NULL,
         N_("%s can't be written, so nothing was installed. The system disk may be full. Make room, then try again.")},
        {"not-here", NULL, N_("Programs are installed on the running system only.")},
        {"not-understood", NULL, N_("%s can't be understood, so it was left as it is. Mend it, then try again.")},
        {"no-zone", NULL, N_("There is no time zone \"%s\". It is written like Europe/Berlin: F4 on the first screen.")},
        {"no-keyboard", NULL,
         N_("The keyboard can't be set here: %s is not there. Leave it as it is: F4 on the first screen.")},
        {"no-sync", NULL, N_("The clock could not be made to follow the internet's time. Try again.")},
        {"no-clock", NULL, N_("The clock can't be set. Restart the computer and try again.")},
        {"apt", NULL,
         N_("The programs that are missing can't be looked for. Restart the computer and try again.")},

        {"installing", NULL, N_("Not now: %s is installing programs, and that must not be cut off.")},
        {"no-shutdown", NULL, N_("The computer does not obey. Leave, and type: reboot, or poweroff")},

        /* any of them */
        {"locked", NULL,
         N_("Another nas-setup is changing this computer right now. Wait until it has finished, then try again.")},
        {"no-lock", NULL,
         N_("%s can't be made, so nothing was changed. Only root can set up a NAS. Type: sudo nas-setup")},
        {"usage", NULL,
         N_("The plan asks for something that this version doesn't know (%s). Nothing was changed.")},
        {"unclear", NULL,
         N_("What it tells can't be understood. Install nas-setup anew, then start it again.")},
        {"helper-died", NULL,
         N_("The step ended without a word. What is done stays done. Try again.")},
};

/* There is no way on with these answers. */
static const char *const anew[] = {
        "other-disk",
        "protected",
        "changed-contents",
        "not-blank",
        "spans",
        "system",
        "external",
        "too-small",
        "other-array",
        "other-label",
        "usage",
};

static const struct message *find(const struct record *error)
{
        for (size_t i = 0; i < ELEMENTSOF(messages); i++)
                if (record_is(error, "code", messages[i].code) &&
                    (!messages[i].step || record_is(error, "step", messages[i].step)))
                        return &messages[i];
        return NULL;
}

char *message_text(const struct record *error)
{
        const struct message *m = find(error);
        const char *what = record_str(error, "what"), *text = record_str(error, "text");

        if (!m || (strstr(m->words, "%s") && !*what))
                return xstrdup(*text ? text : record_str(error, "why"));
        _cleanup_free_ char *words = xasprintf(_(m->words), what);
        for (size_t i = 0; i < ELEMENTSOF(anew); i++)
                if (streq(m->code, anew[i]))
                        return xasprintf("%s %s", words, _("Start anew (nas-setup --forget) and choose again."));
        return TAKE_PTR(words);
}
