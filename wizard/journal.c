#include "wizard/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "helpers/lib/file.h"

int journal_begin(const struct plan *p)
{
        _cleanup_free_ char *text = plan_text(p);
        _cleanup_close_ int lock = -1;
        int r = lock_take(RUNNING_LOCK, &lock);

        if (r == 0)
                r = file_replace(JOURNAL_FILE, "", 0600);
        else if (r == -EWOULDBLOCK)
                r = -EBUSY;
        /* The old journal goes first: cut off between the two, an old plan without a journal is only run again. */
        return r < 0 ? r : file_replace(PLAN_FILE, text, 0600);
}

int journal_forget(void)
{
        _cleanup_close_ int lock = -1;
        int r = lock_take(RUNNING_LOCK, &lock);

        if (r == -EWOULDBLOCK)
                return -EBUSY;
        if (r == 0)
                r = file_remove(PLAN_FILE);
        return r < 0 ? r : file_remove(JOURNAL_FILE);
}

int journal_plan(struct plan *ret, struct record_error *ret_error)
{
        _cleanup_records_ struct records rs = {0};
        int r = records_read(PLAN_FILE, &rs, ret_error);

        return r < 0 ? r : plan_from_records(&rs, ret, ret_error);
}

void journal_set_time(struct record *r)
{
        char text[32];
        time_t now = time(NULL);
        struct tm tm;

        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
        record_set(r, "at", text);
}

int journal_add(const struct record *r)
{
        _cleanup_close_ int fd = open(JOURNAL_FILE, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        _cleanup_free_ char *text = record_text(r);
        _cleanup_free_ char *line = xasprintf("%s\n", text);
        size_t n = strlen(line);

        if (fd < 0 || write(fd, line, n) != (ssize_t)n || fdatasync(fd) < 0)
                return errno ? -errno : -EIO;
        return 0;
}

void journal_read(struct records *ret)
{
        _cleanup_free_ char *text = NULL;
        struct record_error error;

        *ret = (struct records){0};
        if (file_text(JOURNAL_FILE, &text) < 0)
                return;
        /* Cut off while it was written, the last line may be a part of one. */
        for (char *rest = text, *line; (line = strsep(&rest, "\n")) && rest;) {
                struct record *r = NULL;
                if (record_parse(line, &r, &error) == 0 && r)
                        records_add(ret, r);
        }
}

static bool ends_with(const struct records *journal, const char *word)
{
        return journal->n > 0 && streq(journal->v[journal->n - 1]->word, word);
}

bool journal_is_finished(const struct records *journal)
{
        return ends_with(journal, "finished") || journal_is_seen(journal);
}

bool journal_is_seen(const struct records *journal)
{
        return ends_with(journal, "seen");
}
