# SPDX-License-Identifier: GPL-2.0-only
# libtma-topdown, a library for other programs: it is compiled with nothing of the rest, as C11, and
# has nothing to do with how the kernel's headers come to tma. Included by Makefile.

topdown_dir := lib/topdown
topdown_sources := $(wildcard $(topdown_dir)/*.c)
topdown_headers := $(wildcard $(topdown_dir)/include/tma/*.h)
topdown_abi := 0
topdown_so := libtma-topdown.so.$(VERSION)
topdown_soname := libtma-topdown.so.$(topdown_abi)
topdown_flags := -std=c11 -pedantic -D_GNU_SOURCE -MMD -MP -Wall -Wextra -fvisibility=hidden $(protect)

$(O)/lib/topdown/%.o: lib/topdown/%.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(topdown_flags) $(CPPFLAGS) $(CFLAGS) $(sanitize) -c -o $@ $<

$(O)/pic/lib/topdown/%.o: lib/topdown/%.c $(flags_stamp)
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D) && $(CC) $(topdown_flags) $(CPPFLAGS) $(CFLAGS) $(sanitize_pic) -fPIC -c -o $@ $<

$(eval $(call archive,tma-topdown,$(call objects,$(topdown_sources))))

# The shared library under its three names. The first has the version: where that has changed the links lead to the last one's file.
topdown_shared := $(addprefix $(O)/,$(topdown_so) $(topdown_soname) libtma-topdown.so)

$(topdown_shared) &: $(call pic_objects,$(topdown_sources)) $(topdown_dir)/libtma-topdown.map
	$(call say,LINK,$(O)/$(topdown_so))
	$(Q)$(CC) $(protect_link) $(CFLAGS) $(LDFLAGS) -shared -Wl,-z,defs -Wl,-soname,$(topdown_soname) \
		-Wl,--version-script=$(topdown_dir)/libtma-topdown.map -o $(O)/$(topdown_so) $(filter %.o,$^) -lpthread
	$(Q)ln -sfn $(topdown_so) $(O)/$(topdown_soname)
	$(Q)ln -sfn $(topdown_soname) $(O)/libtma-topdown.so

$(O)/libtma-topdown.pc: $(topdown_dir)/libtma-topdown.pc.in $(cmd_stamp)
	$(Q)sed -e 's,@prefix@,$(prefix),' -e 's,@libdir@,$(libdir),' -e 's,@version@,$(VERSION),' $< >$@

topdown_library := $(O)/libtma-topdown.a $(topdown_shared) $(O)/libtma-topdown.pc

# --- Examples: programs as its users write them, with nothing but its header ------------------------

example_sources := $(wildcard Documentation/examples/*.c)
examples := $(patsubst %.c,$(O)/%,$(example_sources))

$(O)/Documentation/examples/%: Documentation/examples/%.c $(O)/libtma-topdown.so $(flags_stamp)
	$(call say,LINK,$@)
	$(Q)mkdir -p $(@D) && $(CC) -std=c11 -pedantic -Wall -Wextra -MMD -MP $(protect) \
		-I$(topdown_dir)/include $(CPPFLAGS) $(link_flags) -o $@ $< -L$(O) -ltma-topdown \
		-lpthread '-Wl,-rpath,$$ORIGIN/../..'

# --- Installing it -------------------------------------------------------------------------------

.PHONY: install-topdown

install-topdown: $(topdown_library)
	install -d $(DESTDIR)$(libdir)/pkgconfig $(DESTDIR)$(prefix)/include/tma
	install -m 644 $(topdown_headers) $(topdown_dir)/region_page.h $(DESTDIR)$(prefix)/include/tma
	install -m 644 $(O)/libtma-topdown.a $(DESTDIR)$(libdir)
	install -m 755 $(O)/$(topdown_so) $(DESTDIR)$(libdir)
	ln -sfn $(topdown_so) $(DESTDIR)$(libdir)/$(topdown_soname)
	ln -sfn $(topdown_soname) $(DESTDIR)$(libdir)/libtma-topdown.so
	install -m 644 $(O)/libtma-topdown.pc $(DESTDIR)$(libdir)/pkgconfig
