/* SPDX-License-Identifier: GPL-2.0-only */
/* Make queries in Prometheus' language from the user's options, and check the options. */
#ifndef TMA_FLEET_QUERY_H
#define TMA_FLEET_QUERY_H

#include <stdbool.h>

struct err;
struct sb;

/**
 * struct fleet_question - which counters to query, and for which time
 * @unit:      "slots" or "cycles"
 * @window:    duration over which the rate is computed
 * @offset:    time between the end of the window and the present, or NULL
 * @selection: matchers of labels in the form between braces, or ""
 */
struct fleet_question {
	const char *unit, *window, *offset, *selection;
};

/**
 * fleet__check_duration() - check that a text is a duration of Prometheus: "90s", "1h30m"
 * @what: meaning of the duration, for the message
 *
 * Units are y w d h m s ms, in this order, each at most once; the duration must exceed 0. Return: 0
 * or -EINVAL.
 */
int fleet__check_duration(const char *what, const char *text, struct err *err);
/**
 * fleet__check_selection() - check that a text is a list of matchers: 'a="b",c=~"d.*"'
 *
 * A checked text cannot contain the brace that closes it in a query. Only Prometheus checks regular
 * expressions. Return: 0, or -EINVAL with the place in the text.
 */
int fleet__check_selection(const char *what, const char *text, struct err *err);
/** fleet__selects() - tell whether a checked selection has a matcher for a label. */
bool fleet__selects(const char *selection, const char *label);
/** fleet__is_label() - tell whether the @len bytes at @text are the name of a label. */
bool fleet__is_label(const char *text, int len);

/* Series to query if the selection does not name the label cgroup. */
enum fleet_series {
	FLEET_HOSTS,   /* series of whole hosts: without a cgroup, or with cgroup "/" */
	FLEET_CGROUPS, /* other cgroups */
};

/**
 * fleet__put_rate() - append the rate of the queried counters
 * @matchers: further matchers, without a comma at the end
 */
void fleet__put_rate(struct sb *sb, const struct fleet_question *q, enum fleet_series series,
		     const char *matchers);
/**
 * fleet__put_of() - append the denominator of shares: for each node of a host, all slots of the
 * host
 * @nodes:  matchers of the nodes, in the form of fleet__put_rate()
 * @hosts:  matchers of the hosts
 * @by_pmu: compute it separately for each kind of core, with all slots of this kind
 */
void fleet__put_of(struct sb *sb, const struct fleet_question *q, enum fleet_series series,
		   const char *nodes, const char *hosts, bool by_pmu);
/** fleet__put_quoted() - append a text as a string of a query, in quotes. */
void fleet__put_quoted(struct sb *sb, const char *text);
/** fleet__put_exactly() - append a regular expression that matches only a given text. */
void fleet__put_exactly(struct sb *sb, const char *text);

#endif
