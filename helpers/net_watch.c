#include "helpers/net_watch.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "helpers/net_hold.h"
#include "helpers/net_list.h"
#include "helpers/net_news.h"

#define GATHER_MS 50  /* news come in swarms */
#define APART_MS 250  /* between two blocks */
#define LATER_MS 1000 /* for what is written down after it happened; each second where nobody tells */
#define NEWCOMER_MS 4000

struct watch {
        struct hold hold;
        int news;         /* net_news.h */
        uint64_t news_at; /* 0: none */
        uint64_t told_at;
        uint64_t later_at;    /* look again, told or not; 0: never */
        uint64_t newcomer_at; /* hold up what came; 0: nothing did */
        size_t n_ports;
        char *told; /* the last block */
};

static void watch_free(struct watch *w)
{
        hold_end(&w->hold);
        closep(&w->news);
        free(w->told);
}

/* --- telling --- */

static char *block_text(const struct ports *ports)
{
        _cleanup_records_ struct records rs = {0};
        struct buf b = {0};

        net_list_records(ports, &rs);
        RECORDS_FOREACH(r, &rs)
        {
                _cleanup_free_ char *line = record_text(r);
                buf_printf(&b, "%s\n", line);
        }
        buf_puts(&b, "listed\n");
        return b.buf;
}

/* -errno where nobody listens any more. */
static int print_block(struct watch *w, const struct ports *ports)
{
        _cleanup_free_ char *text = block_text(ports);

        if (streq_null(text, w->told))
                return 0;
        free(w->told);
        w->told = TAKE_PTR(text);
        w->told_at = now_ms();
        return fputs(w->told, stdout) < 0 || fflush(stdout) < 0 ? -EPIPE : 0;
}

static int tell(struct watch *w, bool is_late)
{
        _cleanup_ports_ struct ports ports = {0};

        hold_mind(&w->hold);
        w->news_at = 0;
        w->later_at = is_late && w->news >= 0 ? 0 : now_ms() + LATER_MS;
        int r = net_look(&ports);
        if (r < 0)
                return r;
        if (ports.n > w->n_ports && w->n_ports > 0)
                w->newcomer_at = now_ms() + NEWCOMER_MS;
        w->n_ports = ports.n;
        return print_block(w, &ports);
}

static void hold_ports(struct watch *w)
{
        _cleanup_ports_ struct ports ports = {0};

        w->newcomer_at = 0;
        if (net_look(&ports) == 0)
                hold_up(&w->hold, &ports);
}

/* --- waiting --- */

static void earliest(uint64_t *at, uint64_t other)
{
        if (other && (*at == 0 || other < *at))
                *at = other;
}

static uint64_t news_due(const struct watch *w)
{
        return w->news_at ? MAX2(w->news_at + GATHER_MS, w->told_at + APART_MS) : 0;
}

static int wait_ms(const struct watch *w)
{
        uint64_t at = news_due(w), now = now_ms();

        earliest(&at, w->later_at);
        earliest(&at, w->newcomer_at);
        return at == 0 ? -1 : at > now ? (int)(at - now) : 0;
}

/* False where nobody listens any more. */
static bool wait_for_news(struct watch *w)
{
        struct pollfd fds[] = {{.fd = STDOUT_FILENO}, {.fd = w->news, .events = POLLIN}};

        if (poll(fds, ELEMENTSOF(fds), wait_ms(w)) < 0) {
                bool is_asked = errno == EINTR;
                hold_mind(&w->hold); /* SIGTERM: somebody is about to change the network */
                return is_asked;
        }
        if (fds[1].revents) {
                news_take(w->news);
                w->news_at = w->news_at ? w->news_at : now_ms();
        }
        return !(fds[0].revents & (POLLERR | POLLHUP));
}

static bool is_due(uint64_t at)
{
        return at && now_ms() >= at;
}

static int watch(const void *ctx _unused_)
{
        _cleanup_(watch_free) struct watch w = {.news = news_open()}; /* before the first look: nothing comes between */
        int r;

        hold_begin(&w.hold);
        r = tell(&w, false);
        if (r == 0)
                hold_ports(&w);
        while (r == 0 && wait_for_news(&w)) {
                if (is_due(w.newcomer_at))
                        hold_ports(&w);
                if (is_due(news_due(&w)) || is_due(w.later_at))
                        r = tell(&w, w.news_at == 0);
        }
        return r == 0 || r == -EPIPE ? HELPER_DONE : net_say_no_ports(r);
}

int watch_run(const struct record *args _unused_)
{
        int r = run_apart(watch, NULL);

        return r < 0 ? net_say_no_ports(r) : r;
}
