// SPDX-License-Identifier: GPL-2.0-only
/* Which format, and where to: -x, -j, --format, --header, -o, --log-fd. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "stat.h"

static int find_format(const char *name, struct err *err)
{
	int format = report_format__find(name);

	if (format >= 0)
		return format;
	err__set(err, EINVAL, "--format: there is no '%s', but", name);
	for (int i = 0; i < REPORT_NR_FORMATS; i++)
		err__append(err, "%s %s", i ? "," : "", report_format__name(i));
	return -EINVAL;
}

static bool is_csv(enum report_format format)
{
	return format == REPORT_CSV || format == REPORT_WIDE;
}

static int check(const struct stat_options *o, enum report_format format, struct err *err)
{
	bool prom = format == REPORT_PROM;
	const struct {
		bool both;
		const char *why;
	} list[] = {
		{ o->json && format != REPORT_JSON,
		  "-j is --format=json-perf, and --format says another: choose one format" },
		{ o->report.separator && !is_csv(format),
		  "-x is for csv and csv-wide, and --format says another: choose one format" },
		{ o->header_set && !is_csv(format), "--header is for CSV: -x or --format=csv-wide" },
		{ prom && o->append, "--format=prom replaces its file: it cannot be added to" },
		{ prom && o->summary,
		  "--format=prom counts since the start anyway: leave out --summary" },
		{ prom && o->repeat != 1,
		  "-r and --format=prom exclude each other: a counter has no mean" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++)
		if (list[i].both)
			return err__set(err, EINVAL, "%s", list[i].why);
	return 0;
}

static bool has_file(const struct stat_options *o)
{
	return o->output_name && strcmp(o->output_name, "-");
}

static int check_verdict(const struct stat_options *o, struct err *err)
{
	if (!o->report.verdict || o->quiet || report_format__has_verdict(o->report.format) ||
	    !stat_output__is_shared(o))
		return 0;
	return err__set(err, EINVAL, "--verdict: in %s there is no place for it, and on standard error it"
			" would stand among the rows: give them -o FILE or --log-fd, or use --format=json",
			report_format__name(o->report.format));
}

bool stat_output__is_shared(const struct stat_options *o)
{
	return o->report.format != REPORT_TEXT && !has_file(o) &&
	       (!o->log_fd || o->log_fd == STDERR_FILENO);
}

int stat_output__choose(struct stat_options *o, struct err *err)
{
	int format = o->json		   ? REPORT_JSON :
		     o->report.separator   ? REPORT_CSV :
					     REPORT_TEXT, rc;

	if (o->format_name)
		format = find_format(o->format_name, err);
	if (format < 0)
		return format;
	rc = check(o, format, err);
	if (rc)
		return rc;
	o->report.format = format;
	if (format == REPORT_WIDE && !o->header_set)
		o->report.header = true;
	if (format == REPORT_PROM && has_file(o) && !o->quiet)
		o->report.path = o->output_name;
	return check_verdict(o, err);
}

int stat_output__check(const struct stat_options *o, struct err *err)
{
	if (o->report.format == REPORT_PROM && o->report.interval && !o->report.path && !o->quiet)
		return err__set(err, EINVAL, "--format=prom with intervals replaces a file at each of them:"
					     " it needs -o FILE");
	return 0;
}

/* The first line of a file says when the run began, as perf writes it. */
static int write_started(FILE *out, const char *name, struct err *err)
{
	time_t now = time(NULL);
	char text[32];

	if (fprintf(out, "# started on %s\n", ctime_r(&now, text)) < 0 || fflush(out))
		return err__set(err, errno, "cannot write to %s: %s", name, strerror(errno));
	return 0;
}

/* What is added to a file that has its header stands in the same columns. */
static void drop_second_header(struct stat_options *o, FILE *out)
{
	struct stat st;

	if (o->append && !fstat(fileno(out), &st) && st.st_size)
		o->report.header = false;
}

static int open_file(struct stat_options *o, FILE **out, struct err *err)
{
	int rc = 0;

	*out = fopen(o->output_name, o->append ? "ae" : "we");
	if (!*out)
		return err__set(err, errno, "cannot open %s for writing: %s", o->output_name,
				strerror(errno));
	if (o->report.header)
		drop_second_header(o, *out);
	else if (o->report.format == REPORT_TEXT || o->report.format == REPORT_CSV)
		rc = write_started(*out, o->output_name, err);
	if (rc) {
		fclose(*out);
		*out = NULL;
	}
	return rc;
}

int stat_output__open(struct stat_options *o, FILE **out, struct err *err)
{
	*out = stderr;
	if (o->quiet) {
		*out = fopen("/dev/null", "we");
		return *out ? 0 : err__set(err, errno, "/dev/null: %s", strerror(errno));
	}
	if (o->log_fd) {
		*out = fdopen(o->log_fd, "w");
		if (!*out)
			return err__set(err, errno, "--log-fd %d: %s", (int)o->log_fd,
					strerror(errno));
		return 0;
	}
	if (o->report.path)
		return file__can_replace(o->report.path, err);
	return has_file(o) ? open_file(o, out, err) : 0;
}

int stat_output__close(FILE *out, struct err *err)
{
	if (!out || out == stderr)
		return 0;
	if (fclose(out))
		return err__set(err, errno, "the output could not be written whole: %s",
				strerror(errno));
	return 0;
}
