// SPDX-License-Identifier: GPL-2.0-only
/* Filters of tracepoints, looked at before the kernel, which says no more than EINVAL. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <event-parse.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/internal.h"
#include "machine/machine.h"

/* The kernel knows some beside a tracepoint's own fields. */
static bool is_field(struct tep_event *event, const char *name)
{
	return text__is_any(name, "cpu", "CPU", "comm", "COMM", "stacktrace", "STACKTRACE") ||
	       tep_find_any_field(event, name);
}

static int unknown_field(struct tep_event *event, const char *filter, const char *name,
			 struct err *err)
{
	struct sb text = SB_INIT;
	struct suggest near;
	int rc;

	suggest__init(&near, name);
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		suggest__offer(&near, f->name);
	suggest__print(&near, &text);
	sb__puts(&text, "\n  its fields are:");
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		sb__printf(&text, "%s %s", f == event->format.fields ? "" : ",", f->name);
	rc = err__set(err, EINVAL, "--filter '%s': tracepoint %s:%s has no field '%s'%s", filter,
		      event->system, event->name, name, sb__str(&text));
	sb__free(&text);
	return rc;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

/* Behind a quoted text, a number, or one other character; NULL for a quote left open. */
static const char *skip_other(const char *p)
{
	if (*p == '"' || *p == '\'') {
		p = strchr(p + 1, *p);
		return p ? p + 1 : NULL;
	}
	return isdigit((unsigned char)*p) ? p + strspn(p, LETTERS DIGITS) : p + 1;
}

/* A name is a field when an operator follows, perhaps behind ".ustring" or the like. */
static bool is_compared(const char *behind)
{
	if (*behind == '.')
		behind += 1 + strspn(behind + 1, LETTERS DIGITS);
	behind += strspn(behind, " \t");
	return *behind && strchr("=!<>&~", *behind) && strncmp(behind, "&&", 2);
}

static int check_fields(struct tep_event *event, const char *filter, struct err *err)
{
	const char *p = filter;
	char name[64];
	int len;

	while (p && *p) {
		len = isdigit((unsigned char)*p) ? 0 : strspn(p, LETTERS DIGITS);
		if (!len) {
			p = skip_other(p);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", len, p);
		if (is_compared(p + len) && !is_field(event, name))
			return unknown_field(event, filter, name, err);
		p += len;
	}
	return p ? 0 : err__set(err, EINVAL, "--filter '%s': a quote is not closed", filter);
}

static bool ends_in_operator(const char *filter)
{
	size_t len = strlen(filter);

	while (len && isspace((unsigned char)filter[len - 1]))
		len--;
	return !len || strchr("=!<>&|^(+-*/", filter[len - 1]);
}

/* libtraceevent does not know the kernel's globs. */
static int check_syntax(struct tep_handle *tep, const struct tep_event *event, const char *filter,
			struct err *err)
{
	struct tep_event_filter *parsed;
	struct sb text = SB_INIT;
	char why[256] = "";
	int rc;

	if (strchr(filter, '~') || strstr(filter, "CPUS{"))
		return 0;
	/* libtraceevent 1.7 crashes over such an end. */
	if (ends_in_operator(filter))
		return err__set(err, EINVAL, "--filter '%s': something is missing at its end", filter);
	parsed = tep_filter_alloc(tep);
	sb__printf(&text, "%s/%s:%s", event->system, event->name, filter);
	rc = tep_filter_add_filter_str(parsed, sb__str(&text));
	if (rc < 0) {
		tep_filter_strerror(parsed, rc, why, sizeof(why));
		rc = err__set(err, EINVAL, "--filter '%s':%c%s", filter,
			      strchr(why, '\n') ? '\n' : ' ', why);
	}
	tep_filter_free(parsed);
	sb__free(&text);
	return rc < 0 ? rc : 0;
}

/* The kernel's description of a tracepoint; NULL where it may not be read. */
static struct tep_event *read_event(struct tep_handle *tep, const struct machine *m,
				    const char *system, const char *name)
{
	char dir[PATH_MAX], *text;

	text = tracefs__find_events(m, dir, sizeof(dir)) ? NULL :
							   tracefs__read_format(dir, system, name);
	if (!text)
		return NULL;
	tep_parse_event(tep, text, strlen(text), system);
	free(text);
	return tep_find_event_by_name(tep, system, name);
}

int machine__check_filter(const struct machine *m, const char *tracepoint, const char *filter,
			  struct err *err)
{
	char *system = xstrdup(tracepoint), *name = system;
	struct tep_handle *tep = tep_alloc();
	struct tep_event *event = NULL;
	int rc = 0;

	strsep(&name, ":");
	tep_set_loglevel(TEP_LOG_NONE);
	if (name)
		event = read_event(tep, m, system, strsep(&name, ":"));
	if (event)
		rc = check_fields(event, filter, err);
	if (event && !rc)
		rc = check_syntax(tep, event, filter, err);
	tep_free(tep);
	free(system);
	return rc;
}
