/* What goes on by itself: the next step of each task whose time has come, and the state on the login screen. */
#pragma once

/* uuid NULL: of every array. wait: first, at most so many seconds, until every array of ours runs whole; takes the write lock after that. An enum
 * helper_status, told: of the first that failed; the others are done all the same. */
int raid_settle(const char *uuid, unsigned wait);
/* What mdadm's monitor tells: name "DegradedArray" …, array "/dev/md127", member "/dev/sda1" or NULL. Into the log of the system and
 * onto the login screen; then as raid_settle, where nobody else is changing this computer. */
int raid_event(const char *name, const char *array, const char *member);
