/* SPDX-License-Identifier: GPL-2.0-only */
/* What the user asks for comes in; queries in the language of Prometheus come out. */
#ifndef TMA_FLEET_QUERY_H
#define TMA_FLEET_QUERY_H

#include <stdbool.h>

struct err;
struct sb;

/**
 * struct fleet_question - which counters over which time
 * @unit:      "slots" or "cycles"
 * @window:    duration over which the rate is taken
 * @offset:    duration by which the window lies earlier, or NULL
 * @selection: matchers of labels as they stand between braces, or ""
 */
struct fleet_question {
	const char *unit, *window, *offset, *selection;
};

/**
 * fleet__check_duration() - look whether a text is a duration of Prometheus: "90s", "1h30m"
 * @what: what it is for, for the message
 *
 * Units are y w d h m s ms, in this order, each once, and it is more than 0. Return: 0 or -EINVAL.
 */
int fleet__check_duration(const char *what, const char *text, struct err *err);
/**
 * fleet__check_selection() - look whether a text is a list of matchers: 'a="b",c=~"d.*"'
 *
 * So nothing in it can end the braces that it is put between. Whether a regular expression is one
 * is for Prometheus to say. Return: 0, or -EINVAL with the place in the text.
 */
int fleet__check_selection(const char *what, const char *text, struct err *err);
/** fleet__selects() - tell whether a selection that was checked has a matcher of a label. */
bool fleet__selects(const char *selection, const char *label);
/** fleet__is_label() - tell whether the @len bytes at @text are the name of a label. */
bool fleet__is_label(const char *text, int len);

/* Whose series are meant where the selection does not name the label cgroup. */
enum fleet_series {
	FLEET_HOSTS,   /* those of whole hosts: without a cgroup, or of the cgroup "/" */
	FLEET_CGROUPS, /* those of the other cgroups */
};

/**
 * fleet__put_rate() - append the rate of the counters that are asked for
 * @matchers: further matchers, without a comma at the end
 */
void fleet__put_rate(struct sb *sb, const struct fleet_question *q, enum fleet_series series,
		     const char *matchers);
/**
 * fleet__put_of() - append what shares are of: for each node of a host all slots of the host
 * @nodes:  matchers of the nodes, as fleet__put_rate() has them
 * @hosts:  matchers of whose they are
 * @by_pmu: kinds of cores are told apart, so that all slots are those of a kind
 */
void fleet__put_of(struct sb *sb, const struct fleet_question *q, enum fleet_series series,
		   const char *nodes, const char *hosts, bool by_pmu);
/** fleet__put_quoted() - append a text between quotes, as a string of a query. */
void fleet__put_quoted(struct sb *sb, const char *text);
/** fleet__put_exactly() - append a regular expression that matches nothing but the text. */
void fleet__put_exactly(struct sb *sb, const char *text);

#endif
