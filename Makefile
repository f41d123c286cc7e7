# whypend - GNU make. README.md tells what the targets do; "make help" lists them.
#
#   BUILD=release|debug|asan     objects go to build, build-debug, build-asan
#   O=DIR CC=... CFLAGS=... WERROR=1 V=1
.DEFAULT_GOAL := all
VERSION := 0.1.0
PREFIX ?= /usr/local
BUILD ?= release
ifeq ($(origin CC),default)
CC := gcc
endif
O := build$(if $(filter-out release,$(BUILD)),-$(BUILD))

PKGS := glib-2.0 gio-2.0 libcjson gsl sqlite3 readline
CFLAGS_release := -O2 -g
CFLAGS_debug := -O0 -g3
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
CFLAGS_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
ifeq ($(CFLAGS_$(BUILD)),)
$(error BUILD=$(BUILD): release, debug or asan)
endif

# Evaluated when make starts; targets that install packages first therefore call make again for the build.
PKG_CFLAGS := $(shell pkg-config --cflags $(PKGS) cmocka 2>/dev/null || pkg-config --cflags $(PKGS) 2>/dev/null)
PKG_LIBS := $(shell pkg-config --libs $(PKGS) 2>/dev/null) -lcsv -lm
CMOCKA_LIBS := $(shell pkg-config --libs cmocka 2>/dev/null)
ALL_CFLAGS = -std=gnu17 -I. -Wall -Wextra $(if $(WERROR),-Werror) $(CFLAGS_$(BUILD)) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(CFLAGS_$(BUILD)) $(CFLAGS) $(LDFLAGS) -o $@ $^
# V=1 shows whole commands
SAY = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)

obj = $(patsubst %.c,$(O)/%.o,$(1))
SCHED := $(wildcard sched/*.c sched/base/*.c)
HOST := $(wildcard models/*.c traces/*.c sim/*.c scenarios/*.c)
TOOLS := $(wildcard tools/*.c)
UNIT := $(wildcard tests/unit/*_test.c)
CONFORMANCE := $(filter-out %_test.c,$(wildcard tests/conformance/*.c))
CONFORMANCE_TESTS := $(wildcard tests/conformance/*_test.c)
FUZZ := $(wildcard tests/fuzz/*.c)
MONTH := scenarios/h100-a100-month

HOST_OBJ := $(call obj,$(HOST))
ROOMS_OBJ := $(call obj,$(filter-out tools/main.c,$(TOOLS))) $(HOST_OBJ)
unit_programs := $(patsubst tests/unit/%_test.c,$(O)/test-%,$(UNIT))
conformance_programs := $(patsubst tests/conformance/%_test.c,$(O)/test-conformance-%,$(CONFORMANCE_TESTS))
TEST_PROGRAMS := $(unit_programs) $(conformance_programs)

# make -jN is respected; without it all processors are used where this file calls make again
JOBS = $(if $(findstring j,$(firstword -$(MAKEFLAGS)))$(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc 2>/dev/null || echo 2))
AGAIN = +@$(MAKE) --no-print-directory $(JOBS)

.PHONY: all
all: $(O)/whypend $(O)/libsched.a

# ---- compiling and linking ----

# the word loops over sets of nodes are where a long simulation spends its time
$(O)/sched/base/bitset.o: CFLAGS_release += -O3

$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(call SAY,CC) $(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

$(O)/libsched.a: $(call obj,$(SCHED))
	@rm -f $@
	$(call SAY,AR) ar rcs $@ $^

$(O)/whypend: $(O)/tools/main.o $(ROOMS_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS)

$(O)/whypend-generate-month: $(O)/$(MONTH)/generate_main.o $(call obj,$(filter scenarios/generate%,$(HOST)))
	$(call SAY,LD) $(LINK) $(PKG_LIBS)

$(unit_programs): $(O)/test-%: $(O)/tests/unit/%_test.o $(ROOMS_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS) $(CMOCKA_LIBS)

$(conformance_programs): $(O)/test-conformance-%: $(O)/tests/conformance/%_test.o \
		$(call obj,$(filter-out %/main.c,$(CONFORMANCE))) $(ROOMS_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS) $(CMOCKA_LIBS)

$(O)/conformance: $(call obj,$(CONFORMANCE)) $(ROOMS_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS)

$(O)/check-anchors: $(O)/tests/anchors.o $(HOST_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS)

$(O)/bench-squeue: $(O)/tests/bench_squeue.o $(ROOMS_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS)

$(O)/bench-tick $(O)/bench-select $(O)/bench-limits: $(O)/bench-%: $(O)/tests/bench_%.o $(O)/libsched.a
	$(call SAY,LD) $(LINK) $(PKG_LIBS)

# The generated workload; a new generator with the same numbers gives the same bytes.
$(MONTH)/jobs.jsonl.gz: $(O)/whypend-generate-month
	$(call SAY,GEN) $(O)/whypend-generate-month $@

.PHONY: programs month unit-programs objects
programs: all $(TEST_PROGRAMS) $(O)/conformance $(O)/check-anchors $(O)/whypend-generate-month
month: $(MONTH)/jobs.jsonl.gz
unit-programs: all $(TEST_PROGRAMS)
objects: $(call obj,$(SCHED) $(HOST) $(TOOLS) $(UNIT) $(CONFORMANCE) $(CONFORMANCE_TESTS) $(FUZZ) tests/anchors.c tests/bench_tick.c tests/bench_select.c tests/bench_limits.c tests/bench_squeue.c \
	$(MONTH)/generate_main.c)

# ---- what a user runs ----

.PHONY: help deps demo check policy unit conformance naive anchors bench fuzz
.PHONY: help deps demo check unit conformance naive lifetest anchors bench fuzz
help:
	@echo "make            build $(O)/whypend and $(O)/libsched.a"
	@echo "make deps       install the libraries and tools that the build needs, if any is missing"
	@echo "make demo       deps, build, and a month on a cluster of H100 and A100 nodes"
	@echo "make check      deps, build, all tests"
	@echo "make policy     what people argue about (scenarios/policy), under the rules of 22.05 and 26.05"
	@echo "make naive      1,000 random scenarios with and without --naive (NAIVE_COUNT=1000)"
	@echo "make lifetest   500 random scenarios under the audit: nothing is lost, all adds up (LIFE_COUNT=500; BUILD=asan with sanitizers)"
	@echo "make unit, conformance, anchors, bench, fuzz (FUZZ_SECONDS=60 a reader), strict, arrows, format-check"
	@echo "make install, uninstall (PREFIX=/usr/local, DESTDIR=), clean"

deps:
	@CC="$(CC)" sh tools/deps.sh

demo: deps
	$(AGAIN) all month
	@CC="$(CC)" sh tools/demo.sh $(O) $(MONTH)

check: deps
	$(AGAIN) arrows
	$(AGAIN) programs month
	@sh tools/run-tests.sh $(O)

policy: deps
	$(AGAIN) all
	$(O)/whypend check --slurm-version 22.05 scenarios/policy/
	$(O)/whypend check --slurm-version 26.05 scenarios/policy/

unit: deps
	$(AGAIN) unit-programs
	@sh tools/run-tests.sh $(O) unit

conformance: deps
	$(AGAIN) $(O)/conformance
	$(O)/conformance --out $(O)
	$(O)/conformance --noise --check

NAIVE_COUNT ?= 1000
naive: deps
	$(AGAIN) $(O)/test-naive
	NAIVE_COUNT=$(NAIVE_COUNT) $(O)/test-naive

LIFE_COUNT ?= 500
lifetest: deps
	$(AGAIN) $(O)/test-life
	LIFE_COUNT=$(LIFE_COUNT) $(O)/test-life

anchors: deps
	$(AGAIN) all $(O)/check-anchors
	$(O)/check-anchors $(O)

bench: deps
	$(AGAIN) all month $(O)/bench-tick $(O)/bench-select $(O)/bench-limits $(O)/bench-squeue
	@sh tools/bench.sh $(O) $(MONTH)

FUZZ_SECONDS ?= 60
fuzz: deps
	@sh tools/fuzz.sh compiler
	$(AGAIN) BUILD=fuzz O=build-fuzz CC=clang fuzz-programs
	@sh tools/fuzz.sh run build-fuzz $(FUZZ_SECONDS)

.PHONY: fuzz-programs
fuzz-programs: $(patsubst tests/fuzz/%.c,$(O)/fuzz-%,$(FUZZ))
$(O)/fuzz-%: $(O)/tests/fuzz/%.o $(HOST_OBJ) $(O)/libsched.a
	$(call SAY,LD) $(CC) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer,address,undefined -o $@ $^ $(PKG_LIBS)

# ---- proofs about the source ----

.PHONY: arrows strict format-check
arrows:
	@sh tools/arrows.sh

strict: deps
	$(AGAIN) O=build-strict-gcc CC=gcc WERROR=1 objects
	$(AGAIN) O=build-strict-clang CC=clang WERROR=1 objects
	@echo "strict: no warning from gcc and clang"

format-check:
	clang-format --dry-run --Werror $(shell find sched models traces sim scenarios tools tests -name '*.[ch]')

# ---- installing ----

D = $(DESTDIR)$(PREFIX)
INCLUDES := $(wildcard sched/*.h sched/base/*.h)
.PHONY: install uninstall clean
install:
	$(AGAIN) all month $(O)/whypend-generate-month
	install -d $(D)/bin $(D)/lib/pkgconfig $(D)/include/whypend/sched/base $(D)/share/man/man1 $(D)/share/whypend
	install -m 755 $(O)/whypend $(O)/whypend-generate-month $(D)/bin
	install -m 644 $(O)/libsched.a $(D)/lib
	for h in $(INCLUDES); do install -m 644 $$h $(D)/include/whypend/$$h || exit 1; done
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' whypend.pc.in >$(O)/whypend.pc
	install -m 644 $(O)/whypend.pc $(D)/lib/pkgconfig
	install -m 644 tools/whypend.1 $(D)/share/man/man1
	install -D -m 644 tools/completion/whypend.bash $(D)/share/bash-completion/completions/whypend
	install -D -m 644 tools/completion/_whypend $(D)/share/zsh/site-functions/_whypend
	for f in $$(find models/hardware scenarios tools/ci -type f ! -name '*.[ch]'); do \
		g=$${f#models/}; install -D -m 644 $$f $(D)/share/whypend/$${g#tools/} || exit 1; done

uninstall:
	rm -f $(D)/bin/whypend $(D)/bin/whypend-generate-month $(D)/lib/libsched.a $(D)/lib/pkgconfig/whypend.pc
	rm -f $(D)/share/man/man1/whypend.1 $(D)/share/bash-completion/completions/whypend
	rm -f $(D)/share/zsh/site-functions/_whypend
	rm -rf $(D)/include/whypend $(D)/share/whypend

clean:
	rm -rf build build-debug build-asan build-fuzz build-strict-gcc build-strict-clang $(MONTH)/jobs.jsonl.gz

-include $(shell find $(O) -name '*.d' 2>/dev/null)
.SECONDARY:
.DELETE_ON_ERROR:
