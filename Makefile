# nas-setup. `make try` is the practice box, `make check` the tests; see README.md.
VERSION := 0.1.0
PREFIX ?= /usr/local
SBINDIR ?= $(PREFIX)/sbin
MANDIR ?= $(PREFIX)/share/man
UNITDIR ?= $(PREFIX)/lib/systemd/system
SYSCONFDIR ?= /etc
CC ?= gcc
PKG_CONFIG ?= pkg-config
CFLAGS ?= -O2 -g
ifneq ($(SANITIZE),)
CFLAGS += -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif
# B is where everything is built: objects of different flags never meet.
B := build/$(if $(SANITIZE),sanitize,plain)
Q := $(if $(V),,@)

CFLAGS_ALL = -std=gnu11 -D_GNU_SOURCE -I. -MMD -MP -Wall -Wextra -Wshadow -Wformat=2 -Wno-format-nonliteral \
	-Wstrict-prototypes -Wmissing-prototypes -Werror=implicit -fstack-protector-strong \
	-DVERSION='"$(VERSION)"' $(CFLAGS)

LIB := $(patsubst %,helpers/lib/%.o,util record log file run trial helper usable address address6 sharename password md verdict)
EDIT := helpers/lib/edit.o
MOUNTS := helpers/lib/mounts.o
HELPERS := nas-net nas-system nas-disk nas-raid nas-fs nas-share nas-speed nas-watch

# What each program is made of: objects beside its own, and libraries by their pkg-config names.
nas-net_OBJS  := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/net_*.c)) $(EDIT)
nas-system_OBJS := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/sys_*.c)) $(EDIT)
nas-disk_OBJS := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/disk_*.c))
nas-raid_OBJS := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/raid_*.c)) $(EDIT) $(MOUNTS)
nas-fs_OBJS   := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/fs_*.c)) $(EDIT) $(MOUNTS)
nas-share_OBJS := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/share_*.c)) helpers/net_news.o $(EDIT) $(MOUNTS)
nas-speed_OBJS := $(patsubst helpers/%.c,helpers/%.o,$(wildcard helpers/speed_*.c)) $(MOUNTS)
nas-net_PKGS := augeas
nas-system_PKGS := augeas
nas-disk_PKGS := blkid libudev mount jansson
nas-raid_PKGS := augeas blkid mount
nas-fs_PKGS := augeas blkid mount
nas-share_PKGS := augeas mount
nas-speed_PKGS := mount
nas-setup_PKGS := ncursesw
$(B)/nas-speed: LDLIBS += -lm
WIZARD := $(patsubst %.c,%.o,$(wildcard wizard/*.c))
PO := $(wildcard po/*.po)

PROGRAMS := $(addprefix $(B)/,nas-setup $(filter $(patsubst helpers/%.c,%,$(wildcard helpers/nas-*.c)),$(HELPERS)))
MO := $(patsubst po/%.po,$(B)/share/locale/%/LC_MESSAGES/nas-setup.mo,$(PO))
MAN := $(patsubst %.scd,$(B)/%,$(wildcard wizard/*.scd helpers/*.scd))

all: $(PROGRAMS) $(MO) $(MAN)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC   $<")
	$(Q)$(CC) $(CFLAGS_ALL) $(shell $(PKG_CONFIG) --cflags augeas libparted blkid libudev mount ncursesw) -c -o $@ $<

$(B)/libnas.a: $(addprefix $(B)/,$(LIB))
	$(Q)rm -f $@; ar rcs $@ $^

.SECONDEXPANSION:
$(addprefix $(B)/,$(HELPERS)): $(B)/%: $(B)/helpers/%.o $$(addprefix $(B)/,$$($$*_OBJS)) $(B)/libnas.a
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(if $($*_PKGS),$(shell $(PKG_CONFIG) --libs $($*_PKGS))) $(LDLIBS)

$(B)/nas-setup: $(addprefix $(B)/,$(WIZARD)) $(B)/libnas.a
	$(if $(V),,@echo "  LD   $@")
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(shell $(PKG_CONFIG) --libs ncursesw) $(LDLIBS)

$(B)/share/locale/%/LC_MESSAGES/nas-setup.mo: po/%.po
	@mkdir -p $(@D)
	$(Q)msgfmt -c -o $@ $<

$(B)/%.8: %.8.scd
	@mkdir -p $(@D)
	$(Q)scdoc < $< > $@

install: all
	install -d $(DESTDIR)$(SBINDIR) $(DESTDIR)$(MANDIR)/man8
	install -m 755 $(PROGRAMS) $(DESTDIR)$(SBINDIR)
	$(if $(MAN),install -m 644 $(MAN) $(DESTDIR)$(MANDIR)/man8)
	install -d $(DESTDIR)$(UNITDIR)
	sed 's|@SBINDIR@|$(SBINDIR)|' wizard/nas-setup@.service >$(DESTDIR)$(UNITDIR)/nas-setup@.service
	chmod 644 $(DESTDIR)$(UNITDIR)/nas-setup@.service
	$(if $(TTY1),install -d $(DESTDIR)$(SYSCONFDIR)/systemd/system/getty.target.wants)
	$(if $(TTY1),ln -sfn $(UNITDIR)/nas-setup@.service $(DESTDIR)$(SYSCONFDIR)/systemd/system/getty.target.wants/nas-setup@tty1.service)
	for mo in $(MO:$(B)/share/locale/%=%); do \
		install -D -m 644 $(B)/share/locale/$$mo $(DESTDIR)$(PREFIX)/share/locale/$$mo; done

# --- tests ---

UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/*.c))
CORE := $(addprefix $(B)/,$(filter-out wizard/main.o wizard/wizard%.o wizard/ui%.o wizard/page%.o,$(WIZARD)))
HOST_SUITES := tests/lint.sh $(wildcard tests/helpers/*.sh tests/plans/*.sh tests/screens/*.sh) tests/screens/run
BOX_SUITES := $(wildcard tests/box/cases/*.sh tests/box/scenarios/*.sh)
LONG_SUITES := $(wildcard tests/box/long/*.sh)
# What a unit test needs beside the two libraries.
smart_TEST_OBJS := helpers/disk_smart.o
smart_TEST_PKGS := jansson
raid_super_TEST_OBJS := helpers/raid_super.o
disk_hostile_TEST_OBJS := $(patsubst %,helpers/disk_%.o,fill region member md lvm pool)
disk_torn_TEST_OBJS := $(patsubst %,helpers/disk_%.o,consent wipe gpt probe fill region member md lvm pool)
disk_torn_TEST_PKGS := blkid
verdict_TEST_OBJS := helpers/speed_zones.o helpers/speed_measure.o
$(B)/tests/verdict: LDLIBS += -lm

$(B)/libcore.a: $(CORE)
	$(Q)rm -f $@; ar rcs $@ $^

$(UNIT): $(B)/tests/%: tests/unit/%.c $(B)/libcore.a $(B)/libnas.a $$(addprefix $(B)/,$$($$*_TEST_OBJS))
	@mkdir -p $(@D)
	$(if $(V),,@echo "  TEST $<")
	$(Q)$(CC) $(CFLAGS_ALL) $(LDFLAGS) -o $@ $< $(addprefix $(B)/,$($*_TEST_OBJS)) $(B)/libcore.a $(B)/libnas.a \
		$(shell $(PKG_CONFIG) --libs cmocka $($*_TEST_PKGS)) $(LDLIBS)

# What is missing is installed: what building needs, and what the tests and the practice box need beside it.
build-packages:
	tests/install-packages tests/packages-build

packages:
	tests/install-packages tests/packages-build tests/packages-test

# Everything that needs no box; with SANITIZE=1 all of it runs under ASan and UBSan.
check-host: packages
	+$(MAKE) all unit
	BUILD=$(B) tests/run -j 2 $(UNIT) $(HOST_SUITES)

unit: $(UNIT)

box: packages
	+$(MAKE) -s -C tests/box

check: packages
	+$(MAKE) all unit box
	BUILD=$(B) tests/run -j 2 $(UNIT) $(HOST_SUITES) $(if $(SANITIZE),,tests/box/test $(BOX_SUITES))

check-all: packages
	+$(MAKE) all unit box
	BUILD=$(B) LIMIT=7200 tests/run -j 2 $(UNIT) $(HOST_SUITES) tests/box/test $(BOX_SUITES) $(LONG_SUITES) \
		$(addprefix trixie:,$(BOX_SUITES))

try: packages
	+$(MAKE) -s all box
	tests/box/try

# Tables of what things cost beside the usual tools: ratios, never a test. TABLES="probe apply array share speed" picks some.
bench: packages
	+$(MAKE) -s all box
	BUILD=$(B) tests/bench/run $(TABLES)

# --- translations ---

POT := po/nas-setup.pot

pot:
	$(Q)xgettext --from-code=UTF-8 -k_ -kN_ -kQ_:1,2 --add-comments=TRANSLATORS --package-name=nas-setup \
		--copyright-holder= --no-location -o $(POT) $(sort $(wildcard wizard/*.c helpers/lib/*.c) helpers/share_old.c)

po-update: pot
	for po in $(PO); do msgmerge -q -U --backup=none --no-fuzzy-matching $$po $(POT); done

clean:
	rm -rf build
	+$(MAKE) -s -C tests/box clean

.PHONY: all install clean packages build-packages unit box check check-host check-all try bench pot po-update
-include $(shell find $(B) -name '*.d' 2>/dev/null)
