// SPDX-License-Identifier: GPL-2.0-only
#include "sim/course.h"

/* Find the last mark at or before a time, or NULL. @next: set to the time of the next mark */
static const struct sim_mark *find_mark(const struct sim_trail *trail, uint64_t at, uint64_t *next)
{
	int low = 0, high = trail ? trail->marks.nr : 0, nr = high;

	while (low < high) {
		int mid = (low + high) / 2;

		if (trail->marks.at[mid].from <= at)
			low = mid + 1;
		else
			high = mid;
	}
	*next = low < nr ? trail->marks.at[low].from : UINT64_MAX;
	return low ? &trail->marks.at[low - 1] : NULL;
}

/* Find the fixed or announced stay at a time; NULL where the round applies. */
static const struct sim_stay *chosen(const struct sim_course *course, uint64_t at, uint64_t *until)
{
	const struct sim_mark *mark;

	*until = UINT64_MAX;
	if (course->fixed)
		return course->fixed;
	mark = find_mark(course->trail, at, until);
	return mark && mark->stay.column >= 0 ? &mark->stay : NULL;
}

bool course__rounds_from(const struct sim_course *course, uint64_t at, uint64_t *until)
{
	return !chosen(course, at, until);
}

/* Find the stay of a round at a time. @left: set to the rest of the stay */
static const struct sim_stay *stay_of_round(const struct sim_round *round, uint64_t at,
					    uint64_t *left)
{
	const struct sim_stay *stay = round->stays.at;

	/* cppcheck-suppress zerodiv ; there are stays, and each has a length */
	for (at %= round->ns; at >= stay->ns; stay++)
		at -= stay->ns;
	*left = stay->ns - at;
	return stay;
}

const struct sim_stay *course__at(const struct sim_course *course, uint64_t at, uint64_t *until)
{
	const struct sim_stay *stay = chosen(course, at, until);
	uint64_t left;

	if (stay)
		return stay;
	stay = stay_of_round(course->round, at + course->offset, &left);
	if (left < *until - at)
		*until = at + left;
	return stay;
}

/* Visit the stays of a round between two times, each once. */
static void each_of_round(const struct sim_course *course, uint64_t from, uint64_t to,
			  void (*visit)(const struct sim_stay *stay, uint64_t ns, void *arg),
			  void *arg)
{
	const struct sim_round *round = course->round;
	/* cppcheck-suppress zerodiv ; a round has a length */
	uint64_t start = (from + course->offset) % round->ns, whole = (to - from) / round->ns;
	uint64_t end = start + (to - from) % round->ns, begins = 0;
	const struct sim_stay *stay;

	vec__for_each(stay, &round->stays) {
		uint64_t ns = whole * stay->ns;

		/*
		 * The remainder may extend beyond the end of the round, and then covers a part of
		 * its start.
		 */
		for (uint64_t at = begins; at < end; at += round->ns) {
			uint64_t low = at > start ? at : start;
			uint64_t high = at + stay->ns < end ? at + stay->ns : end;

			if (low < high)
				ns += high - low;
		}
		if (ns)
			visit(stay, ns, arg);
		begins += stay->ns;
	}
}

void course__each(const struct sim_course *course, uint64_t from, uint64_t to,
		  void (*visit)(const struct sim_stay *stay, uint64_t ns, void *arg), void *arg)
{
	while (from < to) {
		uint64_t until;
		const struct sim_stay *stay = chosen(course, from, &until);

		if (until > to)
			until = to;
		if (stay)
			visit(stay, until - from, arg);
		else
			each_of_round(course, from, until, visit, arg);
		from = until;
	}
}
