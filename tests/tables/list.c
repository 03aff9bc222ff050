// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists the tables that are built into the program. count.py compares them with the vendors' JSON.
 *
 *	list            for every model: "model NAME", then "event PMU NAME TERMS" for each event
 *			and "metric PMU NAME EXPR" for each metric; tabs separate the fields
 *	list CPUID ...  "CPUID MODEL" for each CPUID; MODEL is "-" if there is none
 *
 * Each name is also looked up: if this does not find what is listed, the program ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables/tables.h"

static void list_events(const struct tables *t)
{
	struct event_info event, found;

	for (int i = 0; i < tables__nr_events(t); i++) {
		tables__event(t, i, &event);
		printf("event\t%s\t%s\t%s\n", event.pmu, event.name, event.terms);
		if (tables__find_event(t, event.pmu, event.name) < 0) {
			fprintf(stderr, "%s: event %s is not found\n", tables__model(t), event.name);
			exit(EXIT_FAILURE);
		}
		tables__event(t, tables__find_event(t, event.pmu, event.name), &found);
		if (strcmp(found.terms, event.terms)) {
			fprintf(stderr, "%s: another event is found as %s\n", tables__model(t),
				event.name);
			exit(EXIT_FAILURE);
		}
	}
}

static void list_metrics(const struct tables *t)
{
	struct metric_info metric;

	for (int i = 0; i < tables__nr_metrics(t); i++) {
		tables__metric(t, i, &metric);
		printf("metric\t%s\t%s\t%s\n", metric.pmu, metric.name, metric.expr);
		if (tables__find_metric(t, metric.pmu, metric.name) < 0) {
			fprintf(stderr, "%s: metric %s is not found\n", tables__model(t),
				metric.name);
			exit(EXIT_FAILURE);
		}
	}
}

static void list_model(const char *name)
{
	struct tables *t = tables__find_model(name);

	if (!t) {
		fprintf(stderr, "model %s is not found\n", name);
		exit(EXIT_FAILURE);
	}
	printf("model\t%s\n", name);
	list_events(t);
	list_metrics(t);
	tables__free(t);
}

static void find_cpu(const char *cpuid)
{
	struct tables *t = tables__find(cpuid);

	printf("%s\t%s\n", cpuid, t ? tables__model(t) : "-");
	tables__free(t);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		find_cpu(argv[i]);
	for (int i = 0; argc == 1 && i < tables__nr_models(); i++)
		list_model(tables__model_name(i));
	return EXIT_SUCCESS;
}
