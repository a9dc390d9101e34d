#include "helpers/share_listen.h"

#include <errno.h>
#include <poll.h>

#define LISTEN_MS 20000

/* proc(5), net/tcp: "sl local_address:PORT rem_address:PORT st"; state 0A is listening, 07 a UDP port that nobody in
 * particular is connected to. */
static bool listens_in(const char *text, unsigned port, unsigned wanted)
{
        for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
                unsigned local, state;
                if (sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &local, &state) == 2 && local == port &&
                    state == wanted)
                        return true;
        }
        return false;
}

bool share_listens(const char *protocol, unsigned port)
{
        for (int v6 = 0; v6 < 2; v6++) {
                _cleanup_free_ char *file = xasprintf("/proc/net/%s%s", protocol, v6 ? "6" : ""), *text = NULL;
                if (read_text(file, 4 * MIB, &text) == 0 && listens_in(text, port, streq(protocol, "udp") ? 0x07 : 0x0a))
                        return true;
        }
        return false;
}

int share_wait_for_port(const char *protocol, unsigned port, bool open)
{
        for (uint64_t until = now_ms() + LISTEN_MS; share_listens(protocol, port) != open; poll(NULL, 0, 10))
                if (now_ms() > until)
                        return -ETIMEDOUT;
        return 0;
}
