// SPDX-License-Identifier: GPL-2.0-only
/* A gauge does not have a counter: its file is read whenever counters are read. */
#include "count/gauges.h"

#include "count/session.h"

/* A gauge is not counted if the process has ended, or the value cannot be read. */
static struct sample read_gauge(const struct session *s, const struct gauge *g, int pid)
{
	uint64_t value;

	if (gauge__read(s->machine, g, pid, &value))
		return (struct sample){ .status = SAMPLE_NOT_COUNTED };
	return (struct sample){ value, value, 1, 1, SAMPLE_COUNTED };
}

/* procfs shows the process of a thread of -t; with -p it is known. */
static int process_of(const struct session *s, const struct unit *unit)
{
	return unit->process ?: machine__process_of(s->machine, unit->id);
}

/* Return: whether an earlier unit is a thread of the same process. */
static bool has_earlier_thread(const struct session *s, const struct unit_list *units, int unit)
{
	int pid = process_of(s, &units->at[unit]);

	for (int i = 0; i < unit; i++)
		if (process_of(s, &units->at[i]) == pid)
			return true;
	return false;
}

void gauges__read(const struct session *s, const struct counter *c, struct sample *samples)
{
	const struct unit_list *units = &s->counters.units;
	const struct gauge *g = c->event->gauge;
	bool of_tasks = gauge__is_of_tasks(g) && !units->per_cpu;

	for (int i = 0; i < units->nr; i++) {
		if (samples[i].status == SAMPLE_ABSENT)
			continue;
		if (of_tasks && has_earlier_thread(s, units, i))
			samples[i].status = SAMPLE_ABSENT;
		else
			samples[i] = read_gauge(s, g, of_tasks ? units->at[i].id : -1);
	}
}
