// SPDX-License-Identifier: GPL-2.0-only
#include "lint/id.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "events/events.h"
#include "machine/machine.h"

/* What the kernel and the program count on any machine is known where there are no PMUs at all. */
static int parse_anywhere(const char *text, struct err *err)
{
	struct event_list list = EVENT_LIST_INIT;
	struct machine none = { .nr_pmus = 0 };
	struct events_scope scope = { .machine = &none };
	int rc = events__parse(&scope, text, &list, err);

	event_list__free(&list);
	return rc;
}

bool event_id__is_kernels(const char *name)
{
	return !parse_anywhere(name, NULL);
}

/* Modifiers are letters which the event grammar knows, tried on an event that takes them all. */
static int check_modifiers(const char *modifiers)
{
	struct sb text = SB_INIT;
	int rc;

	if (!*modifiers)
		return 0;
	sb__printf(&text, "r0:%s", modifiers);
	rc = parse_anywhere(sb__str(&text), NULL);
	sb__free(&text);
	return rc;
}

static int check_head(const char *head, struct err *err)
{
	const char *p = head;

	while (isalnum((unsigned char)*p) || (*p && strchr("_.-?*", *p)))
		p++;
	if (*p)
		return err__set(err, EINVAL, "'%c' cannot stand in the name of an event or PMU",
				*p);
	return *head ? 0 : err__set(err, EINVAL, "the name of an event or PMU is missing");
}

/* "EV,cmask=1,edge" */
static int check_terms(const char *terms, struct err *err)
{
	for (;;) {
		size_t len = strcspn(terms, ","), key = strcspn(terms, ",=");

		if (!key)
			return err__set(err, EINVAL, "a term is missing between the signs '@'");
		if (key < len && key + 1 == len)
			return err__set(err, EINVAL, "term '%.*s' needs a value behind '='",
					(int)key, terms);
		if (!terms[len])
			return 0;
		terms += len + 1;
	}
}

static int split_terms(struct event_id *id, char *at, struct err *err)
{
	char *end = strchr(at + 1, '@');
	int rc;

	if (!end)
		return err__set(err, EINVAL, "the second '@' is missing behind the terms");
	*at = *end = '\0';
	id->terms = at + 1;
	id->modifiers = end + 1 + (end[1] == ':');
	rc = check_terms(id->terms, err);
	if (!rc && strchr(id->modifiers, '@'))
		rc = err__set(err, EINVAL, "there is a third '@'");
	return rc;
}

/* Something with a point in it is no tracepoint's system, and one of the kernel's names neither. */
static void split_colon(struct event_id *id, char *colon)
{
	*colon = '\0';
	if (check_modifiers(colon + 1) && !strchr(id->text, '.') && colon[1] &&
	    !event_id__is_kernels(id->text)) {
		*colon = ':';
		id->tracepoint = true;
		return;
	}
	id->modifiers = colon + 1;
}

int event_id__split(const char *text, struct event_id *out, struct err *err)
{
	char *at, *colon;
	int rc = 0;

	*out = (struct event_id){ .text = xstrdup(text), .modifiers = "" };
	out->head = out->text;
	at = strchr(out->text, '@');
	colon = strchr(out->text, ':');
	if (at)
		rc = split_terms(out, at, err);
	else if (colon)
		split_colon(out, colon);
	if (!rc && !out->tracepoint)
		rc = check_head(out->head, err);
	if (!rc && check_modifiers(out->modifiers))
		rc = err__set(err, EINVAL, "'%s' are no modifiers of an event", out->modifiers);
	if (rc)
		event_id__free(out);
	return rc;
}

void event_id__free(struct event_id *id)
{
	free(id->text);
	id->text = NULL;
}

bool event_id__retire_latency(const struct event_id *id)
{
	return strchr(id->modifiers, 'R') != NULL;
}
