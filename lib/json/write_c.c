// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <string.h>

#include "json/format.h"
#include "json/write.h"

/* One C string: what is no plain ASCII becomes octal, which ends before the next literal begins. */
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
		/* The last NUL is the array's own room. */
		fputs(p + strlen(p) + 1 < end ? "\\0\"\n" : "\";\n", out);
	}
}

/* An array without elements still has to be one for the compiler. */
static void put_numbers(const char *name, const uint32_t *at, uint32_t nr, FILE *out)
{
	fprintf(out, "\nstatic const uint32_t %s[] = {", name);
	for (uint32_t i = 0; i < nr; i++)
		fprintf(out, "%s%" PRIu32 ",", i % 16 ? "" : "\n", at[i]);
	fputs(nr ? "\n};\n" : "0 };\n", out);
}

static void begin(const char *type, const char *name, FILE *out)
{
	fprintf(out, "\nstatic const struct table_%s %s[] = {\n", type, name);
}

static void end(uint32_t nr, FILE *out)
{
	fputs(nr ? "};\n" : "{ 0 }\n};\n", out);
}

static void put_span(const struct table_span *span, FILE *out)
{
	fprintf(out, ", { %" PRIu32 ", %" PRIu32 " }", span->first, span->nr);
}

static void put_events(const struct table_data *data, FILE *out)
{
	begin("event", "events", out);
	for (uint32_t i = 0; i < data->nr_events; i++) {
		const struct table_event *e = &data->events[i];

		fprintf(out, "{ %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },\n", e->name, e->terms,
			e->desc, e->long_desc, e->pmu, e->topic, e->compat, e->counter, e->scale,
			e->latency, e->flags);
	}
	end(data->nr_events, out);
}

static void put_metrics(const struct table_data *data, FILE *out)
{
	begin("metric", "metrics", out);
	for (uint32_t i = 0; i < data->nr_metrics; i++) {
		const struct table_metric *m = &data->metrics[i];

		fprintf(out, "{ %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u, %u },\n", m->name,
			m->expr, m->threshold, m->groups, m->desc, m->long_desc, m->pmu, m->compat,
			m->no_group, m->default_group, m->scale, m->flags);
	}
	end(data->nr_metrics, out);
}

static void put_small(const struct table_data *data, FILE *out)
{
	begin("scale", "scales", out);
	for (uint32_t i = 0; i < data->nr_scales; i++)
		fprintf(out, "{ %u, %u, %.17g },\n", data->scales[i].text, data->scales[i].unit,
			data->scales[i].scale);
	end(data->nr_scales, out);

	begin("counter", "counters", out);
	for (uint32_t i = 0; i < data->nr_counters; i++)
		fprintf(out, "{ %u, %#" PRIx64 " },\n", data->counters[i].text,
			data->counters[i].mask);
	end(data->nr_counters, out);

	begin("latency", "latencies", out);
	for (uint32_t i = 0; i < data->nr_latencies; i++)
		fprintf(out, "{ %.17g, %.17g, %.17g },\n", data->latencies[i].min,
			data->latencies[i].mean, data->latencies[i].max);
	end(data->nr_latencies, out);

	begin("pmu_counters", "pmu_counters", out);
	for (uint32_t i = 0; i < data->nr_pmu_counters; i++)
		fprintf(out, "{ %u, %u, %u, %u },\n", data->pmu_counters[i].pmu,
			data->pmu_counters[i].general, data->pmu_counters[i].fixed,
			data->pmu_counters[i].guessed);
	end(data->nr_pmu_counters, out);

	begin("group", "groups", out);
	for (uint32_t i = 0; i < data->nr_groups; i++)
		fprintf(out, "{ %u, %u },\n", data->groups[i].name, data->groups[i].desc);
	end(data->nr_groups, out);

	begin("range", "ranges", out);
	for (uint32_t i = 0; i < data->nr_ranges; i++)
		fprintf(out, "{ %u, %u, %u },\n", data->ranges[i].first, data->ranges[i].nr,
			data->ranges[i].pmu);
	end(data->nr_ranges, out);
}

static void put_models(const struct table_data *data, FILE *out)
{
	begin("model", "models", out);
	for (uint32_t i = 0; i < data->nr_models; i++) {
		const struct table_model *m = &data->models[i];

		fprintf(out, "{ %#" PRIx64 ", %u, %u", m->hash, m->name, m->flags);
		put_span(&m->events, out);
		put_span(&m->metrics, out);
		put_span(&m->by_name, out);
		put_span(&m->event_ranges, out);
		put_span(&m->metric_ranges, out);
		put_span(&m->groups, out);
		put_span(&m->counters, out);
		fprintf(out, " }, /* %s */\n", data->strings + m->name);
	}
	end(data->nr_models, out);

	begin("map", "map", out);
	for (uint32_t i = 0; i < data->nr_map; i++)
		fprintf(out, "{ %u, %u, %u },\n", data->map[i].pattern, data->map[i].version,
			data->map[i].model);
	end(data->nr_map, out);
}

void write__c(const struct table_data *data, FILE *out)
{
	fputs("/* Written by gen-tables from the kernel's JSON; do not edit. */\n"
	      "#include \"json/format.h\"\n\n",
	      out);
	put_strings(data, out);
	put_numbers("words", data->words, data->nr_words, out);
	put_events(data, out);
	put_metrics(data, out);
	put_small(data, out);
	put_numbers("event_list", data->event_list, data->nr_event_list, out);
	put_numbers("metric_list", data->metric_list, data->nr_metric_list, out);
	put_numbers("metric_by_name", data->metric_by_name, data->nr_metric_by_name, out);
	put_numbers("group_list", data->group_list, data->nr_group_list, out);
	put_models(data, out);

	fprintf(out, "\nconst struct table_data table_data_%s = {\n\t.arch = \"%s\",\n", data->arch,
		data->arch);
	fprintf(out, "\t.strings = strings,\n\t.nr_strings = %" PRIu32 ",\n", data->nr_strings);
#define PUT(name)                                                                   \
	fprintf(out, "\t." #name " = " #name ",\n\t.nr_" #name " = %" PRIu32 ",\n", \
		data->nr_##name);
	TABLE_ARRAYS(PUT)
#undef PUT
	fputs("};\n", out);
}
