/* What is known of this machine: the records that the helpers' lists printed, and typed views on them. Facts come from
 * the helpers or from a file that holds the same records ("machine"), so every screen and every plan can be tried
 * with a text file. Strings in the views belong to the facts and are never NULL ("" where unknown). */
#pragma once

#include "helpers/lib/record.h"
#include "helpers/lib/run.h"

#define DISK_LEAST GIB /* smaller disks are never taken, as by nas-disk */

enum tri { UNKNOWN = -1, NO = 0, YES = 1 };

struct port {
        const char *name, *mac, *driver, *card;
        const char *kind;   /* wired, wifi, bond, bridge, vlan, tunnel, virtual */
        const char *bus;    /* pci, usb, virtual or "" */
        char **members;     /* names of the ports that a bond, bridge or VLAN is made of; NULL for none */
        const char *usedby; /* the bond, bridge or VLAN that it is a part of, or "" */
        unsigned speed, best, peer; /* Mb/s: now, what the card and what the other end can at best; 0 unknown */
        bool half;          /* one direction at a time */
        enum tri carrier;
        bool up;
        char **addresses;   /* IPv4 with prefix */
        const char *gateway, *domain;
        char **dns;
        const char *method; /* dhcp, static, none, unknown */
        char **addresses6;  /* IPv6 with prefix, fe80 left out */
        const char *gateway6;
        const char *stack;  /* ifupdown, networkd, networkmanager, netplan, none */
        const char *ours;   /* lan, off or "" */
};

struct content {
        const char *on, *type, *label, *uuid, *system;
        const char *set;    /* UUID of the set that it is a member of or, on a running layer, lies in; "" for none */
        uint64_t size, used;
        bool used_known;
};

struct disk {
        const char *name, *path, *id, *bypath, *serial, *wwn, *model;
        uint64_t size;      /* bytes */
        unsigned sector;    /* logical, bytes */
        unsigned rpm;       /* 0 unknown */
        const char *kind;   /* disk, ssd, nvme, usb, sd, virtual */
        const char *state;  /* good, worn, failing, unknown, looking */
        const char *why;    /* of worn and failing: reallocated, pending, silent, … (nas-helpers(8)), or "" */
        uint64_t figure;    /* the number that belongs to why */
        int temperature;    /* °C; INT_MIN unknown */
        uint64_t hours;     /* powered on; 0 unknown */
        const char *holds;  /* blank, data, system, member, unknown, looking */
        const char *found;
        const char *protected, *protectedby; /* "" where it may be written to */
        bool letgo;         /* only mounts or swap protect it that may be taken down with the person's consent */
        char **usedby;      /* running arrays and volumes on it, which nothing mounts; NULL for none */
        char **stuck;       /* those of them that no layer tells how to take down; NULL for none */
        struct content *contents;
        size_t n_contents;
};

/* Several disks or partitions that belong together: an array, a volume group, a file system over several disks. It may
 * run or only be written on the disks. */
struct set {
        const char *type;   /* md, lvm, btrfs, zfs, imsm, ddf */
        const char *uuid, *name, *level;
        unsigned devices;   /* as it was made; 0 unknown */
        char **members, **stale; /* names of disks and partitions: those that are current, those that were left behind */
        char **disks;       /* names of the disks of both */
        const char *state;  /* whole, degraded, broken, unknown */
        bool reshape;       /* a change of its level, size or number of disks was begun */
        const char *running; /* the kernel's name, "" while it does not run */
        uint64_t size;
};

/* Something that runs on disks and has to be taken down before they can be written; in the order in which that goes. */
struct layer {
        const char *name;   /* kernel or volume name, mount point, swap device */
        const char *type;   /* md, lvm, crypt, dm, mount, swap */
        const char *uuid;   /* "" for mount and swap */
        char **on, **disks; /* names of what is directly below, and of the disks below all */
};

struct facts {
        struct records records; /* as printed; the views point into it */
        const char *host, *domain, *os;
        bool ssh;               /* this terminal came over the network: */
        const char *from, *via; /* the address it came from and the name of the port here, or "" */
        const char *trial;      /* the address that waits to be confirmed, or "" */
        uint64_t memory;        /* bytes; 0 unknown */
        struct port *ports;
        size_t n_ports;
        struct disk *disks;
        size_t n_disks;
        struct content *contents; /* what lies on running layers; that of disks is theirs */
        size_t n_contents;
        struct set *sets;
        size_t n_sets;
        struct layer *layers;
        size_t n_layers;
        const char *workgroup;  /* of the smb.conf that is there, or "" */
        bool has_samba;
};

/* Asks every helper at once and reads /etc/os-release and /proc/meminfo. A helper that fails leaves its part empty and a
 * record "missing helper=… why=…". */
int facts_gather(struct facts *ret);
/* The parts of facts_gather, for whoever runs the helpers by himself: "system os= memory="; what the list that has ended
 * said, or a record "missing"; that record alone, with the code of the error among what it said (may be NULL). */
void facts_add_system(struct records *rs);
void facts_add_list(struct records *rs, const char *helper, const struct run *run);
void facts_add_missing(struct records *rs, const char *helper, const struct run *run, const struct records *said);
/* A machine file. -EBADMSG with *ret_error. */
int facts_read(const char *path, struct facts *ret, struct record_error *ret_error);
/* Takes the records over. */
void facts_from_records(struct records *rs, struct facts *ret);
void facts_print(const struct facts *f, FILE *out);
void facts_free(struct facts *f);
#define _cleanup_facts_ _cleanup_(facts_free)

/* A port for a cable that is no part of a bond, bridge or VLAN. */
bool port_is_choosable(const struct port *p);
const struct port *facts_port(const struct facts *f, const char *mac);
/* The disk of that serial, WWN, by-id or by-path name. *ret_n tells how many it fits; NULL unless 1. */
const struct disk *facts_disk(const struct facts *f, const char *name, size_t *ret_n);
/* A name for answers and plans that fits this disk alone: serial, else WWN, by-id, by-path, kernel name. */
const char *disk_key(const struct facts *f, const struct disk *d);
/* The disk on which this disk, partition or member lies ("sdb1", "nvme0n1p2"), or NULL. */
const struct disk *facts_disk_of(const struct facts *f, const char *name);
const struct set *facts_set(const struct facts *f, const char *uuid); /* or NULL */
bool set_has_disk(const struct set *set, const struct disk *d);
/* What lies in a running set itself (not in its partitions or volumes), or NULL. */
const struct content *set_content(const struct facts *f, const struct set *set);
/* May be chosen at all: not protected (but see letgo), all that runs on it can be taken down, at least 1 GiB, and it answers. */
bool is_choosable(const struct disk *d);
char *protected_words(const struct disk *d) _must_check_; /* why it is not, translated: "sda can't be chosen: …" */
/* What uses it, for sentences: "md0, /mnt/photos". */
char *protectedby_words(const struct disk *d) _must_check_;
bool is_blank(const struct disk *d);      /* surely nothing on it */
bool is_being_looked_at(const struct disk *d);    /* what is on it or how it is is still being found out */
bool is_failing(const struct disk *d);
/* The check record for what ("address", "gateway", "dns") and this value, or NULL while nothing is known. */
const struct record *facts_check(const struct facts *f, const char *what, const char *value);
/* "4.0 TB", "120 GB": decimal, one decimal below 100. */
char *size_words(uint64_t bytes) _must_check_;
