/* The log: what was run, what it answered, what was decided, one line each with the time, appended to
 * LOG_FILE (0600) and nowhere else. Until log_open every call does nothing, so looking leaves no trace. */
#pragma once

#include "helpers/lib/util.h"

#define LOG_FILE "/var/log/nas-setup.log"

/* path is opened for appending; who stands in every line. Failing to open is no error: the work goes on unlogged. */
void log_open(const char *path, const char *who);
void log_line(const char *fmt, ...) _printf_(1, 2); /* one line: line ends become blanks, and it is defused */
