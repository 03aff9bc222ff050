// SPDX-License-Identifier: GPL-2.0-only
/* Answer questions on samples, which come from a session or from a recording. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "count/sample_record.h"
#include "machine/models.h"
#include "run/input.h"
#include "run/sites.h"

static bool can_be_sampled(const struct event *e)
{
	return !e->tool && !e->bpf && !e->retire_latency && !e->topdown && !e->requires_cpu &&
	       (event__is_of_core(e) || e->attr.type == PERF_TYPE_SOFTWARE);
}

bool run_sites__counts_cycles(const struct run *run, int event)
{
	const struct recording *recording = run->source->recording;

	return recording ? recording__counts_cycles(recording, event) :
			   event__counts_cycles(run->plan->events.at[event]);
}

bool run_sites__supported(const struct run *run, int event)
{
	const struct source *s = run->source;

	return s->session ? session__supported(s->session, event) :
			    !recording__refusal(s->recording, event);
}

bool run_sites__is_sampled(const struct run *run, int event)
{
	const struct source *s = run->source;

	if (!s->session)
		return recording__is_sampled(s->recording, event);
	return can_be_sampled(run->plan->events.at[event]) && session__supported(s->session, event);
}

int run_sites__leader(const struct run *run, int event)
{
	const struct event *leader = run->plan->events.at[event]->leader;

	if (run->source->session)
		return session__leader(run->source->session, event);
	return leader ? leader->index : event;
}

bool run_sites__is_precise(const struct run *run, int event)
{
	const struct session *session = run->source->session;

	return (session ? session__attr(session, event) : &run->plan->events.at[event]->attr)
		->precise_ip;
}

bool run_sites__is_of_cpus(const struct run *run)
{
	const struct recording *recording = run->source->recording;

	return recording ? recording__info(recording)->per_cpu : target__per_cpu(&run->target);
}

/*
 * Whether interrupts of counters wait while interrupts are off: on Arm, unless they are
 * pseudo-NMIs.
 */
static bool masks_samples(const struct machine *m)
{
	char text[4096];

	return cpu_vendor__of(m->cpuid) == VENDOR_ARM &&
	       !(file__read_line(text, sizeof(text), "%s/cmdline", m->procfs) >= 0 &&
		 strstr(text, "pseudo_nmi=1"));
}

struct recorded_sampling run_sites__sampling(const struct run *run)
{
	const struct host *host = run->host;

	if (run->source->recording)
		return *recording__sampling(run->source->recording);
	return (struct recorded_sampling){
		.frequency = run->req->frequency,
		.made_up = host->is_made_up && host->is_made_up(),
		.masked = masks_samples(host->machine),
		.totals = session__located(run->source->session),
	};
}

void run_sites__take(void *self, struct sample_records *records)
{
	struct run_sites *s = self;

	if (s->run->recorder)
		recorder__take_samples(s->run->recorder, records);
	if (s->sites) {
		sites__take(s->sites, records);
		return;
	}
	for (int i = 0; i < records->nr; i++) {
		free(records->at[i].path);
		records->at[i].path = NULL;
	}
}

int run_sites__check(const struct run *run, struct err *err)
{
	const struct run_input *input = run->req->input;

	if (recording__samples(input->recording) != SAMPLES_NONE)
		return 0;
	return err__set(err, EINVAL,
			"%s has counts but no samples, which show the code where events happened: "
			"record it with 'tma stat record --per-function'",
			input->name);
}
