# SPDX-License-Identifier: GPL-2.0-only
# Builds tma. See "make help" for targets and variables; scripts/setup installs what this needs.

VERSION := 0.2.0

O ?= build
prefix ?= /usr/local
libdir ?= $(prefix)/lib
DESTDIR ?=
CFLAGS ?= -O2 -g
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(abspath $(O)),$(CURDIR))
$(error O=$(O): build in a directory of its own, which make clean can remove)
endif
# The architectures whose tables are built in; the one that is run on need not be among them.
ARCHS ?= x86 arm64 powerpc riscv s390 test
# Whose tables: the kernel tree's with the project's own on top, or the latter alone.
TABLES ?= all
ifeq ($(filter all overlay kernel,$(TABLES)),)
$(error TABLES=$(TABLES): it is "all", "overlay" or "kernel")
endif
overlay_dir := pmu-events/overlay
overlay_archs := $(patsubst $(overlay_dir)/%/mapfile.csv,%,$(wildcard $(overlay_dir)/*/mapfile.csv))
ifeq ($(TABLES),overlay)
override ARCHS := $(filter $(ARCHS),$(overlay_archs))
endif
PYTHON ?= python3
# The kernel tree whose libperf, libsubcmd and event JSON are built in.
THIRD ?= $(if $(KERNEL_SRC),$(KERNEL_SRC),third_party/linux)

ifeq ($(V),1)
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n' $1 $(patsubst $(O)/%,%,$2)
endif

comma := ,
hash := \#
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:
FORCE:
.PHONY: FORCE all program tests install uninstall dist deb rpm demo bench check check-unit check-cli check-truth check-build check-fleet check-kernel check-vm check-arm64 check-phases check-estimates check-why check-functions check-compare check-page check-screens check-bytes check-facts check-faults check-memory check-soak check-perf-suite check-valgrind check-anywhere analyze coverage run-covered fuzz \
	fuzz-targets clean help

# These work on a machine where nothing is installed.
ifneq ($(filter-out clean help dist deb rpm,$(or $(MAKECMDGOALS),all)),)
building := 1
endif

ifdef building
ifeq ($(wildcard $(THIRD)/tools/lib/perf/core.c),)
$(error No kernel source in $(THIRD): run scripts/setup, or give KERNEL_SRC=dir of Linux 6.12)
endif
ifeq ($(wildcard $(O)/.),)
$(shell mkdir -p $(O))
endif
# "make clean" removes the whole directory, so nothing else may live there.
ifeq ($(wildcard $(O)/.flags),)
ifneq ($(wildcard $(O)/*),)
$(error $(O) holds other files than a build's: give another directory with O=)
endif
endif
ifneq ($(filter clean,$(MAKECMDGOALS)),)
$(error Run make clean alone: it would remove what the other goals build)
endif
pkg_cflags := $(shell pkg-config --cflags json-c || echo missing)
ifneq ($(filter missing,$(pkg_cflags)),)
$(error json-c is not installed: run scripts/setup)
endif
# Check is for unit tests alone: the program is built, and installed, without.
check_cflags := $(shell pkg-config --cflags check 2>/dev/null || echo missing)
ifneq ($(filter missing,$(check_cflags)),)
ifneq ($(filter-out all program demo install install-topdown uninstall,$(or $(MAKECMDGOALS),all)),)
$(error Check, which unit tests need, is not installed: run scripts/setup)
endif
endif
CHECK_LIBS := $(shell pkg-config --libs check 2>/dev/null)
# Linked in whole: few runs read JSON or tracepoints' formats, and looking a shared library up costs every one.
json_c := -l:libjson-c.a
# What these and the kernel's libraries allocate is checked as all else is: lib/base/linked.c.
checked := $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc strdup strndup vasprintf __vasprintf_chk asprintf __asprintf_chk \
	newlocale duplocale fopen realpath __realpath_chk)
endif

# $(call stamp,file,text): (re)writes the file when its text differs, so that what depends on it is
# built anew when a flag changes or a source file comes or goes.
# (make 4.3 keeps the newline of a text of over 200 bytes, hence the strip.)
stamp = $(call write_changed,$1,$(strip $2))
write_changed = $(if $(call differ,$(strip $(file <$1)),$2),$(file >$1,$2))
differ = $(subst x$1,,x$2)$(subst x$2,,x$1)

# --- Flags ---------------------------------------------------------------------------------

# Everything that includes <perf/...> must see the perf_event_attr of the same kernel: these come
# before the system's own <linux/...>. As system headers, they are not held to our warnings.
third_dirs := lib/perf/include lib include arch/x86/include include/uapi
third_includes := $(addprefix $(THIRD)/tools/,$(third_dirs))

# What makes a mistake in memory harder to use (SECURITY.md), for all that is compiled and linked; what the
# user's CFLAGS and LDFLAGS say comes behind. libc checks sizes where the compiler optimises, and the
# sanitizers check more. Of what CPUs check by themselves, Linux has shadow stacks for programs: they take a mark in
# the file, and no instruction.
optimises := $(filter-out -O0,$(lastword $(filter -O%,$(CFLAGS) $(CPPFLAGS))))
protect := -fPIE -fstack-protector-strong
ifdef building
for_x86 := $(filter x86_64-% i%86-%,$(shell $(CC) -dumpmachine))
protect += $(if $(for_x86),-fcf-protection=return)
endif
protect += $(if $(optimises),$(if $(SANITIZE),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
protect_link := -Wl,-z,relro -Wl,-z,now

base_flags := -std=gnu11 -D_GNU_SOURCE -MMD -MP $(protect)
own_flags := $(base_flags) -Wall -Wextra -Ilib
tma_flags := $(own_flags) $(addprefix -isystem ,$(third_includes))
third_flags := $(base_flags) -Wall $(addprefix -I,$(third_includes))

# The simulator is preloaded into programs without a sanitizer's run-time, so undefined behaviour
# traps there, and address checks are left out.
ifneq ($(SANITIZE),)
sanitizers := $(subst $(comma), ,$(SANITIZE))
sanitize := -fsanitize=$(SANITIZE) -fno-omit-frame-pointer
ifneq ($(filter undefined,$(sanitizers)),)
sanitize += -fno-sanitize-recover=undefined
sanitize_pic := -fsanitize=undefined -fsanitize-undefined-trap-on-error
endif
# The preloaded simulator must not come before the sanitizer's shared library, so there is none.
ifneq ($(filter address,$(sanitizers)),)
ifeq ($(findstring clang,$(CC)),)
sanitize_link := -static-libasan
endif
endif
endif

link_flags := -pie $(protect_link) $(CFLAGS) $(sanitize) $(sanitize_link) -Wl,--as-needed $(LDFLAGS)
flags_stamp := $(O)/.flags
cmd_stamp := $(O)/.flags-cmd
cmd_flags := -DTMA_VERSION='"$(VERSION)"' -DTMA_LIBDIR='"$(libdir)/tma"' \
	-DTMA_DATADIR='"$(prefix)/share/tma"'
# The commit that --version names; a tarball of "make dist" has it in that file.
commit_stamp := $(O)/.commit
ifdef building
$(call stamp,$(commit_stamp),$(shell scripts/package/commit))
$(call stamp,$(flags_stamp),$(CC) $(tma_flags) $(pkg_cflags) $(sanitize) $(CFLAGS) $(CPPFLAGS)\
	$(link_flags) $(file <$(THIRD)/.version))
$(call stamp,$(cmd_stamp),$(cmd_flags))
endif
$(flags_stamp) $(cmd_stamp) $(commit_stamp): ;

compile = $(CC) $(tma_flags) $(pkg_cflags) $(CPPFLAGS) $(CFLAGS)

# --- Stages: lib/<stage>/*.c is one archive each, in the order of the data's way --------------

# This list is the order; a stage is added by its name alone (scripts/check-style reads it, too).
STAGES := base grid writers machine formula json tables events metrics plan count where record aggregate verdict report run screen lint http fleet kernels

# $(call upto,stage,list): the list up to and including the stage.
upto = $(if $2,$(firstword $2) $(if $(filter $1,$(firstword $2)),,$(call upto,$1,\
	$(wordlist 2,$(words $2),$2))))
# $(call reverse,list)
reverse = $(if $1,$(call reverse,$(wordlist 2,$(words $1),$1)) $(firstword $1))
# $(call archives,stage): what may be linked with a stage: itself and what comes before it.
archives = $(patsubst %,$(O)/lib%.a,$(call reverse,$(call upto,$1,$(STAGES))))
all_archives := $(call archives,$(lastword $(STAGES)))
# $(call objects,sources)
objects = $(patsubst %.c,$(O)/%.o,$1)

include Documentation/man.mk

# $(eval $(call archive,name,objects)): lib<name>.a, made anew when the list of objects changes.
define archive
$(if $(building),$(call stamp,$(O)/.objects-$1,objects: $2))
$(O)/.objects-$1: ;
$(O)/lib$1.a: $2 $(O)/.objects-$1
	$$(call say,AR,$$@)
	$$(Q)rm -f $$@ && $$(AR) rcsD $$@ $2
endef

include scripts/third-party.mk

$(foreach stage,$(STAGES),$(eval sources_$(stage) := $(wildcard lib/$(stage)/*.c)))

# The tables of the vendors' events and metrics: JSON -> C source -> part of libtables.a.
# A build for another architecture takes the generator of one that can be run here: GENERATOR=build/pmu-events/gen-tables.
own_generator := $(O)/pmu-events/gen-tables
generator := $(or $(GENERATOR),$(own_generator))
generator_sources := $(wildcard pmu-events/*.c)
kernel_tables := $(if $(filter all kernel,$(TABLES)),$(THIRD)/tools/perf/pmu-events/arch)
overlay_made := $(O)/pmu-events/overlay
python_made := $(O)/pmu-events/python
# $(call arch_files,folder): its JSON lies up to three folders deep.
arch_files = $(wildcard $(foreach below,/ /*/ /*/*/ /*/*/*/,$(foreach kind,csv json,$1$(below)*.$(kind))))
objects_tables_generated := $(patsubst %,$(O)/pmu-events/%.o,$(ARCHS) sysfs common archs)

$(own_generator): $(call objects,$(generator_sources)) $(call archives,json)
	$(call say,LINK,$@)
	$(Q)$(CC) $(link_flags) $(checked) -o $@ $^ $(json_c) -lm

# What the overlay has as formulas or as Python becomes JSON; the rest is JSON itself.
# A model without counters of its own changes one of the kernel's.
overlay_formulas := $(patsubst $(overlay_dir)/%/formulas.txt,%,$(wildcard $(overlay_dir)/*/*/formulas.txt $(overlay_dir)/*/*/*/formulas.txt))
overlay_formulas := $(if $(kernel_tables),$(overlay_formulas),$(foreach model,$(overlay_formulas),\
	$(if $(wildcard $(overlay_dir)/$(model)/counter.json $(overlay_dir)/$(model)/metrics.json),$(model))))
overlay_python := $(patsubst $(overlay_dir)/%/metrics.py,%,$(wildcard $(overlay_dir)/*/*/metrics.py))
overlay_made_models := $(addprefix $(overlay_made)/,$(overlay_formulas)) $(addprefix $(python_made)/,$(overlay_python))
overlay_modules := pmu-events/formulas.py pmu-events/metric.py $(wildcard $(overlay_dir)/*.py $(overlay_dir)/*.txt)

define overlay_json
$(overlay_made)/$1/metrics.json $(overlay_made)/$1/metricgroups.json &: $(overlay_dir)/$1/formulas.txt $(overlay_modules)
	$$(call say,GEN,$(overlay_made)/$1/metrics.json)
	$$(Q)$(PYTHON) -B pmu-events/formulas.py $(if $(kernel_tables),,--alone) $$< -o $(overlay_made)/$1
endef
$(foreach model,$(overlay_formulas),$(eval $(call overlay_json,$(model))))

define overlay_metrics
$(python_made)/$1/metrics.json $(python_made)/$1/metricgroups.json &: \
		$(overlay_dir)/$1/metrics.py $(overlay_modules) $(wildcard $(overlay_dir)/$1/*.json)
	$$(call say,GEN,$(python_made)/$1/metrics.json)
	$$(Q)PYTHONPATH=pmu-events:$(overlay_dir) $(PYTHON) -B $$< --events $(overlay_dir)/$1 \
		-o $(python_made)/$1
endef
$(foreach model,$(overlay_python),$(eval $(call overlay_metrics,$(model))))
# The generator reads whole folders: one whose source has gone must go too.
overlay_stale := $(filter-out $(overlay_made_models),$(patsubst %/metrics.json,%,$(wildcard \
	$(foreach made,$(overlay_made) $(python_made),$(made)/*/*/metrics.json $(made)/*/*/*/metrics.json))))
$(if $(and $(building),$(overlay_stale)),$(shell rm -rf $(overlay_stale)))

# $(call overlay_files,arch): what is in the overlay and what is made for it.
overlay_files = $(call arch_files,$(overlay_dir)/$1) $(foreach model,\
	$(filter $(overlay_made)/$1/% $(python_made)/$1/%,$(overlay_made_models)),\
	$(model)/metrics.json $(model)/metricgroups.json)
# $(call table_dirs,arch): the later ones say the last word.
table_dirs = $(strip $(kernel_tables) $(if $(filter-out kernel,$(TABLES)),\
	$(if $(filter $1,$(overlay_archs)),$(overlay_dir) $(overlay_made) $(if $(filter $1/%,$(overlay_python)),$(python_made)))))

define arch_tables
$(if $(building),$(call stamp,$(O)/.tables-$1,$(call table_dirs,$1): $(call overlay_files,$1)))
$(O)/.tables-$1: ;
$(O)/pmu-events/$1.c: $(generator) $(O)/.tables-$1 $(call overlay_files,$1) \
		$(if $(kernel_tables),$(call arch_files,$(kernel_tables)/$1))
	$$(call say,GEN,$$@)
	$$(Q)$(generator) --arch $1 $(call table_dirs,$1) -o $$@
endef
$(foreach arch,$(ARCHS),$(eval $(call arch_tables,$(arch))))

# The metrics of events that kernels name themselves are for no architecture.
$(O)/pmu-events/sysfs.c: $(generator) $(call arch_files,$(overlay_dir)/sysfs)
	$(call say,GEN,$@)
	$(Q)$(generator) --arch sysfs $(overlay_dir) -o $@

# Those of events that every kernel knows stay JSON: where they belong is known on the machine.
$(O)/pmu-events/common.c: pmu-events/embed.py $(overlay_dir)/common/metrics.json
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && $(PYTHON) -B pmu-events/embed.py tables_common_json \
		$(overlay_dir)/common/metrics.json >$@

# The list of them all.
$(if $(building),$(call stamp,$(O)/.archs,$(ARCHS)))
$(O)/.archs: ;
$(O)/pmu-events/archs.c: $(O)/.archs
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && { \
		echo '#include "json/format.h"'; \
		for arch in $(ARCHS); do echo "extern const struct table_data table_data_$$arch;"; done; \
		echo 'const struct table_data *const table_archs[] = {'; \
		for arch in $(ARCHS); do echo "	&table_data_$$arch,"; done; \
		echo '	(void *)0,'; echo '};'; } >$@

# Data alone: nothing to optimise, to debug or to sanitize.
$(O)/pmu-events/%.o: $(O)/pmu-events/%.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)$(CC) $(tma_flags) -U_FORTIFY_SOURCE -O0 -g0 -c -o $@ $<

# The styles and the program of --format=html, as strings.
page_dir := lib/writers/page
page_made := $(O)/lib/writers/page_sources
objects_writers_generated := $(page_made).o

$(page_made).c: $(page_dir)/embed $(page_dir)/page.css $(page_dir)/page.js
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && $(PYTHON) -B $^ >$@

$(page_made).o: $(page_made).c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)$(compile) $(sanitize) -c -o $@ $<

# BPF programs, as bytes. Without clang, or without libbpf's headers, tma says so when it is asked to count by them.
bpf_dir := lib/count/bpf
bpf_made := $(O)/$(bpf_dir)
bpf_names := leader follower tasks program
bpf_objects := $(bpf_names:%=$(bpf_made)/%.bpf.o)
objects_count_generated := $(bpf_made)/code.o
BPF_CLANG ?= clang
bpf_compile := $(BPF_CLANG) -target bpf -std=gnu11 -O2 -g -fdebug-compilation-dir=. -Wall -Wextra -Wno-unused-parameter
ifdef building
bpf_headers := $(shell $(filter-out -MMD -MP,$(compile)) -fsyntax-only -include bpf/libbpf.h -x c /dev/null 2>/dev/null && \
	$(bpf_compile) -fsyntax-only -include $(bpf_dir)/kernel.h -x c /dev/null 2>/dev/null && echo there)
bpf_missing := $(if $(shell command -v $(BPF_CLANG)),$(if $(bpf_headers),,libbpf-dev),clang)
$(call stamp,$(O)/.bpf-missing,missing: $(bpf_missing))
endif
$(O)/.bpf-missing: ;

# Debugging information other than BTF has no reader, and names the directory.
$(bpf_made)/%.bpf.o: $(bpf_dir)/%.bpf.c $(wildcard $(bpf_dir)/*.h) $(flags_stamp)
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D) && $(bpf_compile) -c -o $@ $<

$(bpf_made)/code.c: $(bpf_dir)/embed $(O)/.bpf-missing $(if $(bpf_missing),,$(bpf_objects))
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && $(PYTHON) -B $(bpf_dir)/embed '$(bpf_missing)' $(filter %.bpf.o,$^) >$@

$(bpf_made)/code.o: $(bpf_made)/code.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)$(compile) $(sanitize) -c -o $@ $<

$(foreach stage,$(STAGES),$(eval $(call archive,$(stage),\
	$(call objects,$(sources_$(stage))) $(objects_$(stage)_generated))))

$(O)/%.o: %.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(compile) $(sanitize) -c -o $@ $<

$(O)/cmd/%.o: cmd/%.c $(flags_stamp) $(cmd_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(compile) $(sanitize) -Icmd $(cmd_flags) -c -o $@ $<

$(O)/cmd/tma.o: private cmd_flags += -DTMA_COMMIT='"$(file <$(commit_stamp))"'
$(O)/cmd/tma.o: $(commit_stamp)

# --- Libraries that are used where their headers are -----------------------------------------------

# A file that asks for a header by __has_include, or includes one that does, is compiled again once the header is there.
optional_headers := elfutils/libdwfl.h libiberty/demangle.h capstone/capstone.h microhttpd.h yaml.h zlib.h crypt.h curl/curl.h bpf/bpf.h bpf/btf.h bpf/libbpf.h
optional_stamp := $(O)/.optional-headers
ifdef building
optional_there := $(shell printf '$(hash)if __has_include(<%s>)\n' $(optional_headers) | sed 's/.*<\(.*\)>.*/&\n\1\n$(hash)endif/' | \
	$(CC) $(CPPFLAGS) -E -P -x c - 2>/dev/null)
# This one is linked in. The compiler of another architecture sees the header of this one, which is not enough.
ifeq ($(filter /%,$(shell $(CC) -print-file-name=libiberty.a)),)
optional_there := $(filter-out libiberty/%,$(optional_there))
endif
libiberty := $(if $(filter libiberty/%,$(optional_there)),-l:libiberty.a)
$(O)/lib/where/demangle.o: private tma_flags += $(if $(libiberty),-DTMA_LIBIBERTY)
$(O)/lib/where/demangle.o: $(optional_stamp)
$(call stamp,$(optional_stamp),there: $(optional_there))
asking_headers := $(shell grep -rl --include='*.h' __has_include lib cmd)
asking := $(shell grep -rlE --include='*.c' -e '__has_include' $(foreach header,$(notdir $(asking_headers)),-e '"(.*/)?$(header)"') lib cmd)
$(call objects,$(asking)) $(patsubst %.c,$(O)/pic/%.o,$(asking)): $(optional_stamp)
endif
$(optional_stamp): ;

# --- The program -------------------------------------------------------------------------------

third_archives := $(O)/libsubcmd.a $(O)/libperf.a
tma_libs := $(json_c) $(libiberty) -lpthread -lm
cmd_sources := $(wildcard cmd/*.c cmd/*/*.c)

$(O)/tma: $(call objects,$(cmd_sources)) $(all_archives) $(third_archives)
	$(call say,LINK,$@)
	$(Q)$(CC) $(link_flags) $(checked) -o $@ $^ $(tma_libs)

# --- The order of the stages: each, linked whole, needs nothing of a later one --------------------

# What is linked has no main() and is never run: an empty file says that it could be.
define ordered
$(O)/.ordered-$1: $(call archives,$1) $(third_archives)
	$$(call say,ORDER,$(O)/lib$1.a)
	$$(Q)$$(CC) $$(link_flags) $$(checked) -s -Wl,--defsym=main=0 -o $$@ -Wl,--whole-archive $$< \
		-Wl,--no-whole-archive $$(wordlist 2,$$(words $$^),$$^) $$(tma_libs)
	$$(Q): >$$@
endef
$(foreach stage,$(STAGES),$(eval $(call ordered,$(stage))))

# --- The simulated machine ----------------------------------------------------------------------

sim_sources := $(wildcard lib/sim/*.c)
pic_objects = $(patsubst %.c,$(O)/pic/%.o,$1)

$(eval $(call archive,sim,$(call objects,$(sim_sources))))
$(eval $(call archive,base-pic,$(call pic_objects,$(sources_base))))

$(O)/pic/%.o: %.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(compile) $(sanitize_pic) -fPIC -fvisibility=hidden -c -o $@ $<

$(O)/libtma-sim.so: $(call pic_objects,$(sim_sources)) $(O)/libbase-pic.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(protect_link) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,--as-needed -o $@ $^ -ldl -lpthread -lm

# The program looks for the machines beside itself first.
$(O)/machines: | $(O)/libtma-sim.so
	$(Q)ln -sfnr lib/sim/machines $@

# --- The library for programs that measure themselves ----------------------------------------------

include lib/topdown/build.mk

# --- Unit tests: linked with what the stage may know ----------------------------------------------

unit_sources := $(wildcard tests/unit/test_*.c)
unit_tests := $(patsubst %.c,$(O)/%,$(unit_sources))

define unit_test_of_stage
$(O)/tests/unit/test_$1_%: $(O)/tests/unit/test_$1_%.o $2 $(third_archives)
	$$(call say,LINK,$$@)
	$$(Q)$$(CC) $$(link_flags) -o $$@ $$^ $$(CHECK_LIBS) $$(tma_libs) -ldl
endef
$(foreach stage,$(STAGES),$(eval $(call unit_test_of_stage,$(stage),$(call archives,$(stage)))))
$(eval $(call unit_test_of_stage,sim,$(O)/libsim.a $(O)/libbase.a))
$(eval $(call unit_test_of_stage,topdown,$(O)/libtma-topdown.a))
$(O)/tests/unit/%.o: private pkg_cflags += $(check_cflags)
# They are of a library that knows no header of the kernel source.
$(O)/tests/unit/test_topdown_%.o: private tma_flags := $(own_flags)
$(O)/tests/unit/test_topdown_memory: link_flags += \
	$(addprefix -Wl$(comma)--wrap=,calloc reallocarray strdup free)

# What makes allocations fail: preloaded by tests/fault/memory.py.
memory_fault := $(O)/tests/fault/memory.so

$(memory_fault): tests/fault/memory.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(base_flags) -Wall -Wextra $(CFLAGS) -fno-builtin -fPIC \
		-fvisibility=hidden $(protect_link) -shared -o $@ $<

# What shows each row of --format=prom: preloaded by tests/metrics/counters.py.
metrics_rows := $(O)/tests/metrics/rows.so

$(metrics_rows): tests/metrics/rows.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(base_flags) -Wall -Wextra $(CFLAGS) -fPIC -fvisibility=hidden \
		$(protect_link) -shared -o $@ $< -ldl

# What tests/metrics/evaluate.py and tests/bench/compile call.
metrics_eval := $(O)/tests/metrics/eval

$(metrics_eval): $(O)/tests/metrics/eval.o $(call archives,metrics) $(third_archives)
	$(call say,LINK,$@)
	$(Q)$(CC) $(link_flags) -o $@ $^ $(tma_libs)

# What tests/bench/groups and tests/kernel call: plans for a machine of each model.
bench_groups := $(O)/tests/bench/groups
kernel_plans := $(O)/tests/kernel/plans

$(bench_groups) $(kernel_plans): $(O)/tests/%: $(O)/tests/%.o $(O)/tests/bench/model.o \
		$(call archives,plan) $(third_archives)
	$(call say,LINK,$@)
	$(Q)$(CC) $(link_flags) -o $@ $^ $(tma_libs)

# What tests/tables/count.py calls.
tables_list := $(O)/tests/tables/list

$(tables_list): $(O)/tests/tables/list.o $(call archives,tables)
	$(call say,LINK,$@)
	$(Q)$(CC) $(link_flags) -o $@ $^ $(json_c) -lm

# What tests/sim runs on simulated machines, which are preloaded: no sanitizer's run-time there.
sim_programs := $(patsubst %.c,$(O)/%,$(wildcard tests/sim/*.c))
ifdef building
sim_programs := $(filter-out $(if $(for_x86),,%/rdpmc),$(sim_programs))
endif

$(O)/tests/sim/places: $(O)/pic/lib/kernels/announce.o

$(O)/tests/sim/%: tests/sim/%.c $(call pic_objects,$(topdown_sources)) $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(tma_flags) -I$(topdown_dir)/include -pie $(protect_link) $(CFLAGS) -o $@ \
		$(filter %.c %.o,$^) -ldl -lpthread

kernel_simulated := $(O)/tests/kernel/simulated

$(kernel_simulated): tests/kernel/simulated.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(tma_flags) -pie $(protect_link) $(CFLAGS) -o $@ $<

# --- Fuzz targets: their corpus is replayed by make check; make fuzz looks for more -----------------

fuzz_programs := $(patsubst %.c,$(O)/%,$(wildcard tests/fuzz/fuzz_*.c))
# What calls a target: libFuzzer, in the build of its own that make fuzz makes, or the files given.
fuzz_main := $(if $(filter fuzzer-no-link,$(sanitizers)),,$(O)/tests/fuzz/replay.o)
# How far an unknown name is from each that exists is nothing a fuzzer should learn from.
ifeq ($(fuzz_main),)
$(O)/lib/base/suggest.o: sanitize += -fno-sanitize=fuzzer-no-link
endif

# Some have more to them than the stages: parts of the program, the simulator.
$(O)/tests/fuzz/fuzz_options: $(patsubst %,$(O)/cmd/%.o,colour options $(addprefix stat/,again check notes options settle))
$(O)/tests/fuzz/fuzz_options: private link_flags += -Wl,--wrap=exit
$(O)/tests/fuzz/fuzz_options.o: private tma_flags += -Icmd
$(O)/tests/fuzz/fuzz_saved: $(patsubst %,$(O)/cmd/compare/%.o,about notes parameters print print_json saved saved_check saved_sites sides)
$(O)/tests/fuzz/fuzz_saved.o: private tma_flags += -Icmd
$(O)/tests/fuzz/fuzz_machine: $(O)/libsim.a
$(O)/tests/fuzz/fuzz_sysfs: $(O)/libtma-topdown.a
$(O)/tests/fuzz/fuzz_symbols: private link_flags += -Wl,--wrap=prlimit

$(O)/tests/fuzz/fuzz_%: $(O)/tests/fuzz/fuzz_%.o $(fuzz_main) $(all_archives) $(third_archives)
	$(call say,LINK,$@)
	$(Q)$(CC) $(link_flags) $(if $(fuzz_main),,-fsanitize=fuzzer) -o $@ $(filter %.o,$^) \
		-Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(tma_libs)

fuzz-targets: $(fuzz_programs)

FUZZ_CC ?= clang
FUZZ_SECONDS ?= 60

fuzz:
	$(Q)tests/fuzz/run --compiler $(FUZZ_CC)
	$(Q)$(MAKE) O=$(O)/fuzz CC=$(FUZZ_CC) SANITIZE=fuzzer-no-link,address,undefined \
		CFLAGS='-O1 -g' ARCHS='x86 test' fuzz-targets
	$(Q)tests/fuzz/run $(O)/fuzz $(FUZZ_SECONDS) $(FUZZ)

# --- Targets ----------------------------------------------------------------------------------

all: $(O)/tma $(O)/libtma-sim.so $(O)/machines $(topdown_library) $(man_pages) \
	$(addprefix $(O)/.ordered-,$(STAGES))

# As much as the demo needs.
program: $(O)/tma $(O)/libtma-sim.so $(O)/machines

tests: $(own_generator) $(unit_tests) $(fuzz_programs) $(metrics_eval) $(tables_list) $(bench_groups) $(kernel_plans) $(kernel_simulated) $(sim_programs) \
	$(examples) $(memory_fault) $(metrics_rows)

check: all tests
	$(Q)tests/run $(O) $(TESTS)

# The same under valgrind, with time enough.
check-valgrind: all tests
	$(Q)TEST_VALGRIND=1 TEST_TIMEOUT=1200 tests/run $(O) $(TESTS)

# Which lines of lib/ and cmd/ the tests run, in a build of its own; a test whose time is short may fail there.
coverage_build := $(O)-gcov
# Limits of memory and of files would cut off the counts of lines, too.
coverage_tests := unit cli sim clients $(filter-out %/lib.sh %/limits.sh %/memory.sh,$(wildcard tests/fault/*.sh))

coverage:
	$(Q)$(MAKE) O=$(coverage_build) CFLAGS='-O0 -g --coverage -fprofile-update=atomic' run-covered
	$(Q)scripts/coverage $(coverage_build) $(COVERAGE)

# Tests that run make pass on the flags of this one, and so leave the build as it is.
run-covered: all tests $(sim_programs) $(memory_fault)
	$(Q)find $(O) -name '*.gcda' -delete
	$(Q)TEST_TIMEOUT=600 tests/run $(O) $(or $(TESTS),$(coverage_tests)) || :

# The same in environments which people and their tools have: IN=list, or tests/anywhere's.
check-anywhere: all tests
	$(Q)tests/anywhere $(if $(IN),--in $(IN)) $(O) $(TESTS)

# Static analysis by cppcheck and by clang.
analyze:
	$(Q)CLANG_FLAGS="$(filter-out -MMD -MP,$(tma_flags)) $(pkg_cflags) -Icmd -DTMA_VERSION=\"\" -DTMA_COMMIT=\"\" -DTMA_LIBDIR=\"\" -DTMA_DATADIR=\"\"" \
		scripts/analyze cppcheck clang

# perf's own tests, with tma under its name; PERF_SRC=dir, or Debian's kernel package.
check-perf-suite: all
	$(Q)tests/perf/suite $(O)

check-unit: tests
	$(Q)tests/run $(O) unit fuzz

check-cli: all $(memory_fault) $(metrics_rows) $(sim_programs)
	$(Q)tests/run $(O) cli sim fault clients

# All that tests/bytes has recorded; make check compares a part of it.
check-bytes: all $(sim_programs)
	$(Q)$(PYTHON) -B tests/bytes/bytes.py run $(O)

# The allocations to which each path of calls leads fail, which takes half an hour; make check tries a part.
check-memory: all $(memory_fault) $(sim_programs)
	$(Q)$(PYTHON) -B tests/fault/memory.py $(O)
	$(Q)$(PYTHON) -B tests/fault/memory.py --of sim $(O)
	$(Q)$(PYTHON) -B tests/fault/servers.py --kind memory $(O)

# Each system call fails with each error it may have, signals come at any moment, and each option meets
# every other: an hour or two; make check tries a part.
# Each fact that a run reads is spoilt, and each counter.
check-facts: all
	$(Q)$(PYTHON) -B tests/fault/facts.py $(O)

check-faults: all $(sim_programs)
	$(Q)for kind in errors short signals limits; do \
		$(PYTHON) -B tests/fault/calls.py --kind $$kind $(O) || exit; done
	$(Q)for kind in errors short; do \
		$(PYTHON) -B tests/fault/servers.py --kind $$kind $(O) || exit; done
	$(Q)$(PYTHON) -B tests/fault/names.py $(O)
	$(Q)$(PYTHON) -B tests/fault/options.py $(O)

# Days of rows in stepped time, an hour in real time, and an hour of tma serve and tma top: memory,
# descriptors, lateness and CPU time, as pictures.
check-soak: all $(sim_programs)
	$(Q)$(PYTHON) -B tests/soak/soak.py --svg $(O)/soak.svg $(O)
	$(Q)$(PYTHON) -B tests/soak/daemons.py --svg $(O)/daemons.svg $(O)

# Rules, alerts and tma fleet, by a Prometheus that scrapes three simulated machines; check does what needs none.
check-fleet: all tests
	$(Q)TMA_TEST_FLEET=1 TEST_TIMEOUT=900 tests/run $(O) fleet

# How true values, errors and verdicts are on machines whose truth is known.
check-truth: all tests
	$(Q)tests/run $(O) truth

# What make does with what has changed, other tables, a newer kernel (TMA_TEST_KERNEL) and an installed tree.
check-build: all tests
	$(Q)tests/run $(O) build

# Every planned group, given to the scheduler of the kernel source.
check-kernel: all $(kernel_plans) $(kernel_simulated)
	$(Q)tests/run $(O) kernel
	$(Q)test ! -e $(O)/tests/kernel/table || cat $(O)/tests/kernel/table

# Under a kernel of its own in QEMU; no part of check.
check-vm: all
	$(Q)tests/run $(O) vm

# For arm64: built here, its unit tests under qemu-aarch64, and what needs a kernel under one in QEMU.
arm64_build := $(O)-arm64
arm64_root ?= third_party/arm64
arm64_lib := $(arm64_root)/usr/lib/aarch64-linux-gnu
arm64_make = PKG_CONFIG_LIBDIR=$(arm64_lib)/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(abspath $(arm64_root)) $(MAKE) O=$(arm64_build) \
	CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-ar GENERATOR=$(own_generator) LDFLAGS=-L$(arm64_lib)
# Not by -L, which would have paths such as / lead to the libraries' tree.
arm64_runs := qemu-aarch64 $(arm64_root)/lib/ld-linux-aarch64.so.1 \
	--library-path $(arm64_root)/lib/aarch64-linux-gnu:$(arm64_lib)
# These run programs, count, filter system calls, or count their own threads, of which the emulator adds one.
arm64_under_kernel := $(patsubst %,tests/unit/test_%.c,count_kernel count_run count_sampler count_starvation \
	json_program sim_buffer topdown_memory)

check-arm64: $(own_generator)
	+$(Q)$(arm64_make) all tests
	$(Q)TEST_UNDER='$(arm64_runs)' TEST_TIMEOUT=600 CK_TIMEOUT_MULTIPLIER=10 ARM64_ROOT=$(arm64_root) \
		ARM64_UNIT='$(notdir $(arm64_under_kernel:%.c=%))' tests/run $(arm64_build) \
		$(or $(TESTS),$(filter-out $(arm64_under_kernel),$(unit_sources)) tests/arm64/kernel.sh)

# Errors beside what really happened, on many machines of that kind; prints a table.
check-phases: all
	$(Q)TMA=$(O)/tma PERF='$(PERF)' tests/vm/phases.sh '*' | tee $(O)/tests/phases
	$(Q)! grep -q '^not ok' $(O)/tests/phases

# How far off metrics are by each --estimate, when rates change; prints a table.
check-estimates: all
	$(Q)tests/metrics/estimates.py -o $(O)/tests/estimates $(O)/tma lib/sim/machines

COMPARED := -e instructions,cycles -M tma_info_thread_ipc
HYPERFINE := hyperfine

# How often tma compare is wrong, with what many runs it finds 1, 2 and 5 %, on simulated machines with noise and on this
# host; whether gates on it hold; and what hyperfine says of the same programs. Prints lines.
check-compare: all $(sim_programs)
	$(Q)for machine in sapphirerapids skylakex; do \
		$(PYTHON) -B tests/metrics/compare.py $(O) --machine $$machine --comparisons 1000 --most-wrong 5 $(COMPARED) || exit; done
	$(Q)for percent in 1 2 5; do for runs in 5 10 20 30; do \
		$(PYTHON) -B tests/metrics/compare.py $(O) --comparisons 200 --runs $$runs --percent $$percent --noise 0.5 \
			--found-by instructions --most-wrong 5 $(COMPARED) || exit; done; done
	$(Q)for slower in 0 5 20; do \
		$(PYTHON) -B tests/metrics/compare_functions.py $(O) --slower $$slower --most-wrong 5 || exit; done
	$(Q)$(PYTHON) -B tests/metrics/compare_functions.py $(O) --clock --most-wrong 5
	$(Q)$(PYTHON) -B tests/metrics/compare_functions.py $(O) --node --ms 1000 --comparisons 20 --most-wrong 5 --least-found 90
	$(Q)for kind in identical injected gate instructions hyperfine; do \
		$(PYTHON) -B tests/metrics/compare_host.py $(O) $$kind --hyperfine $(HYPERFINE) || exit; done

WHY_MACHINES := skylakex icelakex sapphirerapids graniterapids alderlake zen4 neoverse-n2

# Where tma why ends on machines drawn at random, beside where they lose their time; prints a table. And what it
# says of each workload of tma test on machines whose rates fit these.
check-why: all $(sim_programs)
	$(Q)tests/metrics/why.py $(O)/tma $(WHY_MACHINES:%=lib/sim/machines/%)
	$(Q)TMA_TEST_WORKLOADS=1 tests/run $(O) tests/sim/places.sh
	$(Q)$(PYTHON) -B tests/metrics/nonsense.py $(O)/tma $(WHY_MACHINES:%=lib/sim/machines/%)

# Rows of functions, on machines drawn at random, beside the truth of each function; prints tables.
check-functions: all $(sim_programs)
	$(Q)for level in 1 2; do \
		tests/metrics/functions.py -n 4 -l $$level $(O)/tma $(O)/tests/sim/places \
			$(WHY_MACHINES:%=lib/sim/machines/%) || exit; \
	done

# Screens of all machines, on terminals from 40 to 200 columns; make check tries a part.
check-screens: all
	$(Q)$(PYTHON) -B tests/sim/screens.py --all $(O)
	$(Q)$(PYTHON) -B tests/sim/screens.py --all --top $(O)

# Pages of --format=html, used in the browsers that are installed, and a day of seconds opened; no part of check.
# Debian's python3 has selenium, which the first python3 on the path need not have.
check-page: all
	$(Q)for python in $(PYTHON) /usr/bin/python3; do \
		$$python -c 'import selenium' 2>/dev/null && break; done; \
	$$python -B tests/browser/page.py --day $(O)

# How many groups metrics need, as perf groups them and by counters; and what tma costs, beside what it did.
bench: all $(bench_groups)
	$(Q)tests/bench/groups $(O) $(MODELS)
	$(Q)tests/bench/figures.py $(O)

demo: program
	$(Q)scripts/demo $(O)/tma

# --- Installing, and packages -------------------------------------------------------------------

# Units of systemd know where the program is, and have what they may do in common.
systemd_units := $(addprefix $(O)/systemd/,tma-serve.service tma-serve.socket tma-textfile.service)

$(O)/systemd/%.service: scripts/systemd/%.service.in scripts/systemd/hardening $(cmd_stamp)
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D) && sed -e '/^@hardening@$$/{r scripts/systemd/hardening' -e 'd}' \
		-e 's,@bindir@,$(prefix)/bin,' $< >$@

$(O)/systemd/%.socket: scripts/systemd/%.socket
	$(Q)mkdir -p $(@D) && cp $< $@

install: all install-topdown $(systemd_units)
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(libdir)/tma \
		$(DESTDIR)$(prefix)/share/tma/machines
	install $(O)/tma $(DESTDIR)$(prefix)/bin/tma
	install $(O)/libtma-sim.so $(DESTDIR)$(libdir)/tma/libtma-sim.so
	install -m 644 lib/sim/machines/* $(DESTDIR)$(prefix)/share/tma/machines
	install -m 644 $(wildcard Documentation/*.schema.json) $(DESTDIR)$(prefix)/share/tma
	install -m 644 -D -t $(DESTDIR)$(prefix)/share/tma/fleet scripts/fleet/tma.rules.yml scripts/fleet/tma.global.rules.yml \
		scripts/fleet/tma.dashboard.json
	install -m 644 -D scripts/completion/tma.bash \
		$(DESTDIR)$(prefix)/share/bash-completion/completions/tma
	install -m 644 -D scripts/completion/_tma \
		$(DESTDIR)$(prefix)/share/zsh/site-functions/_tma
	install -m 644 -D scripts/completion/tma.fish \
		$(DESTDIR)$(prefix)/share/fish/vendor_completions.d/tma.fish
	install -m 644 -D -t $(DESTDIR)$(prefix)/lib/systemd/system $(systemd_units)
	for page in $(man_pages); do \
		install -m 644 -D -t $(DESTDIR)$(prefix)/share/man/man$${page##*.} $$page || exit; \
	done

# What install puts there is known to install alone: it is made to put it elsewhere, and each file that is
# found is taken away, with the directories named after tma that are empty then.
uninstall: all
	$(Q)rm -rf $(O)/uninstall
	$(Q)$(MAKE) -s install DESTDIR=$(O)/uninstall
	$(Q)cd $(O)/uninstall && find . ! -type d -exec sh -c 'rm -f "$(DESTDIR)/$$1"' - {} ';'
	$(Q)cd $(O)/uninstall && find . -depth -type d -name 'tma*' \
		-exec sh -c 'rmdir "$(DESTDIR)/$$1" 2>/dev/null || :' - {} ';'
	$(Q)rm -rf $(O)/uninstall

# The committed tree as a tarball, the same byte for byte wherever it is made; packages are built from it.
dist:
	$(Q)scripts/package/dist $(O) $(VERSION)

deb rpm: dist
	$(Q)scripts/package/$@/build $(O) $(VERSION) '$(abspath $(THIRD))'

# What was built here and nothing else.
clean:
	@test ! -e $(O) || test -e $(flags_stamp) || { echo "$(O) is no build directory"; exit 1; }
	rm -rf $(O)

help:
	@echo 'make [TARGET] [VARIABLE=value ...]'
	@echo
	@echo 'Targets:'
	@echo '  all         the program ($$(O)/tma), the simulated machine, libtma-topdown, man pages (default)'
	@echo '  program     the program and the simulated machine alone'
	@echo '  demo        the main job for five seconds, on this CPU or a simulated one'
	@echo '  check       the tests, in three minutes on two CPUs: what failed and why, and the count in the last line'
	@echo '  check-unit  unit tests and fuzz corpus; check-cli: the rest; check-valgrind: all, under valgrind'
	@echo '  check-anywhere  the tests in each environment of tests/anywhere --list: signals ignored, ordinary users ... (IN=list)'
	@echo '  check-fleet  a Prometheus scrapes three simulated machines: rules, alerts, tma fleet ("scripts/setup check-fleet")'
	@echo '  check-truth  how true values, errors and verdicts are on simulated machines; check-build: make and installing'
	@echo '  check-kernel  the groups of every model, given to the kernel'"'"'s own scheduler; prints a table'
	@echo '  check-vm    tests under a kernel of its own in QEMU, with a core PMU ("scripts/setup check-vm")'
	@echo '  check-arm64  a build for arm64: unit tests and a kernel in QEMU ("scripts/setup check-arm64"; 6 minutes)'
	@echo '  check-phases  how true values and errors are there when rates change (20 minutes); check does a part'
	@echo '  check-estimates  how far off metrics are by each --estimate when events take turns (10 minutes)'
	@echo '  check-why   where tma why ends, on machines of which that is known (3 minutes); check does a part'
	@echo '  check-functions  values, errors and verdicts of functions, by how long stays are (3 minutes); check does a part'
	@echo '  check-compare  how often tma compare is wrong, and what it finds, beside HYPERFINE= (2 hours); check does a part'
	@echo '  fuzz        random input for FUZZ_SECONDS=60 each to the targets FUZZ= (all); needs clang'
	@echo '  check-page  pages of --format=html in chromium and firefox ("scripts/setup check-page"; 10 minutes)'
	@echo '  check-screens  screens of all machines on terminals of 40 to 200 columns (a minute); check does a part'
	@echo '  check-bytes what 3,500 command lines print, against what tests/bytes recorded; check does a part'
	@echo '  check-memory  allocations of each path of calls fail in turn (half an hour); check does a part'
	@echo '  check-facts  each file of sysfs and procfs and each counter is spoilt on simulated machines (3 minutes); check does a part'
	@echo '  check-faults  each system call fails, signals, limits, names, pairs of options (an hour or two); check does a part'
	@echo '  check-soak  days of rows, an hour in real time, and one of servers: memory, descriptors (2.5 hours)'
	@echo '  analyze     cppcheck and clang --analyze of lib and cmd'
	@echo '  coverage    which lines of lib and cmd the tests run, in $$(O)-gcov; fails below COVERAGE= percent'
	@echo '  check-perf-suite  perf'"'"'s own tests of stat and list with tma as perf (PERF_SRC=dir)'
	@echo '  bench       how many groups of events TopDown metrics need, for MODELS= (all); cost, beside that recorded'
	@echo '  install     to $$(DESTDIR)$$(prefix); install-topdown: the library alone; uninstall takes it away'
	@echo '  dist        the committed tree as $$(O)/tma-$(VERSION).tar.xz; deb, rpm: packages made of it, in $$(O)/deb and $$(O)/rpm'
	@echo '  clean       remove $$(O)'
	@echo
	@echo 'Variables:'
	@echo '  O=dir                 where to build [build]'
	@echo '  V=1                   show the commands; with check: each file of tests, each skipped test, and all that failed files printed'
	@echo '  CC=clang  CFLAGS=...  compiler and its options [gcc, -O2 -g]'
	@echo '  TESTS=list            with check: unit, cli, sim, fault, clients, fleet, fuzz, truth, build, kernel, vm, servers or files of tests [those before truth]'
	@echo '  SANITIZE=list         address,undefined; TESTS="unit servers" goes with it'
	@echo '  prefix=dir            [/usr/local]; libdir=dir [$$(prefix)/lib]; DESTDIR=dir is put in front when installing'
	@echo '  KERNEL_SRC=dir        source of Linux 6.12 to 7.3 instead of the one scripts/setup took'
	@echo '  GENERATOR=file        pmu-events/gen-tables of another build, when this one is for another architecture'
	@echo '  ARCHS=list            architectures whose tables are built in [$(ARCHS)]'
	@echo '  PERF=file             for tests: a perf 6.12 to compare with'
	@echo '  TMA_TEST_TABLES=dir   for tests: newer tables of Intel, a folder for each model'
	@echo '  TMA_TEST_KERNEL=dir   for tests: source of a newer Linux, to build with and to read the tables of'
	@echo '  PERF7=file            for tests: a perf 7.3 to compare with'
	@echo '  PERF_SRC=dir          for check-perf-suite: tools/perf of Linux 6.12, or with TMA_COMPAT=7 of 7.3'
	@echo '  TABLES=overlay        only the tables of this project, none of the kernel tree [all]'
	@echo '  TABLES=kernel         only those of the kernel tree, to compare with its perf'

ifdef building
-include $(wildcard $(O)/*/*.d $(O)/*/*/*.d $(O)/*/*/*/*.d)
endif
