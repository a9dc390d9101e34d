/* nas-watch EVENT ARRAY [MEMBER]: what mdadm's monitor calls, which gives its program no other words. The work is nas-raid's, and
 * the monitor does not wait for it. */
#include <unistd.h>

#include "helpers/lib/run.h"

int main(int argc, char **argv)
{
        begin_process();
        if (argc < 3 || argc > 4) {
                fprintf(stderr, "usage: nas-watch EVENT ARRAY [MEMBER]\n");
                return 2;
        }
        _cleanup_free_ char *folder = own_folder(), *program = path_join(folder, "nas-raid"), *name = xasprintf("name=%s", argv[1]),
                            *array = xasprintf("array=%s", argv[2]), *member = argc > 3 ? xasprintf("member=%s", argv[3]) : NULL;
        return run_detached(STRV(program, "event", name, array, member), STDIN_FILENO, STDOUT_FILENO) < 0;
}
