// SPDX-License-Identifier: GPL-2.0-only
#include "run/control.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/place.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "count/count.h"
#include "run/note.h"

/*
 * Lowest descriptor for the command: dash redirects descriptors 0 to 9 only, and scripts use the
 * first few.
 */
#define GIVEN_FROM 8
#define PART_MS 20 /* time to wait for the rest of a command without end of line */

/* Open a fifo for reading and writing, so that the other end may open and close it at any time. */
static int open_fifo(const char *path, int *fd, struct err *err)
{
	int rc = place__open_fifo(path, err);

	*fd = rc < 0 ? 0 : rc;
	if (rc < 0)
		err__prefix(err, "--control: cannot open %s: ", path);
	return rc < 0 ? rc : 0;
}

static int parse_fd(const char *what, const char *text, int least, int *fd, struct err *err)
{
	uint64_t n = 0;
	int rc = num__parse_u64(what, text, least, INT_MAX, &n, err);

	*fd = n;
	return rc;
}

static int open_both(struct control *c, const char *from, const char *ack, struct err *err)
{
	int rc;

	if (c->ours) {
		rc = open_fifo(from, &c->fd, err);
		return !rc && ack && *ack ? open_fifo(ack, &c->ack, err) : rc;
	}
	rc = parse_fd("--control fd", from, STDIN_FILENO, &c->fd, err);
	if (!rc && ack)
		rc = parse_fd("--control fd:...,ACK", ack, 1, &c->ack, err);
	if (!rc && fcntl(c->fd, F_GETFL) < 0)
		rc = err__set(err, errno, "--control: descriptor %d: %s", c->fd, strerror(errno));
	if (rc)
		return rc;
	/* In struct control, 0 means no descriptor. */
	c->copied = c->fd == STDIN_FILENO;
	if (c->copied)
		c->fd = fcntl(c->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (c->fd < 0) {
		*c = (struct control){.fd = 0};
		return err__set(err, errno, "--control: descriptor 0: %s", strerror(errno));
	}
	return 0;
}

/* Make two pipes, whose other ends the command gets. */
static int open_pipes(struct control *c, struct err *err)
{
	int commands[2], acks[2] = {-1, -1}, rc;

	rc = pipe2(commands, O_CLOEXEC) ? -errno : 0;
	if (rc)
		return err__set(err, -rc, "--control auto: %s", strerror(-rc));
	if (!pipe2(acks, O_CLOEXEC)) {
		c->give[0] = fcntl(commands[1], F_DUPFD, GIVEN_FROM);
		c->give[1] = fcntl(acks[0], F_DUPFD, GIVEN_FROM);
	}
	rc = c->give[0] > 0 && c->give[1] > 0 ? 0 : -errno;
	close(commands[1]);
	close(acks[0]);
	c->fd = commands[0];
	c->ack = acks[1];
	if (rc)
		return err__set(err, -rc, "--control auto: %s", strerror(-rc));
	/* Do not wait for a program that reads no answers. */
	fcntl(c->ack, F_SETFL, O_NONBLOCK);
	return 0;
}

static int open_auto(struct control *c, struct err *err)
{
	static const char *const names[] = {"PERF_CTL_FD", "PERF_ACK_FD"};
	char text[16];
	int rc;

	*c = (struct control){.ours = true};
	rc = open_pipes(c, err);
	for (int i = 0; !rc && i < 2; i++) {
		snprintf(text, sizeof(text), "%d", c->give[i]);
		xchecked(setenv(names[i], text, true) ? NULL : text);
	}
	return rc;
}

int control__open(struct control *c, const char *text, struct err *err)
{
	const char *path = text + strlen("fifo:");
	auto_text copy = NULL;
	char *ack, *from;

	if (!strcmp(text, "auto"))
		return open_auto(c, err);
	*c = (struct control){.ours = text__has_prefix(text, "fifo:") && *path && *path != ','};
	if (!c->ours && !text__has_prefix(text, "fd:"))
		return err__set(err, EINVAL, "--control %s: expected fd:N[,ACK], fifo:PATH[,ACK] or auto",
				text);
	copy = ack = xstrdup(strchr(text, ':') + 1);
	from = strsep(&ack, ",");
	return open_both(c, from, ack, err);
}

void control__close(struct control *c)
{
	if ((c->ours || c->copied) && c->fd)
		close(c->fd);
	if (c->ours && c->ack)
		close(c->ack);
	for (int i = 0; i < 2; i++)
		if (c->give[i] > 0)
			close(c->give[i]);
	*c = (struct control){.fd = 0};
}

static void do_enable(struct session *session, const struct event_list *events, const char *name,
		      bool on, struct notes *notes)
{
	auto_free(sb) line = SB_INIT;

	if (!*name) {
		session__enable(session, -1, on);
		notes__add_lines(notes, NOTE_ENABLED, on ? "Events enabled" : "Events disabled");
		return;
	}
	for (int i = 0; i < events->nr; i++) {
		if (strcmp(events->at[i]->name, name))
			continue;
		session__enable(session, i, on);
		sb__printf(&line, "Event %s %s", name, on ? "enabled" : "disabled");
		notes__add_lines(notes, NOTE_CONTROL, sb__str(&line));
		return;
	}
	notes__add(notes, NOTE_CONTROL, NULL, "--control: this run has no event '%s'", name);
}

static void list_group(const struct event_list *events, int first, struct sb *lines)
{
	const struct event *leader = events->at[first];
	bool group = leader->nr_members > 1;

	sb__puts(lines, group ? "{" : "");
	for (int i = first; i < events->nr && events->at[i]->leader == leader; i++)
		sb__printf(lines, "%s%s", i == first ? "" : ",", events->at[i]->name);
	sb__puts(lines, group ? "}\n" : "\n");
}

static void do_list(const struct event_list *events, const char *how, struct notes *notes)
{
	auto_free(sb) lines = SB_INIT;

	for (int i = 0; i < events->nr; i++) {
		const struct event *e = events->at[i];

		if (!strcmp(how, "-g")) {
			if (e->leader == e)
				list_group(events, i, &lines);
			continue;
		}
		sb__puts(&lines, e->name);
		if (!strcmp(how, "-v"))
			sb__printf(&lines,
				   ": type: %u, config: %#llx, exclude_user: %d, "
				   "exclude_kernel: %d",
				   e->attr.type, (unsigned long long)e->attr.config,
				   (int)e->attr.exclude_user, (int)e->attr.exclude_kernel);
		else if (!strcmp(how, "-F"))
			sb__puts(&lines, ": counted, not sampled");
		sb__putc(&lines, '\n');
	}
	notes__add_lines(notes, NOTE_CONTROL, sb__str(&lines));
}

/* Whether @arg is an argument that @command takes. */
static bool control__may_have(const char *command, const char *arg)
{
	if (text__is_any(command, "enable", "disable"))
		return true;
	if (!strcmp(command, "evlist"))
		return text__is_any(arg, "", "-v", "-g", "-F");
	return !*arg;
}

static enum control_result obey(struct session *session, const struct event_list *events,
				const char *command, const char *arg, struct notes *notes)
{
	if (!control__may_have(command, arg)) {
		notes__add(notes, NOTE_CONTROL, NULL, "--control: '%s %s' is ignored: %s takes %s",
			   command, arg, command,
			   strcmp(command, "evlist") ? "no argument" : "-v, -g or -F");
		return CONTROL_DONE;
	}
	if (text__is_any(command, "enable", "disable")) {
		do_enable(session, events, arg, *command == 'e', notes);
		return CONTROL_CHANGED;
	}
	if (!strcmp(command, "stop"))
		return CONTROL_STOP;
	if (!strcmp(command, "evlist"))
		do_list(events, arg, notes);
	return CONTROL_DONE;
}

static bool can_read(int fd, int wait_ms)
{
	struct pollfd in = {.fd = fd, .events = POLLIN};
	int n;

	do
		n = poll(&in, 1, wait_ms);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

static bool knows_command(const char *word)
{
	return text__is_any(word, "enable", "disable", "evlist", "ping", "snapshot", "stop");
}

/* Whether the line is a command without arguments, even without end of line. */
static bool is_command(const struct control_line *line)
{
	char word[CONTROL_MAX];

	memcpy(word, line->text, line->len);
	word[line->len] = '\0';
	return knows_command(word);
}

/*
 * Read until the line ends. A command after which nothing comes is also complete, since programs
 * written for perf do not end their lines. Return: 1 if the line is complete; 0 if the rest has not
 * come yet; -1 at the end of input. The end of input completes a line that has begun.
 */
static int control__read_line(const struct control *c, struct control_line *line,
			      struct notes *notes)
{
	ssize_t n;
	char byte;

	/* The rest of a line may come a little later. */
	while (can_read(c->fd, is_command(line) ? PART_MS : 0)) {
		n = read(c->fd, &byte, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return 0;
		if (n < 0)
			notes__add(notes, NOTE_CONTROL, NULL,
				   "--control: no more commands can be read: %s", strerror(errno));
		if (n <= 0)
			return n || !line->len ? -1 : 1;
		if (byte == '\n' || !byte)
			return 1;
		/* Drop the rest of a line that is too long: it is an unknown command. */
		if (line->len < CONTROL_MAX - 1)
			line->text[line->len++] = byte;
	}
	return is_command(line);
}

/* Write "ack"; perf also writes the terminating NUL. */
static bool acknowledge(int fd, bool perf)
{
	ssize_t n;

	do
		n = write(fd, "ack\n", perf ? sizeof("ack\n") : strlen("ack\n"));
	while (n < 0 && errno == EINTR);
	return n >= 0;
}

static enum control_result carry_out(struct session *session, const struct event_list *events,
				     char *command, struct control_line *line, struct notes *notes)
{
	char *arg = command + strcspn(command, " ");

	if (*arg)
		*arg++ = '\0';
	if (!knows_command(command)) {
		notes__add(notes, NOTE_CONTROL, NULL,
			   "--control: '%s' is not a command (enable, disable, evlist, ping, "
			   "snapshot, stop)",
			   command);
		return CONTROL_DONE;
	}
	line->is_owed = true;
	return obey(session, events, command, text__trim(arg), notes);
}

void control__answer(const struct control *c, struct control_line *line, bool perf,
		     struct notes *notes)
{
	/* It is not an error if the other end was closed. */
	if (line->is_owed && c->ack && !acknowledge(c->ack, perf) && errno != EAGAIN &&
	    errno != EPIPE)
		notes__add(notes, NOTE_CONTROL, NULL, "--control: cannot write 'ack': %s",
			   strerror(errno));
	line->is_owed = false;
}

enum control_result control__run(const struct control *c, struct control_line *line, bool perf,
				 struct session *session, const struct event_list *events,
				 struct notes *notes)
{
	enum control_result result = CONTROL_DONE;
	char text[CONTROL_MAX], *command;
	int rc;

	control__answer(c, line, perf, notes);
	rc = control__read_line(c, line, notes);
	if (rc < 0)
		return CONTROL_CLOSED;
	if (!rc)
		return CONTROL_DONE;
	memcpy(text, line->text, line->len);
	text[line->len] = '\0';
	line->len = 0;
	command = text__trim(text);
	if (*command)
		result = carry_out(session, events, command, line, notes);
	if (!notes->list.nr)
		control__answer(c, line, perf, notes);
	return result;
}
