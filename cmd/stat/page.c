// SPDX-License-Identifier: GPL-2.0-only
/* The page of --format=html: its file, and the facts about the run next to the rows. */
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/text.h"
#include "machine/machine.h"
#include "page.h"
#include "stat/stat.h"
#include "tables/tables.h"
#include "verdict/turns.h"
#include "writers/page.h"

static void tell_command(const struct stat_output *s, struct page *page)
{
	const char *machine = s->host->simulated;
	auto_free(sb) line = SB_INIT;

	sb__puts(&line, "tma");
	if (machine) {
		sb__puts(&line, " --machine ");
		text__shell(&line, machine);
	}
	for (const char **arg = s->o->command_line; *arg; arg++) {
		sb__putc(&line, ' ');
		text__shell(&line, *arg);
	}
	page__add_fact(page, "Command", sb__str(&line));
}

static void tell_machine(const struct stat_output *s, struct page *page)
{
	const struct machine *m = s->host->machine;
	auto_free(sb) text = SB_INIT;
	int len;

	if (!m)
		return;
	if (m->online.nr)
		sb__printf(&text, "%d", m->online.nr);
	page__add_fact(page, "CPUs online", sb__str(&text));
	sb__clear(&text);
	if (!s->host->tables)
		return;
	host__describe(s->host, &text);
	text__for_each_item(line, len, sb__str(&text), "\n")
	{
		auto_free(sb) item = SB_INIT;

		sb__add(&item, line, len);
		if (text__has_prefix(sb__str(&item), "tables "))
			page__add_fact(page, "Tables", sb__str(&item) + strlen("tables "));
	}
}

static void tell_simulated(const struct stat_output *s, struct page *page)
{
	auto_free(sb) text = SB_INIT;

	sb__printf(&text, "the machine is simulated: its counts are synthetic (%s)",
		   s->host->machine->simulated);
	page__add_fact(page, "Simulated", sb__str(&text));
}

/* Add the CPU. A recording may be from another computer, and arm64 has no names of CPUs. */
static void tell_cpu(const struct stat_output *s, struct page *page)
{
	const struct tables *tables = s->host->tables;
	const char *cpuid = run__about(s->run)->cpuid;
	auto_free(sb) text = SB_INIT;
	char *name = s->o->verb == STAT_REPORT ? NULL : machine__processor(s->host->machine);

	if (name && strcmp(name, cpuid))
		sb__puts(&text, name);
	else if (tables && *cpuid)
		sb__puts(&text, tables__model(tables));
	sb__printf(&text, text.len && *cpuid ? " (%s)" : "%s", cpuid);
	page__add_fact(page, "CPU", sb__str(&text));
	free(name);
}

static void stat_page__tell(const struct stat_output *s, struct page *page)
{
	bool reported = s->o->verb == STAT_REPORT;

	if (s->host->machine->simulated)
		tell_simulated(s, page);
	page__tell_made(page, reported ? "Reported" : "Started", !reported);
	tell_cpu(s, page);
	tell_command(s, page);
	tell_machine(s, page);
	page__add_fact(page, "Version", "tma " TMA_VERSION);
	if (s->o->req.error)
		page__add_fact(page, "Errors",
			   "after \302\261: half the width of a value's interval, of " TURNS_CONFIDENCE
			   " confidence");
	else if (s->o->verb == STAT_REPORT)
		page__add_fact(page, "Errors", "a recording lacks the data to compute them");
}

static void tell_early(const struct stat_output *s, struct page *page)
{
	int len;

	text__for_each_item(line, len, sb__str(&s->early), "\n") {
		auto_free(sb) text = SB_INIT;

		sb__add(&text, line, len);
		page__add_note(page, sb__str(&text));
	}
}

void stat_page__note(struct stat_output *s)
{
	const struct note *note;
	int len;

	if (!format__is(s->o->format.format, FORMAT_PAGE))
		return;
	vec__for_each(note, &run__notes(s->run)->list) {
		auto_free(sb) text = SB_INIT;

		if (note->place)
			sb__printf(&text, "%s: ", note->place);
		text__for_each_item(line, len, note->text, "\n")
			sb__printf(&text, "%.*s ", len, line);
		if (s->format.page)
			page__add_note(s->format.page, text__trim(text.buf));
		else
			sb__printf(&s->early, "%s\n", text__trim(text.buf));
	}
}

int stat_page__open(struct stat_output *s, struct err *err)
{
	const struct stat_options *o = s->o;

	s->format.recorded = o->verb == STAT_REPORT;
	s->format.page = page__open(o->has_file && !o->quiet ? o->output_name : NULL, &s->out,
				      o->verb == STAT_RECORD ? "--log-fd" : "-o FILE", err);
	if (!s->format.page)
		return -err->code;
	stat_page__tell(s, s->format.page);
	tell_early(s, s->format.page);
	return 0;
}

int stat_page__close(struct stat_output *s, bool failed, struct err *err)
{
	struct page *page = s->format.page;
	int rc = page && !failed ? page__show(page, err) : 0;

	page__free(page);
	s->format.page = NULL;
	return rc;
}
