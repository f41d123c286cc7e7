# whypend - make; see README.md
BUILD ?= release
CC ?= gcc
O := build$(if $(filter-out release,$(BUILD)),-$(BUILD))
all: $(O)/whypend
PKGS := glib-2.0 gio-2.0 libcjson gsl sqlite3
CFLAGS_release := -O2 -g
CFLAGS_debug := -O0 -g3
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined
WARN := -Wall -Wextra
ALL_CFLAGS = -std=gnu17 -I. $(WARN) $(CFLAGS_$(BUILD)) $(shell pkg-config --cflags $(PKGS)) $(CFLAGS)
LIBS = $(CFLAGS_$(BUILD)) $(shell pkg-config --libs $(PKGS)) -lcsv -lm
SCHED := $(wildcard sched/*.c sched/base/*.c)
HOST := $(wildcard models/*.c traces/*.c sim/*.c scenarios/*.c)
TOOLS := $(wildcard tools/*.c)
TESTS := $(wildcard tests/unit/*.c)
obj = $(patsubst %.c,$(O)/%.o,$(1))
$(O)/%.o: %.c
	@mkdir -p $(dir $@)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<
$(O)/libsched.a: $(call obj,$(SCHED))
	@rm -f $@; ar rcs $@ $^
$(O)/whypend: $(call obj,$(TOOLS) $(HOST)) $(O)/libsched.a
	$(CC) -o $@ $^ $(LIBS)
$(O)/test-%: $(O)/tests/unit/%.o $(call obj,$(HOST)) $(O)/libsched.a
	$(CC) -o $@ $^ $(LIBS) $(shell pkg-config --libs cmocka)
-include $(shell find $(O) -name '*.d' 2>/dev/null)
.SECONDARY:
