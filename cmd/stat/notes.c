// SPDX-License-Identifier: GPL-2.0-only
/* Chooses which notes of a run are printed, and when: a line each. */
#include "base/array.h"
#include "stat/stat.h"

unsigned long long stat_notes__choose(const struct stat_options *o)
{
	const struct format *f = o->format.format;
	bool text = format__is(f, FORMAT_TEXT), perfs = format__is(f, FORMAT_PERFS);
	bool csv = format__is(f, FORMAT_CSV), verbose = o->verbose;
	bool talks = !o->quiet && !as_perf(), advises = talks && !o->shared;
	const struct {
		bool wanted;
		unsigned long long kinds;
	} list[] = {
		{true, NOTES_OF_EVERY_RUN | NOTE(PLAN) | NOTE(REPEATS) | NOTE(LATENCIES) |
			       NOTE(REGIONS)},
		{advises && text, NOTE(NO_PMU)},
		{advises, NOTE(SYSFS) | NOTE(LEVELS) | NOTE(CORES) | NOTE(TURNS)},
		{advises && verbose, NOTE(LEVELS_ALL)},
		{verbose, NOTE(COUNTERS) | NOTE(GROUPS) | NOTE(RUN) |
				  NOTE(SITES_ALL)},
		{verbose || stat_options__lists_ports(o), NOTE(PORTS)},
		{verbose || o->dry_run, NOTE(SETS)},
		/* Other formats have the reasons in their rows; text has them below the rows. */
		{verbose && perfs && csv, NOTE(REFUSED_ALL)},
		{talks && !text, NOTE(GAP)},
		{perfs && !o->format.reasons && !as_perf(), NOTE(UNCOUNTED)},
		/* Formats for programs have these notes in their fields. */
		{text, NOTE(STARVED) | NOTE(TOOK_TURNS) | NOTE(SHARES)},
		{talks && text, NOTE(UNTAKEN) | NOTE(NEXT)},
	};
	unsigned long long kinds = 0;

	for (int i = 0; i < array__nr(list); i++)
		kinds |= list[i].wanted ? list[i].kinds : 0;
	/* If rows for programs go to standard error, advice must not mix with them. */
	return advises ? kinds : kinds & ~NOTE(PLAIN_EVENTS);
}
