// SPDX-License-Identifier: GPL-2.0-only
/* "tma script" prints every count of a recording, a line each, for programs. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/sb.h"
#include "base/text.h"
#include "cmd.h"
#include "options.h"
#include "progress.h"
#include "record/record.h"

static void print_row(struct recording *recording, const struct counts *counts,
		      const struct recorded_row *row)
{
	const struct recording_info *info = recording__info(recording);
	const struct event_list *events = recording__events(recording);
	auto_free(sb) name = SB_INIT;

	for (int e = 0; e < events->nr; e++) {
		sb__clear(&name);
		text__clean(&name, events->at[e]->name, strlen(events->at[e]->name), "");
		for (int u = 0; u < counts->nr_units; u++) {
			const struct sample *s = &counts->at[e * counts->nr_units + u];

			if (s->status == SAMPLE_ABSENT)
				continue;
			printf("%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64
			       " %s\n",
			       info->per_cpu ? info->units.ids[u] : -1,
			       info->per_cpu ? -1 : info->units.ids[u], s->value, s->enabled,
			       s->running, row->since_start_ns, sb__str(&name));
		}
	}
}

/* Print all rows; none at all is an error. If rows go to a terminal, they show the progress. */
static int print_all(struct recording *recording, struct progress *progress, const char *name,
		     struct err *err)
{
	bool shows = isatty(STDOUT_FILENO);
	auto_free(counts) counts = { .at = NULL };
	struct recorded_row row;
	int rc, nr = 0;

	if (recording__samples(recording) == SAMPLES_PERFS)
		return err__set(err, ENODATA,
				"%s has samples but no counts: 'tma stat report' estimates counts "
				"from them", name);
	recording__counts(recording, &counts);
	printf("%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA", "RUN", "TIME",
	       "EVENT");
	while ((rc = recording__next(recording, &counts, &row, err)) > 0) {
		print_row(recording, &counts, &row);
		nr++;
		if (!shows)
			progress__tick(progress, recording__share(recording), "reading",
				       strcmp(name, "-") ? name : "standard input");
	}
	progress__clear();
	return rc || nr ? rc
			: err__set(err, ENODATA, "the recording has no complete row of counts");
}

int cmd_script(int argc, const char **argv)
{
	static const char *const usage[] = { "tma script [-i <file>]", NULL };
	const char *name = RECORD_DEFAULT_NAME;
	const struct option options[] = {
		OPT_STRING('i', "input", &name, "file", "the recording (perf.data; -: standard input)"),
		OPT_END()
	};
	const struct recording_options how = { .cpuid = NULL };
	struct recording *recording = NULL;
	struct progress progress;
	struct err err = ERR_INIT;
	int fd, rc;

	argc = options__parse(argc, argv, options, usage, 0);
	if (argc) {
		say("script takes no arguments: name the file with -i");
		return STATUS_USAGE;
	}
	progress__begin(&progress);
	fd = strcmp(name, "-") ? open(name, O_RDONLY | O_CLOEXEC) : dup(STDIN_FILENO);
	if (fd < 0) {
		err__set(&err, errno, "cannot open %s: %s", name, strerror(errno));
		return say_err(&err);
	}
	rc = recording__open(fd, name, &how, &recording, &err)
		     ?: print_all(recording, &progress, name, &err);
	recording__free(recording);
	close(fd);
	return rc ? say_err(&err) : 0;
}
