// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the CPU of --cpuid: by its id, by the name of its model, or from a file like /proc/cpuinfo.
 * Suggest models for events.
 */
#include "cpu_name.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "events/events.h"
#include "tables/tables.h"

#define ID_MAX 128
#define CPUINFO_MAX (32 << 20)
#define HYBRID_PREFIX "cpu_"	  /* names of core PMUs of hybrid machines begin with this */
#define MOST_NAMES 3		  /* greatest number of events that are named */
#define MIDR_ARCHITECTURE 0xf0000 /* value that means: look at the feature registers */

/*
 * Copy the value from the first line "KEY : VALUE" of /proc/cpuinfo with @key; "" without such a
 * line.
 */
static const char *cpu_name__value_of(const char *text, const char *key, char *out, size_t size)
{
	int len;

	text__for_each_item(line, len, text, "\n")
	{
		const char *colon = memchr(line, ':', len);

		if (!colon || strncmp(line, key, strlen(key)) ||
		    strspn(line + strlen(key), " \t") != (size_t)(colon - line) - strlen(key))
			continue;
		snprintf(out, size, "%.*s", (int)(len - (colon + 1 - line)), colon + 1);
		return text__trim(out);
	}
	return "";
}

static bool number_of(const char *text, const char *key, uint64_t *out)
{
	char value[ID_MAX];
	const char *number = cpu_name__value_of(text, key, value, sizeof(value));
	int len = num__scan_u64(number, 0, out);

	return len && !number[len];
}

static bool id_of_x86(const char *text, struct sb *cpuid)
{
	char value[ID_MAX];
	const char *vendor = cpu_name__value_of(text, "vendor_id", value, sizeof(value));
	uint64_t family, model, stepping = 0;

	if (!*vendor || !number_of(text, "cpu family", &family) ||
	    !number_of(text, "model", &model))
		return false;
	number_of(text, "stepping", &stepping);
	sb__printf(cpuid, "%s-%u-%X-%X", vendor, (unsigned int)family, (unsigned int)model,
		   (unsigned int)stepping);
	return true;
}

static bool id_of_arm(const char *text, struct sb *cpuid)
{
	uint64_t implementer, variant, part, revision;

	if (!number_of(text, "CPU implementer", &implementer) ||
	    !number_of(text, "CPU variant", &variant) || !number_of(text, "CPU part", &part) ||
	    !number_of(text, "CPU revision", &revision))
		return false;
	sb__printf(cpuid, "0x%016llx",
		   (unsigned long long)(implementer << 24 | variant << 20 | MIDR_ARCHITECTURE |
					part << 4 | revision));
	return true;
}

static int read_cpuinfo(const char *path, struct sb *cpuid, struct err *err)
{
	char *text;
	int rc = file__read(path, CPUINFO_MAX, &text, NULL, err);

	if (rc)
		return rc;
	if (!id_of_x86(text, cpuid) && !id_of_arm(text, cpuid))
		rc = err__set(err, EINVAL, "--cpuid %s: not a /proc/cpuinfo file of an x86 or Arm "
					   "CPU",
			      path);
	free(text);
	return rc;
}

/* Parse family, model and stepping in decimal, as Linux prints them: "6-85-7". */
static bool read_decimal(const char *name, struct sb *cpuid)
{
	static const char *const vendors[] = {"GenuineIntel", "AuthenticAMD"};
	unsigned int family, model, stepping;
	int len = -1;

	if (sscanf(name, "%3u-%3u-%3u%n", &family, &model, &stepping, &len) != 3 || name[len])
		return false;
	for (int i = 0; i < array__nr(vendors); i++) {
		struct tables *t;

		sb__clear(cpuid);
		sb__printf(cpuid, "%s-%u-%X-%X", vendors[i], family, model, stepping);
		t = tables__find(sb__str(cpuid));
		tables__free(t);
		if (t)
			return true;
	}
	return false;
}

/* Whether @name is the name of @model, ignoring case and separators between words. */
static bool cpu_name__is_named(const char *model, const char *name)
{
	for (; *name; name++) {
		if (!isalnum((unsigned char)*name))
			continue;
		while (*model && !isalnum((unsigned char)*model))
			model++;
		if (tolower((unsigned char)*name) != tolower((unsigned char)*model++))
			return false;
	}
	/* The name of a table for several models begins with the first model: "neoverse-n2-v2". */
	return !*model || *model == '-';
}

static bool cpu_name__find_model(const char *name, struct sb *cpuid)
{
	char id[ID_MAX];

	for (int i = 0; i < tables__nr_models(); i++) {
		const char *model = tables__model_name(i), *folder = strrchr(model, '/');
		const char *bare = folder ? folder + 1 : model;
		int vendor = text__has_prefix(bare, "amd") ? strlen("amd") : 0;

		if ((!cpu_name__is_named(model, name) && !cpu_name__is_named(bare, name) &&
		     !cpu_name__is_named(bare + vendor, name)) ||
		    !tables__example_id(i, id, sizeof(id)))
			continue;
		sb__puts(cpuid, id);
		return true;
	}
	return false;
}

/*
 * Whether a name has the form of an id, "GenuineIntel-6-55-4" or "0x00000000410fd490", even of a
 * CPU without tables.
 */
static bool is_id(const char *name)
{
	const char *dash = strchr(name, '-');
	uint64_t midr;
	int len = num__scan_u64(name, 0, &midr);

	if (len && !name[len])
		return text__has_prefix(name, "0x");
	return dash && dash > name && isdigit((unsigned char)dash[1]) && strchr(dash + 1, '-') &&
	       strcspn(name, "-0123456789") > 0 && !isdigit((unsigned char)*name);
}

static int unknown(const char *name, struct err *err)
{
	struct sb near = SB_INIT, all = SB_INIT;
	struct suggest s;
	char id[ID_MAX];

	suggest__init(&s, name);
	for (int i = 0; i < tables__nr_models(); i++) {
		suggest__offer(&s, tables__model_name(i));
		if (tables__example_id(i, id, sizeof(id)))
			sb__printf(&all, " %s", tables__model_name(i));
	}
	suggest__print(&s, &near);
	err__set(err, EINVAL,
		 "--cpuid %s: not a CPU id, a family-model-stepping, a file (with a / in its path) "
		 "or a model%s\n"
		 "models:%s",
		 name, sb__str(&near), sb__str(&all));
	sb__free(&near);
	sb__free(&all);
	return -EINVAL;
}

int cpu_name__read(const char *name, struct sb *cpuid, struct err *err)
{
	if (is_id(name)) {
		sb__puts(cpuid, name);
		return 0;
	}
	if (*name == '/' || *name == '.')
		return read_cpuinfo(name, cpuid, err);
	if (read_decimal(name, cpuid))
		return 0;
	sb__clear(cpuid);
	return cpu_name__find_model(name, cpuid) ? 0 : unknown(name, err);
}

/*
 * Copy the core PMU from a name of an event on a hybrid machine: "cpu_core/slots/", "slots
 * [cpu_core]".
 */
static void cpu_name__core_of(const char *name, char *pmu, size_t size)
{
	const char *open = strchr(name, '['), *slash = strchr(name, '/');
	const char *end = open ? strchr(open, ']') : slash;

	name = open ? open + 1 : name;
	*pmu = '\0';
	if (end && text__has_prefix(name, HYBRID_PREFIX))
		snprintf(pmu, size, "%.*s", (int)(end - name), name);
}

/*
 * Whether the name of an event is not specific to a CPU: the kernel has the event on all CPUs, even
 * if a vendor uses the name as well ("INSTRUCTIONS" of IBM), or on all CPUs with TopDown metric
 * events, which are not in tables.
 */
static bool is_of_any_cpu(const char *bare)
{
	return events__is_kernel_name(bare) || !strcmp(bare, "slots") ||
	       text__has_prefix(bare, "topdown-");
}

/*
 * Whether tables have an event. "cpu_core/TOPDOWN.SLOTS/u" and "TOPDOWN.SLOTS:u" are the same event
 * in tables. If the name of the event is not specific to a CPU, the tables must have events of the
 * named PMU.
 */
static bool cpu_name__has_event(const struct tables *t, const char *name)
{
	const char *slash = strchr(name, '/');
	char bare[ID_MAX], pmu[ID_MAX];
	int first;

	cpu_name__core_of(name, pmu, sizeof(pmu));
	name = slash ? slash + 1 : name;
	snprintf(bare, sizeof(bare), "%.*s", (int)strcspn(name, "/: ["), name);
	if (is_of_any_cpu(bare))
		return *pmu && tables__pmu_events(t, pmu, &first);
	return *bare && tables__find_event(t, *pmu ? pmu : NULL, bare) >= 0;
}

static int count_events(const struct tables *t, const struct event_list *events)
{
	int nr = 0;

	for (int i = 0; t && i < events->nr; i++)
		nr += cpu_name__has_event(t, events->at[i]->name);
	return nr;
}

bool cpu_name__has_events(const char *cpuid, const struct event_list *events)
{
	struct tables *t = tables__find(cpuid);
	bool has = count_events(t, events);

	tables__free(t);
	return has;
}

/*
 * Append the names of the models whose tables have the greatest number of the events. @best: set to
 * the number of the first model, or -1. Return: number of events that these models have.
 */
static int find_fitting(const struct event_list *events, struct sb *out, int *best)
{
	int most = 0;

	*best = -1;
	for (int i = 0; i < tables__nr_models(); i++) {
		const char *name = tables__model_name(i), *folder = strrchr(name, '/');
		struct tables *t = tables__find_model(name);
		int nr = count_events(t, events);

		tables__free(t);
		if (nr > most) {
			sb__clear(out);
			*best = i;
		}
		most = nr > most ? nr : most;
		if (nr && nr == most)
			sb__printf(out, " %s", folder ? folder + 1 : name);
	}
	return most;
}

int cpu_name__put_fitting(const struct event_list *events, struct sb *out)
{
	int best;

	return find_fitting(events, out, &best);
}

/* Append the names of the first few events that tables @known have and @other lack. */
static void put_unknown(const struct tables *known, const struct tables *other,
			const struct event_list *events, struct sb *out)
{
	int nr = 0;

	for (int i = 0; i < events->nr; i++) {
		const char *name = events->at[i]->name;

		if (!cpu_name__has_event(known, name) || cpu_name__has_event(other, name) ||
		    nr++ >= MOST_NAMES)
			continue;
		sb__printf(out, "%s%s", nr > 1 ? ", " : "", name);
	}
	if (nr > MOST_NAMES)
		sb__printf(out, " and %d more", nr - MOST_NAMES);
}

bool cpu_name__put_unknown(const struct tables *t, const struct event_list *events, struct sb *out)
{
	struct sb models = SB_INIT, unknown = SB_INIT;
	int best, most = find_fitting(events, &models, &best), known = count_events(t, events);
	struct tables *better = most > known ? tables__find_model(tables__model_name(best)) : NULL;

	if (better) {
		put_unknown(better, t, events, &unknown);
		sb__printf(out, "%s lacks %d of the events (%s); these models have them:%s",
			   tables__model(t), most - known, sb__str(&unknown), sb__str(&models));
	}
	tables__free(better);
	sb__free(&models);
	sb__free(&unknown);
	return better;
}
