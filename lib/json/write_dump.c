// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>

#include "json/build.h"

static void put_columns(FILE *out, const char *const *texts)
{
	for (; *texts; texts++) {
		fputc('\t', out);
		for (const char *c = *texts; *c; c++) {
			if (*c == '\n')
				fputs("\\n", out);
			else if (*c == '\t')
				fputs("\\t", out);
			else if (*c == '\\')
				fputs("\\\\", out);
			else
				fputc(*c, out);
		}
	}
}

#define PUT_COLUMNS(out, ...) put_columns((out), (const char *const[]){ __VA_ARGS__, NULL })

static void put_event(const struct table_data *d, const struct table_event *e, FILE *out)
{
	const char *s = d->strings;

	fputs("event", out);
	PUT_COLUMNS(out, s + d->words[e->pmu], s + e->name, s + d->words[e->topic], s + e->terms,
		    s + d->words[e->compat]);
	fprintf(out, "\t%d\t%d", !!(e->flags & TABLE_EVENT_DEPRECATED),
		!!(e->flags & TABLE_EVENT_PER_PKG));
	PUT_COLUMNS(out, s + d->scales[e->scale].text, s + e->desc, s + e->long_desc);
	fputc('\n', out);
}

static void put_metric(const struct table_data *d, const struct table_metric *m, FILE *out)
{
	const char *s = d->strings;

	fputs("metric", out);
	PUT_COLUMNS(out, s + d->words[m->pmu], s + m->name, s + m->groups, s + m->expr,
		    s + m->threshold, s + d->scales[m->scale].text, s + d->words[m->compat],
		    s + d->words[m->no_group], s + d->words[m->default_group]);
	fprintf(out, "\t%d\t%d",
		m->flags & TABLE_METRIC_PER_CHIP   ? 1
		: m->flags & TABLE_METRIC_PER_CORE ? 2
						   : 0,
		m->flags & TABLE_METRIC_CONSTRAINT);
	PUT_COLUMNS(out, s + m->desc, s + m->long_desc);
	fputc('\n', out);
}

static void put_model(const struct table_data *d, const struct table_model *m, FILE *out)
{
	const char *s = d->strings;

	for (uint32_t i = 0; i < m->counters.nr; i++) {
		const struct table_pmu_counters *c = &d->pmu_counters[m->counters.first + i];

		fprintf(out, "# counters\t%s\t%u\t%u\n", s + d->words[c->pmu], c->general,
			c->fixed);
	}
	for (uint32_t i = 0; i < m->events.nr; i++) {
		const struct table_event *e = &d->events[d->event_list[m->events.first + i]];
		const struct table_counter *c = &d->counters[e->counter];

		put_event(d, e, out);
		if (e->counter)
			fprintf(out, "# counter\t%s\t%#" PRIx64 "\n", s + c->text, c->mask);
		if (e->flags & TABLE_EVENT_TAKEN_ALONE)
			fputs("# taken alone\n", out);
		if (e->latency)
			fprintf(out, "# retire latency\t%g\t%g\t%g\n", d->latencies[e->latency].min,
				d->latencies[e->latency].mean, d->latencies[e->latency].max);
	}
	for (uint32_t i = 0; i < m->metrics.nr; i++)
		put_metric(d, &d->metrics[d->metric_list[m->metrics.first + i]], out);
}

static void put_cpu(const struct table_data *d, const struct table_map *row, FILE *out)
{
	const struct table_model *m = &d->models[row->model];

	fputs("cpu", out);
	PUT_COLUMNS(out, d->strings + row->pattern);
	fprintf(out, "\n# model\t%s\t%s\n", d->strings + m->name, d->strings + row->version);
	put_model(d, m, out);
}

void write__dump(const struct table_data *data, FILE *out)
{
	for (uint32_t i = 0; i < data->nr_map; i++)
		put_cpu(data, &data->map[i], out);
	for (uint32_t i = 0; i < data->nr_models; i++) {
		if (!(data->models[i].flags & TABLE_MODEL_SYS))
			continue;
		fputs("sys", out);
		PUT_COLUMNS(out, data->strings + data->models[i].name);
		fputc('\n', out);
		put_model(data, &data->models[i], out);
	}
	for (uint32_t i = 0; i < data->nr_groups; i++) {
		fputs("group", out);
		PUT_COLUMNS(out, data->strings + data->groups[i].name,
			    data->strings + data->groups[i].desc);
		fputc('\n', out);
	}
}
