/* What is known of this machine: the records that the helpers' lists printed, and typed views on them. Facts come from
 * the helpers or from a file that holds the same records ("machine"), so every screen and every plan can be tried
 * with a text file. Strings in the views belong to the facts and are never NULL ("" where unknown). */
#pragma once

#include "helpers/lib/record.h"

enum tri { UNKNOWN = -1, NO = 0, YES = 1 };

struct port {
        const char *name, *mac, *driver, *card;
        const char *kind;   /* wired, wifi, virtual */
        unsigned speed;     /* Mb/s; 0 unknown */
        enum tri carrier;
        bool up;
        char **addresses;   /* IPv4 with prefix */
        const char *gateway, *domain;
        char **dns;
        const char *method; /* dhcp, static, none, unknown */
        const char *stack;  /* ifupdown, networkd, networkmanager, netplan, none */
        const char *ours;   /* lan, off or "" */
};

struct content {
        const char *on, *type, *label, *uuid, *system;
        uint64_t size, used;
        bool used_known;
};

struct disk {
        const char *name, *path, *id, *bypath, *serial, *wwn, *model;
        uint64_t size;      /* bytes */
        unsigned sector;    /* logical, bytes */
        unsigned rpm;       /* 0 unknown */
        const char *kind;   /* disk, ssd, nvme, usb, sd, virtual */
        const char *state;  /* good, worn, failing, unknown */
        const char *holds;  /* blank, data, system, member, unknown */
        const char *found;
        const char *protected, *protectedby; /* "" where it may be written to */
        char **usedby;      /* running arrays and volumes on it, which nothing mounts; NULL for none */
        struct content *contents;
        size_t n_contents;
};

struct facts {
        struct records records; /* as printed; the views point into it */
        const char *host, *domain, *os;
        uint64_t memory;        /* bytes; 0 unknown */
        struct port *ports;
        size_t n_ports;
        struct disk *disks;
        size_t n_disks;
        const char *workgroup;  /* of the smb.conf that is there, or "" */
        bool has_samba;
};

/* Asks every helper at once and reads /etc/os-release and /proc/meminfo. A helper that fails leaves its part empty and a
 * record "missing helper=… why=…". */
int facts_gather(struct facts *ret);
/* A machine file. -EBADMSG with *ret_error. */
int facts_read(const char *path, struct facts *ret, struct record_error *ret_error);
/* Takes the records over. */
void facts_from_records(struct records *rs, struct facts *ret);
void facts_print(const struct facts *f, FILE *out);
void facts_free(struct facts *f);
#define _cleanup_facts_ _cleanup_(facts_free)

const struct port *facts_port(const struct facts *f, const char *mac);
/* The disk of that serial, WWN, by-id or by-path name. *ret_n tells how many it fits; NULL unless 1. */
const struct disk *facts_disk(const struct facts *f, const char *name, size_t *ret_n);
/* A name for answers and plans that fits this disk alone: serial, else WWN, by-id, by-path, kernel name. */
const char *disk_key(const struct facts *f, const struct disk *d);
bool is_choosable(const struct disk *d);  /* neither protected nor used by anything that runs */
char *protected_words(const struct disk *d) _must_check_; /* why it is not, translated: "sda can't be chosen: …" */
bool is_blank(const struct disk *d);      /* surely nothing on it */
/* The check record for what ("address", "gateway", "dns") and this value, or NULL while nothing is known. */
const struct record *facts_check(const struct facts *f, const char *what, const char *value);
/* "4.0 TB", "120 GB": decimal, one decimal below 100. */
char *size_words(uint64_t bytes) _must_check_;
