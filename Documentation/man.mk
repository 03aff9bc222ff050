# SPDX-License-Identifier: GPL-2.0-only
# Man pages from AsciiDoc: Documentation/NAME.SECTION.adoc. Included by Makefile.

man_pages := $(patsubst %.adoc,$(O)/%,$(wildcard Documentation/*.[1-8].adoc))

$(O)/Documentation/%: Documentation/%.adoc Documentation/man.awk $(cmd_stamp)
	$(call say,MAN,$@)
	$(Q)mkdir -p $(@D) && asciidoctor -b manpage -a manmanual='tma manual' \
		-a mansource='tma $(VERSION)' -o $@.in $<
	$(Q)awk -f Documentation/man.awk $@.in >$@ && rm -f $@.in
