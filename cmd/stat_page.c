// SPDX-License-Identifier: GPL-2.0-only
/* The page of --format=html: where it goes, and what it says of the run beside its rows. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "simulated.h"
#include "stat.h"
#include "verdict/turns.h"
#include "writers/page.h"

/* A path that is not a regular file is a stream: a fifo, /dev/stdout, a terminal. */
static bool is_path(const char *name)
{
	mode_t mode = name ? file__mode("%s", name) : 0;

	return name && (!mode || S_ISREG(mode));
}

struct page *page__open(const char *name, FILE **stream, const char *option, struct err *err)
{
	FILE *named;
	int fd;

	if (is_path(name))
		return page__new(name, -1, err);
	if (name) {
		fd = place__open(name, O_WRONLY, 0666, err);
		if (fd < 0)
			return NULL;
		named = xchecked(fdopen(fd, "we"));
		*stream = named;
	}
	if (!isatty(fileno(*stream)))
		return page__new(NULL, fileno(*stream), err);
	err__set(err, EINVAL,
		 "--format=html writes a page for a browser, not for a terminal: name a file with "
		 "%s",
		 option);
	return NULL;
}

static void tell_command(const struct stat_run *run, struct page *page)
{
	const char *machine = simulated__machine();
	auto_free(sb) line = SB_INIT;

	sb__puts(&line, "tma");
	if (machine) {
		sb__puts(&line, " --machine ");
		text__shell(&line, machine);
	}
	for (const char **arg = run->o->command_line; *arg; arg++) {
		sb__putc(&line, ' ');
		text__shell(&line, *arg);
	}
	page__tell(page, "Command", sb__str(&line));
	page__tell(page, "Version", "tma " TMA_VERSION);
	if (machine)
		page__tell(page, "Simulated", "the machine is simulated: its counts are synthetic");
}

static void tell_machine(const struct stat_run *run, struct page *page)
{
	const struct machine *m = run->host.machine;
	auto_free(sb) text = SB_INIT;
	int len;

	if (!m)
		return;
	page__tell(page, "CPU", run->cpuid_borrowed ? "" : m->cpuid);
	if (m->online.nr)
		sb__printf(&text, "%d", m->online.nr);
	page__tell(page, "CPUs online", sb__str(&text));
	sb__clear(&text);
	if (!run->host.tables)
		return;
	host__describe(&run->host, &text);
	text__for_each_item(line, len, sb__str(&text), "\n")
	{
		auto_free(sb) item = SB_INIT;

		sb__add(&item, line, len);
		if (text__has_prefix(sb__str(&item), "tables "))
			page__tell(page, "Tables", sb__str(&item) + strlen("tables "));
	}
}

static void tell_time(const struct stat_run *run, struct page *page)
{
	time_t now = time(NULL);
	char text[64];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		page__tell(page, run->o->verb == STAT_REPORT ? "Reported" : "Started", text);
}

static void tell(const struct stat_run *run, struct page *page)
{
	tell_command(run, page);
	tell_time(run, page);
	tell_machine(run, page);
	if (run->o->report.error)
		page__tell(page, "Errors",
			   "half the width of the interval of a value, of " TURNS_CONFIDENCE
			   " confidence");
	else if (run->o->verb == STAT_REPORT)
		page__tell(page, "Errors", "a recording does not have what tells them");
}

int stat_page__open(struct stat_run *run, struct err *err)
{
	const struct stat_options *o = run->o;

	run->format.recorded = o->verb == STAT_REPORT;
	run->format.page = page__open(o->has_file && !o->quiet ? o->output_name : NULL, &run->out,
				      o->verb == STAT_RECORD ? "--log-fd" : "-o FILE", err);
	if (!run->format.page)
		return -err->code;
	tell(run, run->format.page);
	return 0;
}

int stat_page__close(struct stat_run *run, bool failed, struct err *err)
{
	struct page *page = run->format.page;
	int rc = page && !failed ? page__show(page, err) : 0;

	page__free(page);
	run->format.page = NULL;
	return rc;
}
