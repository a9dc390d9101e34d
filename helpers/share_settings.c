#include "helpers/share_settings.h"

#include "helpers/share_allow.h"

void settings_free(struct settings *s)
{
        for (size_t i = 0; i < s->n; i++)
                free(s->v[i].value);
}

static const struct line {
        const char *key, *value;
        enum when when;
} global_lines[] =
    {
        {"map to guest", "Bad User", ALWAYS},      {"server role", "standalone server", IF_ABSENT},
        {"disable netbios", "yes", IF_NETBIOS},    {"smb ports", "445", IF_NETBIOS},
        {"smb2 max read", "1048576", IF_ABSENT},   {"smb2 max write", "1048576", IF_ABSENT},
        {"smb2 max trans", "1048576", IF_ABSENT},  {"load printers", "no", IF_PRINTS},
        {"printcap name", "/dev/null", IF_PRINTS}, {"disable spoolss", "yes", IF_PRINTS},
},
  public_lines[] = {
      {"create mask", "0664", ALWAYS},
      {"directory mask", "2775", ALWAYS},
      {"force create mode", "0664", ALWAYS},
      {"force directory mode", "2775", ALWAYS},
      {"nt acl support", "no", ALWAYS}, /* nobody takes a file away from the others, in Windows' "Security" say */
      {"veto files", "/lost+found/" SHARE_BACKUP_FOLDER "/", IF_ABSENT},
},
  backup_lines[] = {
      {"create mask", "0600", ALWAYS},
      {"directory mask", "0700", ALWAYS},
      {"fruit:time machine", "yes", ALWAYS},
},
  mac_lines[] = {
      {"vfs objects", "catia fruit streams_xattr", IF_ABSENT},
      {"fruit:metadata", "stream", IF_ABSENT},
      {"fruit:posix_rename", "yes", IF_ABSENT},
      {"fruit:veto_appledouble", "no", IF_ABSENT},
      {"fruit:nfs_aces", "no", IF_ABSENT},
      {"fruit:wipe_intentionally_left_blank_rfork", "yes", IF_ABSENT},
      {"fruit:delete_empty_adfiles", "yes", IF_ABSENT},
},
  share_lines[] = {
      {"read only", "no", ALWAYS},
      {"browseable", "yes", ALWAYS},
      {"root preexec close", "yes", ALWAYS},
      /* What all shares have from [global] would shut people out, let them out of the folder, or make them root. */
      {"available", "yes", AGAINST},
      {"admin users", "", AGAINST},
      {"invalid users", "", AGAINST},
      {"read list", "", AGAINST},
      {"write list", "", AGAINST},
      {"hosts deny", "", AGAINST},
      {"guest only", "no", AGAINST},
      {"max connections", "0", AGAINST},
      {"wide links", "no", AGAINST},
      {"inherit permissions", "no", AGAINST},
      {"inherit owner", "no", AGAINST},
};

static void want(struct settings *s, const char *section, const char *key, char *value, enum when when)
{
        s->v[s->n++] = (struct setting){section, key, value, value ? when : GONE, false};
}

char *settings_hosts_allow(char *const *allow)
{
        if (strv_len(allow) == 0)
                return NULL;
        _cleanup_free_ char *list = strv_join(allow, " ");
        return xasprintf("%s 127.0.0.1 ::1 " OWN_LINK, list);
}

/* Without a file system there, Samba would serve the empty folder below it, on the system disk. */
static char *preexec(const struct share_wanted *w)
{
        return xasprintf("/usr/bin/findmnt -rn -S UUID=%s -M %s", w->uuid, w->mount);
}

static void want_constants(struct settings *s, const char *section, const struct line *lines, size_t n)
{
        for (size_t i = 0; i < n; i++) {
                want(s, section, lines[i].key, xstrdup(lines[i].value), lines[i].when);
                s->v[s->n - 1].is_loose = true;
        }
}

void settings_of(const struct share_wanted *w, struct settings *s)
{
        const char *owner = w->backup_size ? w->login : w->user;

        if (w->workgroup)
                want(s, GLOBAL, "workgroup", xstrdup(w->workgroup), ALWAYS);
        if (w->netbios)
                want(s, GLOBAL, "netbios name", xstrdup(w->netbios), ALWAYS);
        want_constants(s, GLOBAL, global_lines, ELEMENTSOF(global_lines));
        want(s, w->name, "path", xstrdup(w->path), ALWAYS);
        want(s, w->name, "comment", *w->comment ? xstrdup(w->comment) : NULL, ALWAYS);
        want(s, w->name, "force user", xstrdup(owner), ALWAYS);
        want(s, w->name, "force group", xstrdup(owner), ALWAYS);
        want(s, w->name, "guest ok", xstrdup(w->is_locked ? "no" : "yes"), ALWAYS);
        want(s, w->name, "valid users", xstrdup(w->is_locked ? w->login : ""), w->is_locked ? ALWAYS : AGAINST);
        want(s, w->name, "hosts allow", settings_hosts_allow(w->allow), ALWAYS);
        want(s, w->name, "root preexec", preexec(w), ALWAYS);
        want_constants(s, w->name, share_lines, ELEMENTSOF(share_lines));
        if (w->backup_size) {
                want_constants(s, w->name, backup_lines, ELEMENTSOF(backup_lines));
                want(s, w->name, "fruit:time machine max size", xasprintf("%llu", (unsigned long long)w->backup_size), ALWAYS);
        } else
                want_constants(s, w->name, public_lines, ELEMENTSOF(public_lines));
        if (w->for_macs || w->backup_size)
                want_constants(s, w->name, mac_lines, ELEMENTSOF(mac_lines));
}
