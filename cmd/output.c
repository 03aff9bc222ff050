// SPDX-License-Identifier: GPL-2.0-only
/* Writes listings to a file, a pipe or a pager; text is wrapped to the width, and JSON is not. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <subcmd/pager.h>
#include <subcmd/run-command.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "base/wrap.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "metrics/print.h"
#include "tables/tables.h"

#define WIDTH_MIN 40
#define FILE_BYTES 4096	 /* a file is written in blocks of at least this size */
#define FIRST_BYTES 1024 /* smallest buffer of a stream; a stream that is unused has none */
/* Characters that names of shell variables consist of. */
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Find the program in a shell's command line; assignments of variables may precede it. */
static char *first_word(const char *line)
{
	for (;;) {
		size_t len;

		line += strspn(line, " \t");
		len = strcspn(line, " \t;&|<>()");
		if (line[strspn(line, NAME_CHARS)] != '=')
			return xstrndup(line, len);
		line += len;
	}
}

/*
 * A pager that cannot be started would swallow the output. Ask the shell, which starts it, whether
 * it exists. A command line with quotes or variables is assumed to work.
 */
static bool can_run(const char *pager)
{
	static const char script[] = "p=$(command -v -- \"$1\") || exit 1\n"
				     "case $p in */*) [ -x \"$p\" ] ;; esac";
	auto_text word = first_word(pager);
	const char *argv[] = { "sh", "-c", script, "sh", word, NULL };
	struct child_process probe = { .argv = argv, .no_stdin = 1, .no_stdout = 1,
				       .no_stderr = 1 };

	return !*word || strpbrk(word, "\"'\\$`~*?[{") || !run_command(&probe);
}

static int own_stderr = STDERR_FILENO; /* standard error as it was before the pager */

/* Return: whether the pager failed and showed nothing. If the user quit it, it has not failed. */
static bool pager_failed(void)
{
	static const char words[] = "tma: the pager failed: TMA_PAGER=cat prints without one\n";
	int status = 0;

	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (wait(&status) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return false;
	(void)!write(own_stderr, words, sizeof(words) - 1);
	return true;
}

static void pager_has_left(int signo)
{
	(void)signo;
	_exit(pager_failed() ? STATUS_FAILED : 0);
}

/* The program's exit status is already set when this runs, and is kept unless the pager failed. */
static void wait_for_pager(void)
{
	fflush(NULL);
	if (pager_failed())
		_exit(STATUS_FAILED);
}

static void start_pager(void)
{
	int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

	setup_pager();
	if (!pager_in_use()) {
		close(kept);
		return;
	}
	if (kept >= 0)
		own_stderr = kept;
	signal(SIGPIPE, pager_has_left);
	atexit(wait_for_pager);
}

static void page_output(void)
{
	const char *pager = getenv("TMA_PAGER");

	if (!isatty(STDOUT_FILENO))
		return;
	pager = pager ? pager : getenv("PAGER");
	if (pager && *pager && strcmp(pager, "cat") && !can_run(pager)) {
		say("the pager '%s' cannot be run: printing without one", pager);
		force_pager("cat"); /* this starts no pager, but makes libsubcmd find the width */
	}
	start_pager();
}

/* libsubcmd finds the width of a terminal only if it was asked to start a pager. */
static int columns(void)
{
	struct winsize size;

	if (!getenv("COLUMNS") && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col)
		return size.ws_col;
	return pager_get_columns();
}

int output__open(struct output *o, const char *path, bool page, struct err *err)
{
	*o = (struct output){.path = path, .json = JSON_INIT(&o->text, JSON_INDENTED)};
	if (path) {
		o->fd = place__open(path, O_WRONLY, 0666, err);
		if (o->fd < 0)
			return o->fd;
	} else if (page) {
		page_output();
	}
	o->width = path || page ? pager_get_columns() : columns();
	if (o->width < WIDTH_MIN)
		o->width = WIDTH_MIN;
	return 0;
}

/* Count the bytes of a text up to the end of its last line; 0 if no line ends in it. */
static size_t whole_lines(const char *text, size_t len)
{
	const char *newline = memrchr(text, '\n', len);

	return newline ? newline + 1 - text : 0;
}

/*
 * Write a line that is longer than a stream's buffer directly: then it is written whole or not at
 * all.
 */
static void write_long_line(struct output *o, FILE *f, const char *text, size_t len)
{
	if (!o->failed && !fflush(f))
		o->failed = -file__write_any(fileno(f), text, len);
}

/*
 * A full buffer would be written in the middle of a line, and if the disk is full, only a part of
 * the line is. So flush the buffer before a line would fill it.
 */
static void write_lines(struct output *o, FILE *f, const char *text, size_t len)
{
	while (len && !o->failed) {
		size_t room = __fbufsize(f) ? __fbufsize(f) : FIRST_BYTES, n = len;

		if (len > room)
			n = whole_lines(text, room);
		if (!n) {
			const char *newline = memchr(text, '\n', len);

			n = newline ? (size_t)(newline + 1 - text) : len;
			write_long_line(o, f, text, n);
		} else {
			if (__fpending(f) + n > room)
				fflush(f);
			fwrite(text, 1, n, f);
		}
		text += n;
		len -= n;
	}
}

/* Write to a file without a stream: a stream would leave a part of a line at a file size limit. */
static void write_file(struct output *o, size_t len)
{
	if (!o->failed)
		o->failed = -file__write_any(o->fd, sb__str(&o->text), len);
}

/* Write only whole lines: the rest of a line is not made if memory runs out. */
void output__flush(struct output *o)
{
	const char *text = sb__str(&o->text);
	size_t whole = whole_lines(text, o->text.len);

	if (!whole || o->held || (o->path && whole < FILE_BYTES))
		return;
	if (o->path)
		write_file(o, whole);
	else
		write_lines(o, stdout, text, whole);
	o->text.len -= whole;
	memmove(o->text.buf, o->text.buf + whole, o->text.len + 1);
}

void output__end_line(struct output *o)
{
	sb__putc(&o->text, '\n');
	output__flush(o);
}

void output__begin_part(struct output *part, const struct output *whole)
{
	*part = (struct output){.width = whole->width, .colour = whole->colour, .held = true};
}

int output__lines(const struct output *o)
{
	int nr = 0;

	for (size_t i = 0; i < o->text.len; i++)
		nr += o->text.buf[i] == '\n';
	return nr;
}

void output__end_part(struct output *part, struct output *whole)
{
	sb__puts(&whole->text, sb__str(&part->text));
	sb__free(&part->text);
	output__flush(whole);
}

struct sb *output__scratch(struct output *o)
{
	sb__clear(&o->scratch);
	return &o->scratch;
}

int output__close(struct output *o, struct err *err)
{
	if (o->path)
		write_file(o, o->text.len);
	else
		write_lines(o, stdout, sb__str(&o->text), o->text.len);
	sb__free(&o->text);
	sb__free(&o->line);
	sb__free(&o->scratch);
	/* At its end, the program checks whether buffers of streams could be written. */
	if (o->path && close(o->fd) && !o->failed)
		o->failed = errno;
	return o->failed ? err__set(err, o->failed, "cannot write to %s: %s",
				    o->path ? o->path : "standard output", strerror(o->failed))
			 : 0;
}

void printed__begin(struct printed *p)
{
	p->f = xchecked(open_memstream(&p->text, &p->len));
}

/* Write without a stream, whose buffer would split a longer line. */
static int write_to(int fd, const struct printed *p, struct err *err)
{
	int rc = file__write_any(fd, p->text, p->len);

	if (rc)
		err__set(err, -rc, "the answer could not be written completely: %s", strerror(-rc));
	return rc;
}

int printed__write(struct printed *p, int fd, struct err *err)
{
	bool failed = ferror(p->f);
	int rc;

	failed |= fclose(p->f) != 0;
	xchecked(failed ? NULL : p->text);
	if (fd == STDOUT_FILENO)
		fflush(stdout);
	rc = write_to(fd, p, err);
	if (fd != STDOUT_FILENO && close(fd) && !rc)
		rc = err__set(err, errno, "the answer could not be written completely: %s",
			      strerror(errno));
	free(p->text);
	return rc;
}

void output__begin_style(struct output *o, enum output_style style)
{
	if (o->colour && style)
		sb__puts(&o->text, style == STYLE_BAD ? "\033[1;31m" : "\033[1m");
}

void output__end_style(struct output *o, enum output_style style)
{
	if (o->colour && style)
		sb__puts(&o->text, "\033[m");
}

void output__wrap_in(struct output *o, enum output_style style, int column, int indent,
		     const char *text)
{
	output__begin_style(o, style);
	wrap__text(&o->text, text, column, indent, o->width);
	output__end_style(o, style);
	output__end_line(o);
}

void output__wrap(struct output *o, int column, int indent, const char *text)
{
	output__wrap_in(o, STYLE_PLAIN, column, indent, text);
}

void output__command(struct output *o, int column, int indent, const char *command)
{
	wrap__command(&o->text, command, column, indent, o->width);
	output__end_line(o);
}

void output__line(struct output *o, int column, int indent, const char *text)
{
	sb__pad(&o->text, column);
	output__wrap(o, column, indent, text);
}

int output__put(struct output *o, const char *text, int len)
{
	int columns = 0;

	text__clean(&o->text, text, len, "");
	for (int i = 0; i < len; i++)
		columns += (text[i] & 0xc0) != 0x80; /* a UTF-8 character counts as one column */
	return columns;
}

int output__puts(struct output *o, const char *text)
{
	return output__put(o, text, strlen(text));
}

/* --- Retire latencies (:R) as text --------------------------------------------------------- */

void output__latency(const struct event_info *info, struct sb *out)
{
	if (!info->latency.mean && !info->latency.max)
		return;
	expr__print_number(info->latency.mean, out);
	sb__puts(out, " cycles on average, ");
	expr__print_number(info->latency.min, out);
	sb__puts(out, " to ");
	expr__print_number(info->latency.max, out);
	sb__puts(out, ", as the vendor measured it");
}

void output__latency_need(const struct event_info *info, bool measured, struct sb *out)
{
	bool known = info && info->latency.mean;

	sb__puts(out, "a retire latency: ");
	if (measured)
		sb__puts(out, "sampled by -e or --record-tpebs, else ");
	if (known)
		expr__print_number(info->latency.mean, out);
	sb__puts(out, known ? " cycles, the vendor's mean" : "without a value, which the tables lack");
}
