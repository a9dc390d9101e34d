/* What may stand in the names that people see on the network, checked while they type and again by nas-share.
 *
 * Sources: share names: Windows' NNLEN of 80 UTF-16 units, its list of illegal characters, smb.conf(5) for '%', '[',
 * ']', the reserved sections and the folding of blanks; comments: MAXCOMMENTSZ of 48 in old clients, Augeas' Samba.lns
 * for '#' and ';'; workgroups: 15 bytes, smb.conf(5); users: the 20 characters that Windows takes, and what useradd(8) takes
 * everywhere. testparm is no guard: it takes a%b. The computer's name is
 * hostname_check's. */
#pragma once

#include "helpers/lib/util.h"

enum sharename_kind {
        SHARENAME_SHARE,     /* "public" */
        SHARENAME_COMMENT,   /* "Files for everyone", may be empty */
        SHARENAME_WORKGROUP, /* "WORKGROUP" */
        SHARENAME_USER,      /* "family", who comes in with a password */
};

enum sharename_fault {
        SHARENAME_FINE,
        SHARENAME_EMPTY,
        SHARENAME_LONG,
        SHARENAME_ENCODING,  /* not valid UTF-8 */
        SHARENAME_CONTROL,   /* a control character or an invisible one */
        SHARENAME_CHARACTER, /* one that is not allowed; it is named */
        SHARENAME_EDGE,      /* a blank at the beginning or the end */
        SHARENAME_BLANKS,    /* two blanks in a row: Samba folds them into one */
        SHARENAME_DOTS,      /* nothing but dots, or a dot at the end */
        SHARENAME_HIDDEN,    /* ends in '$': Windows would not show it */
        SHARENAME_RESERVED,  /* means something else to Samba or Windows */
        SHARENAME_DIGITS,    /* nothing but digits; a user: no letter first */
        SHARENAME_FAULTS,
};

/* The first fault of s. For SHARENAME_CHARACTER ret_character (may be NULL) gets the character as NUL-terminated UTF-8,
 * otherwise "". */
enum sharename_fault sharename_check(enum sharename_kind kind, const char *s, char ret_character[5]);
/* The fault as an English sentence for the person who typed it, marked for gettext; it holds one %s, the character,
 * for SHARENAME_CHARACTER only. "" for SHARENAME_FINE. */
const char *sharename_message(enum sharename_kind kind, enum sharename_fault fault);
/* Samba wants the workgroup and the computer's NetBIOS name to differ (case does not count). */
bool sharename_workgroup_is_host(const char *workgroup, const char *netbios);

/* The slug of a share's name: [a-z0-9-]{1,12}, not beginning or ending with '-', for the array, the label and the folder
 * in /srv. Accents are dropped, what has no Latin letter too ("share" where nothing is left). mdadm takes a name of
 * digits alone, and "md7" or "d7", for a device number: these get "share-" before them. Where it is in taken (may be
 * NULL), a number follows: "public-2". */
char *sharename_slug(const char *name, char *const *taken) _must_check_;
bool sharename_is_slug(const char *s);
