// SPDX-License-Identifier: GPL-2.0-only
/* Where rows go: -o, --log-fd, --append, --quiet. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "stat.h"

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
static void drop_second_header(struct stat_run *run)
{
	struct stat st;

	if (run->o->append && !fstat(fileno(run->out), &st) && st.st_size)
		run->format.header = false;
}

static int open_file(struct stat_run *run, struct err *err)
{
	const char *name = run->o->output_name;

	run->out = fopen(name, run->o->append ? "ae" : "we");
	if (!run->out)
		return err__set(err, errno, "cannot open %s for writing: %s", name, strerror(errno));
	if (run->format.header)
		drop_second_header(run);
	else if (format__is(run->format.format, FORMAT_TEXT | FORMAT_CSV))
		return write_started(run->out, name, err);
	return 0;
}

static int open_stream(struct stat_run *run, struct err *err)
{
	const struct stat_options *o = run->o;

	run->out = stderr;
	if (o->quiet) {
		run->out = fopen("/dev/null", "we");
		return run->out ? 0 : err__set(err, errno, "/dev/null: %s", strerror(errno));
	}
	if (o->log_fd) {
		run->out = fdopen(o->log_fd, "w");
		return run->out ? 0 : err__set(err, errno, "--log-fd %d: %s", (int)o->log_fd,
					       strerror(errno));
	}
	if (run->format.path)
		return file__can_replace(run->format.path, err);
	return o->has_file ? open_file(run, err) : 0;
}

int stat_output__open(struct stat_run *run, struct err *err)
{
	int rc = open_stream(run, err);

	if (rc)
		return rc;
	if (run->format.clear && !isatty(fileno(run->out)))
		return err__set(err, ENOTTY,
				"--interval-clear is for a terminal, which stderr is not");
	run->format.colour = isatty(fileno(run->out)) && !getenv("NO_COLOR");
	return 0;
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
