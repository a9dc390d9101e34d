#include "wizard/script.h"

#include <errno.h>
#include <time.h>

#include "wizard/ui.h"

static const struct {
        const char *word;
        int key;
} words[] = {
    {"Enter", K_ENTER},
    {"Esc", K_ESC},
    {"Tab", K_TAB},
    {"BackTab", K_BACKTAB},
    {"Up", K_UP},
    {"Down", K_DOWN},
    {"Left", K_LEFT},
    {"Right", K_RIGHT},
    {"Home", K_HOME},
    {"End", K_END},
    {"PgUp", K_PAGE_UP},
    {"PgDn", K_PAGE_DOWN},
    {"Backspace", K_BACKSPACE},
    {"Delete", K_DELETE},
    {"Space", ' '},
    {"Ctrl-C", K_F10},
    {"Ctrl-U", K_CLEAR},
    {"F1", K_F1},
    {"F2", K_F2},
    {"F3", K_F3},
    {"F4", K_F4},
    {"F5", K_F5},
    {"F6", K_F6},
    {"F10", K_F10},
    {"?", '?'},
};

int script_open(struct script *s, const char *path, const char *dump)
{
        int r = read_text(path, 1 << 20, &s->text);

        if (r < 0)
                return r;
        /* Comments become blanks. */
        for (char *p = s->text; (p = strchr(p, '#'));)
                while (*p && *p != '\n')
                        *p++ = ' ';
        s->at = s->text;
        const char *slash = strrchr(path, '/');
        s->folder = slash ? xstrndup(path, (size_t)(slash - path)) : xstrdup(".");
        s->out = dump ? fopen(dump, "we") : stdout;
        return s->out ? 0 : -errno;
}

static int named_key(const char *word)
{
        for (size_t i = 0; i < ELEMENTSOF(words); i++)
                if (streq(words[i].word, word))
                        return words[i].key;
        return -1;
}

static int take_character(struct script *s)
{
        int c = (unsigned char)*s->characters++;

        if (c == '_')
                return ' ';
        /* The rest of a UTF-8 character: the file is a test's own and well formed. */
        int more = c >= 0xf0 ? 3 : c >= 0xe0 ? 2 : c >= 0xc0 ? 1 : 0;
        c = more == 3 ? c & 7 : more == 2 ? c & 15 : more == 1 ? c & 31 : c;
        for (; more > 0 && *s->characters; more--)
                c = c << 6 | (*s->characters++ & 0x3f);
        return c;
}

static void wait_tenth(void)
{
        nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static int take_word(struct script *s, const char *page, char *word)
{
        int lines, columns;
        char *star = strrchr(word, '*');

        if (has_prefix(word, "text:")) {
                s->characters = word + 5;
                return K_NONE;
        }
        if (streq(word, "dump") || has_prefix(word, "dump:")) {
                ui_dump(s->out, word[4] ? word + 5 : page);
                return K_NONE;
        }
        if (sscanf(word, "size:%dx%d", &columns, &lines) == 2) {
                ui_resize(lines, columns);
                return K_RESIZE;
        }
        if (has_prefix(word, "progress:")) {
                free(s->progress);
                s->progress = path_join(s->folder, word + 9);
                return K_NONE;
        }
        if (has_prefix(word, "look:")) {
                free(s->seen);
                s->seen = path_join(s->folder, word + 5);
                return K_NONE;
        }
        if (has_prefix(word, "language:")) {
                s->language = word + 9;
                return K_NONE;
        }
        if (has_prefix(word, "open:")) {
                s->opened = word + 5;
                return K_NONE;
        }
        if (streq(word, "wait")) {
                wait_tenth();
                return K_NONE;
        }
        s->times = 1;
        if (star && parse_uint(star + 1, 1000, &s->times) == 0)
                *star = 0;
        return named_key(word);
}

int script_next(struct script *s, const char *page, int *ret_key)
{
        if (s->characters && *s->characters) {
                *ret_key = take_character(s);
                return 1;
        }
        if (s->times > 1) {
                s->times--;
                *ret_key = s->key;
                return 1;
        }
        s->times = 0;
        s->word = strtok_r(s->at, " \t\n", &s->at);
        if (!s->word)
                return 0;
        s->key = take_word(s, page, s->word);
        if (s->key < 0) {
                fprintf(stderr, "no such key word: %s\n", s->word);
                return -EBADMSG;
        }
        *ret_key = s->key;
        return 1;
}

void script_free(struct script *s)
{
        free(s->text);
        free(s->folder);
        free(s->progress);
        free(s->seen);
        if (s->out && s->out != stdout)
                fclose(s->out);
}
