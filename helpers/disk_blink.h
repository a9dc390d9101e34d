/* The verb that shows a person which disk is meant. */
#pragma once

#include "helpers/lib/helper.h"

extern const struct param blink_params[];

/* Lights the disk's lamp for some seconds: its place in an enclosure through ledctl (locate, at the end locate_off), else
 * its lamp of activity by reading in a rhythm of half a second, from places far apart, so that a disk that turns can be
 * heard too. Only reads. Ends early by SIGTERM, or when its output is closed, lamp off. Refused (failing) for a disk that
 * says it is failing, cannot be read or does not answer: its reads are wanted for its files. */
int run_blink(const struct record *args);
