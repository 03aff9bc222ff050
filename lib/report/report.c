// SPDX-License-Identifier: GPL-2.0-only
/* One call, one write: heading, rows and footer put together and handed to the stream. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "report/error.h"
#include "report/own.h"
#include "report/verdicts.h"

#define PRINTS_PER_HEADING 26

static int allocate_own_values(struct report *r, size_t inputs, size_t values)
{
	if (!r->has_own_values)
		return 0;
	r->own_in = calloc(inputs, sizeof(*r->own_in));
	r->own_sources = calloc(inputs, sizeof(*r->own_sources));
	r->own_values = calloc(values, sizeof(*r->own_values));
	return r->own_in && r->own_sources && r->own_values ? 0 : -ENOMEM;
}

static int report__allocate(struct report *r)
{
	size_t outputs = r->nr_metrics ? program__outputs(r->plan->program) : 0;
	size_t cells = (size_t)r->nr_events * r->nr_buckets + 1, inputs = 2 * cells;
	size_t values = outputs * r->nr_buckets + 1;
	int most = 0;

	for (int i = 0; i < r->nr_events; i++)
		if (r->events[i].nr_metrics > most)
			most = r->events[i].nr_metrics;
	r->sums = calloc(cells, sizeof(*r->sums));
	r->in = calloc(inputs, sizeof(*r->in));
	r->sources = calloc(inputs, sizeof(*r->sources));
	r->shown_values = r->values = calloc(values, sizeof(*r->values));
	r->figures = calloc(most + 2, sizeof(*r->figures));
	if (!r->sums || !r->in || !r->sources || !r->values || !r->figures)
		return -ENOMEM;
	if (allocate_own_values(r, inputs, values) || report_latencies__allocate(r) ||
	    shares__allocate(r))
		return -ENOMEM;
	return r->nr_metrics ? program__reserve(r->plan->program, r->nr_buckets) : 0;
}

static int report__build(struct report *r, const struct report_units *units, struct err *err)
{
	int ret;

	r->c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	ret = r->c_locale ? buckets__build(r, units, err) : -ENOMEM;
	if (!ret)
		ret = shown__build(r);
	if (!ret)
		ret = report__allocate(r);
	if (!ret)
		ret = row_counts__build(r, err);
	if (!ret && r->opts.runs)
		ret = runs__allocate(r);
	if (!ret && !r->writer->perfs)
		ret = own__build(r);
	if (!ret && r->opts.verdict)
		ret = verdicts__build(r);
	if (ret == -ENOMEM)
		return err__set(err, ENOMEM, "report: out of memory");
	if (!ret && r->writer->perfs)
		fields__lay_out(r);
	return ret;
}

int report__new_units(struct machine *machine, const struct plan *plan,
		      const struct report_units *units, const struct report_options *opts,
		      FILE *out, struct report **report, struct err *err)
{
	struct report *r = calloc(1, sizeof(*r));
	int ret;

	if (!r)
		return err__set(err, ENOMEM, "report: out of memory");
	r->machine = machine;
	r->plan = plan;
	r->opts = *opts;
	r->writer = &writers[opts->format];
	if (!r->opts.separator)
		r->opts.separator = ",";
	r->out = out;
	ret = report__build(r, units, err);
	if (ret) {
		report__free(r);
		return ret;
	}
	*report = r;
	return 0;
}

int report__units(const struct session *session, struct report_units *units)
{
	int nr = session__nr_units(session);
	int *ids = calloc(nr + 1, sizeof(*ids));
	const char **comms = session__per_cpu(session) ? NULL : calloc(nr + 1, sizeof(*comms));

	*units = (struct report_units){ .nr = nr, .ids = ids, .comms = comms };
	if (!ids || (!comms && !session__per_cpu(session))) {
		report_units__free(units);
		return -ENOMEM;
	}
	for (int i = 0; i < nr; i++) {
		ids[i] = session__unit(session, i);
		if (comms)
			comms[i] = session__unit_comm(session, i);
	}
	return 0;
}

void report_units__free(struct report_units *units)
{
	free((void *)units->ids);
	free((void *)units->comms);
}

static int report__build_errors(struct report *r, const struct session *session, struct err *err)
{
	r->errors = calloc(1, sizeof(*r->errors));
	if (r->errors)
		r->errors->leaders = calloc(r->nr_events + 1, sizeof(*r->errors->leaders));
	if (!r->errors || !r->errors->leaders)
		return err__set(err, ENOMEM, "report: out of memory");
	for (int i = 0; i < r->nr_events; i++)
		r->errors->leaders[i] = session__leader(session, i);
	return errors__build(r) ? err__set(err, ENOMEM, "report: out of memory") : 0;
}

int report__new(struct machine *machine, const struct plan *plan, const struct session *session,
		const struct report_options *opts, FILE *out, struct report **report,
		struct err *err)
{
	struct report_units units;
	int ret = report__units(session, &units);

	if (ret)
		return err__set(err, ENOMEM, "report: out of memory");
	ret = report__new_units(machine, plan, &units, opts, out, report, err);
	report_units__free(&units);
	if (!ret && opts->turns)
		ret = report__build_errors(*report, session, err);
	if (!ret)
		report__take_refusals(*report, session);
	return ret;
}

void report__take_refusals(struct report *r, const struct session *session)
{
	for (int i = 0; i < r->nr_events; i++)
		report__set_reasons(r, i, session__refusal(session, i),
				    session__obstacle(session, i));
}

void report__set_reasons(struct report *r, int event, const char *refusal, const char *obstacle)
{
	struct shown_event *e = &r->events[event];

	/* Without memory for them there is still a reason, a less exact one. */
	if (!e->refusal && refusal)
		e->refusal = strdup(refusal);
	if (!e->obstacle && obstacle)
		e->obstacle = strdup(obstacle);
}

void report__free(struct report *r)
{
	if (!r)
		return;
	own__free(r);
	verdicts__free(r);
	errors__free(r);
	buckets__free(r);
	shown__free(r);
	free(r->sums);
	report_latencies__free(r);
	shares__free(r);
	runs__free(r);
	free(r->in);
	free(r->sources);
	free(r->values);
	free(r->own_in);
	free(r->own_sources);
	free(r->own_values);
	free(r->figures);
	sb__free(&r->text);
	if (r->c_locale)
		freelocale(r->c_locale);
	free(r);
}

bool report__assumed(const struct report *r, int index)
{
	return r->events[index].assumed;
}

int report__starved(const struct report *r)
{
	int nr = 0;

	for (int i = 0; i < r->nr_events; i++)
		nr += r->events[i].starved;
	return nr;
}

bool report__took_turns(const struct report *r, const struct pmu *pmu)
{
	for (int i = 0; i < r->nr_events; i++)
		if (r->events[i].took_turns && r->events[i].event->pmu == pmu)
			return true;
	return false;
}

static void report__heading(struct report *r)
{
	bool due = r->nr_prints % PRINTS_PER_HEADING == 0 || r->opts.clear;

	if (r->opts.clear)
		sb__puts(&r->text, "\033[H\033[2J");
	if (r->opts.header)
		due = !r->has_heads;
	if (due && r->writer->heads)
		r->writer->heads(r);
	r->has_heads = r->opts.header;
	r->nr_prints = (r->nr_prints + 1) % PRINTS_PER_HEADING;
}

/* Straight to the file: what is printed to stderr must not be cut into many writes. */
static int report__write(struct report *r, struct err *err)
{
	int fd = fileno(r->out), ret = 0;

	if (r->text.err)
		return err__set(err, ENOMEM, "report: out of memory");
	if (r->opts.path)
		return file__replace(r->opts.path, sb__str(&r->text), r->text.len, err);
	errno = 0;
	if (fflush(r->out))
		ret = errno ? -errno : -EIO;
	else if (fd >= 0)
		ret = file__write(fd, sb__str(&r->text), r->text.len);
	else if (fwrite(sb__str(&r->text), 1, r->text.len, r->out) != r->text.len ||
		 fflush(r->out))
		ret = errno ? -errno : -EIO;
	if (ret)
		return err__set(err, -ret, "cannot write the counts: %s", strerror(-ret));
	return 0;
}

static void put_rows(struct report *r)
{
	report__heading(r);
	r->writer->rows(r);
	if (r->writer->foot)
		r->writer->foot(r);
}

/* What a writer appends; numbers for machines are never in the user's locale. */
static void report__append(struct report *r, void (*writer)(struct report *r))
{
	bool machine_format = r->opts.format != REPORT_TEXT;
	locale_t users = (locale_t)0;

	if (machine_format)
		users = uselocale(r->c_locale);
	writer(r);
	if (machine_format)
		uselocale(users);
}

/* The sums stand; all that is made of them. */
static void report__compute(struct report *r, const struct report_time *time)
{
	r->time = time;
	sb__clear(&r->text);
	aggregate__metrics(r);
	errors__propagate(r);
}

int report__put(struct report *r, const struct report_time *time, struct err *err)
{
	report__compute(r, time);
	if (r->own)
		own__fill(r);
	if (r->opts.interval)
		verdicts__add_row(r);
	report__append(r, put_rows);
	return report__write(r, err);
}

int report__print(struct report *r, const struct counts *counts, const struct report_time *time,
		  struct err *err)
{
	aggregate__counts(r, counts);
	errors__measure(r, counts);
	return report__put(r, time, err);
}

int report__print_total(struct report *r, const struct counts *counts,
			const struct report_time *time, struct err *err)
{
	r->opts.interval = false;
	r->shares_are_total = true;
	r->nr_prints = 1; /* the headings stand above */
	if (r->writer->perfs)
		fields__lay_out(r);
	return report__print(r, counts, time, err);
}

int report__print_verdict(struct report *r, const struct counts *counts,
			  const struct report_time *time, struct sb *lines, struct err *err)
{
	r->opts.interval = false;
	r->shares_are_total = true;
	aggregate__counts(r, counts);
	errors__measure(r, counts);
	report__compute(r, time);
	verdicts__measure_passes(r);
	report__append(r, r->writer->verdict ? r->writer->verdict : verdicts__text);
	if (r->writer->verdict)
		return report__write(r, err);
	sb__puts(lines, sb__str(&r->text));
	return r->text.err || lines->err ? err__set(err, ENOMEM, "report: out of memory") : 0;
}
