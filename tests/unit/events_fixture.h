/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine to parse events for, and texts that describe the parsed events. */
#ifndef TMA_TESTS_EVENTS_FIXTURE_H
#define TMA_TESTS_EVENTS_FIXTURE_H

#include "unit.h"
#include "fake_sysfs.h"

#include "base/err.h"
#include "base/sb.h"
#include "events/events.h"
#include "machine/machine.h"
#include "tables/tables.h"

static struct events_scope scope;
static struct machine *machine;
static struct tables *tables;
static struct event_list list;
static struct err err;
static char *root;

static inline void set_up(const struct fake_file *files, const char *cpuid)
{
	root = fake__new(files);
	setenv("PERF_CPUID", cpuid ? cpuid : "", 1);
	machine = machine__new();
	tables = NULL;
	if (cpuid)
		tables = tables__find(cpuid);
	scope = (struct events_scope){ .machine = machine, .tables = tables };
	list = (struct event_list)EVENT_LIST_INIT;
}

static inline void set_up_xeon(void)
{
	set_up(fake_xeon, "GenuineIntel-6-8F-8");
}

static inline void set_up_alderlake(void)
{
	set_up(fake_alderlake, "GenuineIntel-6-97-2");
}

static inline void tear_down(void)
{
	event_list__free(&list);
	tables__free(tables);
	machine__free(machine);
	fake__free(root);
	unsetenv("PERF_CPUID");
}

/* Parse a text into an empty list. */
static inline int parse(const char *text)
{
	int rc;

	event_list__free(&list);
	err = (struct err)ERR_INIT;
	rc = events__parse(&scope, text, &list, &err);
	if (!rc)
		events__join_topdown(&scope, &list);
	return rc;
}

static inline void parse_ok(const char *text)
{
	int rc = parse(text);

	ck_assert_msg(rc == 0, "%s: %s", text, err.msg);
}

/*
 * Describe the list as "cycles {slots,topdown-retiring}": names, and groups in braces; a weak group
 * follows a "+".
 */
static inline const char *shape(void)
{
	static struct sb sb;

	sb__clear(&sb);
	for (int i = 0; i < list.nr; i++) {
		const struct event *e = list.at[i];
		bool first = e->leader == e, more = e->leader->nr_members > 1;
		bool last = i + 1 == list.nr || list.at[i + 1]->leader == list.at[i + 1];

		ck_assert_int_eq(e->index, i);
		ck_assert(first || list.at[i - 1]->leader == e->leader);
		sb__printf(&sb, "%s%s%s%s",
			   !i	 ? "" :
			   first ? " " :
				   ",",
			   first && more ? e->weak ? "+{" : "{" : "", e->name,
			   last && more ? "}" : "");
	}
	return sb__str(&sb);
}

#define assert_shape(text, want)                 \
	do {                                     \
		parse_ok(text);                  \
		ck_assert_str_eq(shape(), want); \
	} while (0)

/* Find the column of the caret in the message: its distance from the start of the event's text. */
static inline int caret_column(void)
{
	const char *second = strchr(err.msg, '\n'), *caret = strstr(err.msg, "\\___");

	ck_assert_ptr_nonnull(caret);
	return caret - second - 1 - (int)strlen("event syntax error: '");
}

#define assert_error(text, code, column, words)                                      \
	do {                                                                         \
		ck_assert_msg(parse(text) == -(code), "%s: %s", text, err.msg);      \
		ck_assert_msg(caret_column() == (column), "%s:\n%s", text, err.msg); \
		ck_assert_msg(strstr(err.msg, words), "%s:\n%s", text, err.msg);     \
		ck_assert_int_eq(list.nr, 0);                                        \
	} while (0)

#endif
