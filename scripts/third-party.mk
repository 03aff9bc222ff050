# SPDX-License-Identifier: GPL-2.0-only
# Builds libperf and libsubcmd of the kernel source in $(THIRD) by rules of this project: the
# kernel's rules need its whole build system, compile without optimisation and install headers.
# Included by Makefile. scripts/kernel-files lists the files that are taken; a source added here
# must be added there.

# libperf uses the file array of libapi and, in newer kernels, its look-ups in sysfs; libsubcmd uses the
# error texts of tools/lib.
libperf_sources := $(addprefix perf/,core.c cpumap.c threadmap.c evsel.c evlist.c mmap.c \
	xyarray.c lib.c) api/fd/array.c zalloc.c
ifneq ($(shell grep -s sysfs__ $(THIRD)/tools/lib/perf/cpumap.c),)
libperf_sources += api/fs/fs.c api/debug.c
endif
libsubcmd_sources := $(addprefix subcmd/,exec-cmd.c help.c pager.c parse-options.c run-command.c \
	sigchain.c subcmd-config.c) str_error_r.c string.c ctype.c

third_objects = $(patsubst %.c,$(O)/third/%.o,$1)

$(eval $(call archive,perf,$(call third_objects,$(libperf_sources))))
$(eval $(call archive,subcmd,$(call third_objects,$(libsubcmd_sources))))

$(O)/third/api/%.o: private third_flags += -I$(THIRD)/tools/lib/api

$(O)/third/%.o: $(THIRD)/tools/lib/%.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(third_flags) $(CPPFLAGS) $(CFLAGS) $(sanitize) -c -o $@ $<
