// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "json/build.h"

/* Begin a C string; bytes other than printable ASCII become octal numbers of three digits. */
static void put_literal(const char *text, FILE *out)
{
	fputc('"', out);
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (*p == '"' || *p == '\\')
			fprintf(out, "\\%c", *p);
		else if (*p < ' ' || *p > '~')
			fprintf(out, "\\%03o", *p);
		else
			fputc(*p, out);
	}
}

static void put_strings(const struct table_data *data, FILE *out)
{
	const char *end = data->strings + data->nr_strings;

	fprintf(out, "static const char strings[%" PRIu32 "] =\n", data->nr_strings);
	for (const char *p = data->strings; p < end; p += strlen(p) + 1) {
		put_literal(p, out);
		/* The array has room for the last NUL. */
		fputs(p + strlen(p) + 1 < end ? "\\0\"\n" : "\";\n", out);
	}
}

/* The compiler does not accept an array without elements. */
static void put_numbers(const char *name, const uint32_t *at, uint32_t nr, FILE *out)
{
	fprintf(out, "\nstatic const uint32_t %s[] = {", name);
	for (uint32_t i = 0; i < nr; i++)
		fprintf(out, "%s%" PRIu32 ",", i % 16 ? "" : "\n", at[i]);
	fputs(nr ? "\n};\n" : "0 };\n", out);
}

#define PUT_NUMBERS(array) put_numbers(#array, data->array, data->nr_##array, out)

/*
 * Write an array of struct table_@type; the arguments of @format are members of @at, which points
 * to each record.
 */
#define PUT_RECORDS(type, array, format, ...)                                                      \
	do {                                                                                       \
		fputs("\nstatic const struct table_" #type " " #array "[] = {\n", out);            \
		for (uint32_t i = 0; i < data->nr_##array; i++) {                                  \
			const struct table_##type *at = &data->array[i];                           \
                                                                                                   \
			fprintf(out, "{ " format "\n", __VA_ARGS__);                               \
		}                                                                                  \
		fputs(data->nr_##array ? "};\n" : "{ 0 }\n};\n", out);                             \
	} while (0)

static void put_records(const struct table_data *data, FILE *out)
{
	PUT_RECORDS(event, events, "%u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },", at->name,
		    at->terms, at->desc, at->long_desc, at->pmu, at->topic, at->compat,
		    at->counter, at->scale, at->latency, at->flags);
	PUT_RECORDS(metric, metrics, "%u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },", at->name,
		    at->expr, at->threshold, at->groups, at->desc, at->long_desc, at->pmu,
		    at->compat, at->no_group, at->default_group, at->scale, at->flags);
	PUT_RECORDS(scale, scales, "%u, %u, %.17g },", at->text, at->unit, at->scale);
	PUT_RECORDS(counter, counters, "%u, %#" PRIx64 " },", at->text, at->mask);
	PUT_RECORDS(latency, latencies, "%.17g, %.17g, %.17g },", at->min, at->mean, at->max);
	PUT_RECORDS(pmu_counters, pmu_counters, "%u, %u, %u, %u },", at->pmu, at->general,
		    at->fixed, at->guessed);
	PUT_RECORDS(group, groups, "%u, %u },", at->name, at->desc);
	PUT_RECORDS(range, ranges, "%u, %u, %u },", at->first, at->nr, at->pmu);
}

#define SPAN_FORMAT ", { %" PRIu32 ", %" PRIu32 " }"
#define SPAN(name) at->name.first, at->name.nr

static void put_models(const struct table_data *data, FILE *out)
{
	PUT_RECORDS(model, models,
		    "%#" PRIx64 ", %u, %u" SPAN_FORMAT SPAN_FORMAT SPAN_FORMAT SPAN_FORMAT
			    SPAN_FORMAT SPAN_FORMAT SPAN_FORMAT " }, /* %s */",
		    at->hash, at->name, at->flags, SPAN(events), SPAN(metrics), SPAN(by_name),
		    SPAN(event_ranges), SPAN(metric_ranges), SPAN(groups), SPAN(counters),
		    data->strings + at->name);
	PUT_RECORDS(map, map, "%u, %u, %u },", at->pattern, at->version, at->model);
}

void write__c(const struct table_data *data, FILE *out)
{
	fputs("/* Written by gen-tables from the kernel's JSON; do not edit. */\n"
	      "#include \"json/format.h\"\n\n",
	      out);
	put_strings(data, out);
	PUT_NUMBERS(words);
	put_records(data, out);
	PUT_NUMBERS(event_list);
	PUT_NUMBERS(metric_list);
	PUT_NUMBERS(metric_by_name);
	PUT_NUMBERS(group_list);
	put_models(data, out);

	fprintf(out, "\nconst struct table_data table_data_%s = {\n\t.arch = \"%s\",\n", data->arch,
		data->arch);
	fprintf(out, "\t.strings = strings,\n\t.nr_strings = %" PRIu32 ",\n", data->nr_strings);
#define PUT(type, name)                                                                 \
	fprintf(out, "\t." #name " = " #name ",\n\t.nr_" #name " = %" PRIu32 ",\n", \
		data->nr_##name);
	TABLE_ARRAYS(PUT)
#undef PUT
	fprintf(out, "\t.std_events = { %u, %u },\n\t.std_metrics = { %u, %u },\n",
		data->std_events.first, data->std_events.nr, data->std_metrics.first,
		data->std_metrics.nr);
	fputs("};\n", out);
}

/* --- To read and compare --------------------------------------------------------------------- */

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

static void write__put_event(const struct table_data *d, const struct table_event *e, FILE *out)
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

static void write__put_metric(const struct table_data *d, const struct table_metric *m, FILE *out)
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

		write__put_event(d, e, out);
		if (e->counter)
			fprintf(out, "# counter\t%s\t%#" PRIx64 "\n", s + c->text, c->mask);
		if (e->flags & TABLE_EVENT_TAKEN_ALONE)
			fputs("# taken alone\n", out);
		if (e->latency)
			fprintf(out, "# retire latency\t%g\t%g\t%g\n", d->latencies[e->latency].min,
				d->latencies[e->latency].mean, d->latencies[e->latency].max);
	}
	for (uint32_t i = 0; i < m->metrics.nr; i++)
		write__put_metric(d, &d->metrics[d->metric_list[m->metrics.first + i]], out);
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
		if (data->map[i].model != TABLE_MAP_NO_MODEL)
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
