// SPDX-License-Identifier: GPL-2.0-only
/* With --control, commands come in while a run goes on, and are obeyed here. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/num.h"
#include "base/place.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "stat.h"

#define COMMAND_MAX 128

/* A fifo is opened to read and to write, so that the other end may open and close it at will. */
static int open_fifo(const char *path, int *fd, struct err *err)
{
	int rc = place__open_fifo(path, err);

	*fd = rc < 0 ? 0 : rc;
	if (rc < 0)
		err__prefix(err, "--control: cannot open %s: ", path);
	return rc < 0 ? rc : 0;
}

void keep_from_command(int fd)
{
	if (fd > STDERR_FILENO)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int parse_fd(const char *what, const char *text, int *fd, struct err *err)
{
	uint64_t n = 0;
	int rc = num__parse_u64(what, text, 1, INT_MAX, &n, err);

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
	rc = parse_fd("--control fd:", from, &c->fd, err);
	if (!rc && ack)
		rc = parse_fd("--control fd:...,ACK", ack, &c->ack, err);
	if (!rc && fcntl(c->fd, F_GETFL) < 0)
		rc = err__set(err, errno, "--control: descriptor %d: %s", c->fd, strerror(errno));
	if (rc)
		return rc;
	keep_from_command(c->fd);
	keep_from_command(c->ack);
	return 0;
}

int control__open(struct control *c, const char *text, struct err *err)
{
	const char *path = text + strlen("fifo:");
	auto_text copy = NULL;
	char *ack, *from;

	*c = (struct control){ .ours = text__has_prefix(text, "fifo:") && *path && *path != ',' };
	if (!c->ours && !text__has_prefix(text, "fd:"))
		return err__set(err, EINVAL, "--control %s: expected fd:N[,ACK] or fifo:PATH[,ACK]",
				text);
	copy = ack = xstrdup(strchr(text, ':') + 1);
	from = strsep(&ack, ",");
	return open_both(c, from, ack, err);
}

void control__close(struct control *c)
{
	if (c->ours && c->fd)
		close(c->fd);
	if (c->ours && c->ack)
		close(c->ack);
	*c = (struct control){ .fd = 0 };
}

static void do_enable(struct session *session, const struct event_list *events, const char *name,
		      bool on)
{
	auto_free(sb) line = SB_INIT;

	if (!*name) {
		session__enable(session, -1, on);
		say_lines(on ? "Events enabled\n" : "Events disabled\n");
		return;
	}
	for (int i = 0; i < events->nr; i++) {
		if (strcmp(events->at[i]->name, name))
			continue;
		session__enable(session, i, on);
		sb__printf(&line, "Event %s %s", name, on ? "enabled" : "disabled");
		say_lines(sb__str(&line));
		return;
	}
	say("--control: there is no event '%s' in this run", name);
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

static void do_list(const struct event_list *events, const char *how)
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
	say_lines(sb__str(&lines));
}

static enum control_result obey(struct session *session, const struct event_list *events,
				char *command, bool *known)
{
	char *arg = command + strcspn(command, " ");

	if (*arg)
		*arg++ = '\0';
	arg = text__trim(arg);
	*known = true;
	if (!strcmp(command, "enable") || !strcmp(command, "disable")) {
		do_enable(session, events, arg, *command == 'e');
		return CONTROL_CHANGED;
	}
	if (!strcmp(command, "stop"))
		return CONTROL_STOP;
	if (!strcmp(command, "evlist") &&
	    (!*arg || !strcmp(arg, "-v") || !strcmp(arg, "-g") || !strcmp(arg, "-F")))
		do_list(events, arg);
	else if (strcmp(command, "ping") && strcmp(command, "snapshot"))
		*known = false;
	return CONTROL_DONE;
}

/* Return: the length of the command, 0 for an empty one or none, -1 at the end of all. */
static int read_command(const struct control *c, char *buf, int size)
{
	int len = 0;
	ssize_t n;
	char byte;

	for (;;) {
		n = read(c->fd, &byte, 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0) {
			say("--control: no more commands can be read: %s", strerror(errno));
			return -1;
		}
		if (!n)
			return len ? len : -1;
		if (byte == '\n' || !byte)
			break;
		/*
		 * A line that is too long for a command is read to its end, and then is an unknown
		 * one.
		 */
		if (len < size - 1)
			buf[len++] = byte;
	}
	buf[len] = '\0';
	return len;
}

static bool acknowledge(int fd)
{
	ssize_t n;

	do
		n = write(fd, "ack\n", strlen("ack\n"));
	while (n < 0 && errno == EINTR);
	return n >= 0;
}

enum control_result control__run(const struct control *c, struct session *session,
				 const struct event_list *events)
{
	char command[COMMAND_MAX] = "";
	enum control_result result;
	bool known;
	int len = read_command(c, command, sizeof(command));

	if (len < 0)
		return CONTROL_CLOSED;
	if (!len)
		return CONTROL_DONE;
	result = obey(session, events, command, &known);
	if (!known)
		say("--control: '%s' is no command (enable, disable, evlist, ping, snapshot, stop)",
		    command);
	/* The other end may be gone; that is its business. */
	else if (c->ack && !acknowledge(c->ack) && errno != EAGAIN && errno != EPIPE)
		say("--control: cannot write 'ack': %s", strerror(errno));
	return result;
}
