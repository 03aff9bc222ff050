// SPDX-License-Identifier: GPL-2.0-only
/*
 * Opens the stream for rows (-o, --log-fd, --append, --quiet), and writes the lines above the rows.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/xalloc.h"
#include "colour.h"
#include "run/control.h"
#include "stat/stat.h"

/* Get the id of the counted CPU, or "" if it is unknown. perf's output never has this id. */
static const char *known_cpuid(const struct stat_output *s)
{
	return as_perf() ? "" : run__about(s->run)->cpuid;
}

/*
 * Write the first two lines of a file. The first has the time at which the run began, as perf
 * writes it. The second is empty in perf's files, and names the CPU here.
 */
static int write_started(const struct stat_output *s, const char *name, struct err *err)
{
	const char *cpuid = known_cpuid(s);
	auto_free(sb) lines = SB_INIT;
	time_t now = time(NULL);
	char text[32];
	int rc;

	sb__printf(&lines, "# started on %s%s%s\n", ctime_r(&now, text),
		   *cpuid ? RECORD_CPUID_LINE " " : "", cpuid);
	rc = fflush(s->out) ? -errno : file__write_any(fileno(s->out), sb__str(&lines), lines.len);
	if (rc)
		err__set(err, -rc, "cannot write to %s: %s", name, strerror(-rc));
	return rc;
}

/*
 * Appended rows must fit the header of a CSV file. In other formats an empty line precedes a new
 * table.
 */
static int continue_file(struct stat_output *s, const char *name, struct err *err)
{
	int fd = dup(fileno(s->out));
	FILE *before = fd < 0 ? NULL : fdopen(fd, "r");
	size_t size = 0;
	bool some = before && !fseek(before, 0, SEEK_SET) && getline(&s->above, &size, before) > 0;

	if (!some && errno == ENOMEM)
		xchecked(NULL);
	if (before)
		fclose(before);
	else if (fd >= 0)
		close(fd);
	if (some && format__is(s->format.format, FORMAT_CSV))
		s->format.above = s->above;
	else if (some && fputc('\n', s->out) == EOF)
		return err__set(err, errno, "cannot write to %s: %s", name, strerror(errno));
	return 0;
}

/*
 * With --append, open a regular file for reading and writing, or only for writing if reading is
 * forbidden.
 */
static int open_named(const char *name, bool append, struct err *err)
{
	bool regular = append && S_ISREG(file__mode("%s", name));
	int fd = regular ? place__open(name, O_RDWR | O_APPEND, 0666, err) : -EACCES;

	return fd == -EACCES ? place__open(name, O_WRONLY | (append ? O_APPEND : 0), 0666, err)
			     : fd;
}

/* End an unfinished last line, so that appended text begins on a new line. */
static int end_last_line(int fd, const char *name, struct err *err)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char last = '\n';
	int rc;

	/* If the file cannot be read, assume that its last line is complete. */
	if (size <= 0 || pread(fd, &last, 1, size - 1) != 1 || last == '\n')
		return 0;
	rc = file__write_any(fd, "\n", 1);
	return rc ? err__set(err, -rc, "cannot write to %s: %s", name, strerror(-rc)) : 0;
}

/* Return: whether the report would overwrite @input, which it may still read. */
static bool is_written(const struct stat_options *o, const char *input)
{
	if (!input || !*input)
		input = RECORD_DEFAULT_NAME;
	return file__is_same(o->output_name, strcmp(input, "-") ? input : "/dev/stdin");
}

static int check_inputs(const struct stat_options *o, struct err *err)
{
	bool same = is_written(o, o->input_name);

	for (int i = 0; i < o->nr_inputs && !same; i++)
		same = is_written(o, o->inputs[i]);
	return same ? err__set(err, EINVAL, "-o %s: this file is an input", o->output_name) : 0;
}

static int stat_output__open_file(struct stat_output *s, struct err *err)
{
	const char *name = s->o->output_name;
	bool append = s->o->append;
	int fd = open_named(name, append, err), rc;

	if (fd < 0)
		return fd;
	s->out = xchecked(fdopen(fd, append ? "a" : "w"));
	rc = append ? end_last_line(fd, name, err) : 0;
	if (rc)
		return rc;
	if (s->format.header)
		return append ? continue_file(s, name, err) : 0;
	/* A format that has a header writes nothing else above its rows. */
	if (format__is(s->format.format, FORMAT_TEXT | FORMAT_CSV) &&
	    !format__is(s->format.format, FORMAT_HEADER))
		return write_started(s, name, err);
	return 0;
}

static int open_stream(struct stat_output *s, struct err *err)
{
	const struct stat_options *o = s->o;

	s->out = o->to_stdout ? stdout : stderr;
	if (format__is(s->format.format, FORMAT_PAGE) && !o->quiet && o->has_file)
		return stat_page__open(s, err);
	if (o->quiet) {
		s->out = fopen("/dev/null", "we");
		return s->out ? 0 : err__set(err, errno, "/dev/null: %s", strerror(errno));
	}
	if (o->log_fd) {
		if ((fcntl(o->log_fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
			return err__set(err, EBADF,
					"--log-fd %d: the descriptor is open for reading only",
					(int)o->log_fd);
		s->out = fdopen(o->log_fd, "w");
		return s->out ? 0
			      : err__set(err, errno, "--log-fd %d: %s", (int)o->log_fd,
					 strerror(errno));
	}
	if (o->verb == STAT_REPORT && o->has_file && check_inputs(o, err))
		return -EINVAL;
	if (s->format.path)
		return file__can_replace(s->format.path, err);
	return o->has_file ? stat_output__open_file(s, err) : 0;
}

/* Set the names of the program, the CPU and the tables. */
static void stat_output__put_names(struct stat_output *s)
{
	s->format.version = TMA_VERSION;
	s->format.cpu = known_cpuid(s);
	host__name_tables(s->host, &s->tables);
	s->format.tables = sb__str(&s->tables);
}

int stat_output__open(struct stat_output *s, struct err *err)
{
	const struct run_about *about = run__about(s->run);
	int rc;

	s->format = s->o->format;
	s->format.head = about->head;
	s->format.raw_head = as_perf();
	s->format.metric_only = about->metric_only;
	if (!about->metric_only)
		s->format.narrow = NULL;
	if (s->o->has_file)
		s->format.cpuid = known_cpuid(s);
	stat_output__put_names(s);
	rc = open_stream(s, err);
	if (!rc && format__is(s->format.format, FORMAT_PAGE) && !s->format.page)
		rc = stat_page__open(s, err);
	if (rc)
		return rc;
	if (s->format.clear && !isatty(fileno(s->out)))
		return err__set(err, ENOTTY, "--interval-clear needs a terminal, and %s is not one",
				s->o->to_stdout ? "stdout" : "stderr");
	s->format.colours = colour__number(s->o->colour, fileno(s->out));
	return 0;
}

int stat_output__close(struct stat_output *s, bool failed, struct err *err)
{
	int shown, rc = 0;

	writer__free(s->writer);
	shown = stat_page__close(s, failed, err);
	/* At its end, the program checks whether standard output could be written. */
	if (s->out && s->out != stderr && s->out != stdout && fclose(s->out))
		rc = err__set(err, errno, "the output could not be written completely: %s",
			      strerror(errno));
	free(s->above);
	sb__free(&s->tables);
	return rc ?: shown;
}
