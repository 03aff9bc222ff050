// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read how much processes used GPUs: procfs has lines for each open file of a GPU, as the kernel's
 * Documentation/gpu/drm-usage-stats.rst specifies. Each driver is a PMU, as in perf since 6.17.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/gauge_source.h"
#include "machine/machine.h"

#define PMU_PREFIX "drm_"
#define FDINFO_MAX 8192

/* The first of these prefixes that a line begins with determines its meaning. */
static const struct key {
	const char *prefix, *unit, *what;
} keys[] = {
	{ "drm-active-", "bytes", "Memory that engines are using" },
	{ "drm-cycles-", "cycles", "Busy cycles" },
	{ "drm-engine-capacity-", "capacity", "Number of engines of this kind" },
	{ "drm-engine-", "ns", "Time for which engines were busy" },
	{ "drm-maxfreq-", "hz", "Highest frequency" },
	{ "drm-memory-", "bytes", "Memory" },
	{ "drm-purgeable-", "bytes", "Memory that the kernel may take back" },
	{ "drm-resident-", "bytes", "Memory that is resident" },
	{ "drm-shared-", "bytes", "Memory shared with other files" },
	{ "drm-total-cycles-", "cycles", "Cycles that passed, busy or not" },
	{ "drm-total-", "bytes", "Memory, shared and private" },
};

static const struct key *key_of(const char *name)
{
	return array__first(k, keys, !strncasecmp(k->prefix, name, strlen(k->prefix)));
}

static bool gauge_drm__may_have(const char *name)
{
	return key_of(name) != NULL;
}

static const char *gauge_drm__unit_of(const char *name)
{
	const struct key *key = key_of(name);

	return key ? key->unit : NULL;
}

/**
 * struct gpu_file - an open file of a GPU, which can have several descriptors
 * @driver, @device, @id: equal for all descriptors of the file
 * @lines: lines of the file in procfs
 */
struct gpu_file {
	char driver[64], device[64], id[64], lines[FDINFO_MAX];
};

/**
 * struct gpu_walk - a walk through descriptors of processes
 * @visit: called once for each file of a GPU
 * @seen:  files that were visited
 * @gs:    gauges to which new ones are added
 * @gauge: the gauge to read; @sum: sum of its values
 */
struct gpu_walk {
	void (*visit)(struct gpu_walk *w, const struct gpu_file *c);
	VEC(char *) seen;
	struct gauges *gs;
	const struct gauge *gauge;
	uint64_t sum;
};

/* Copy the text after "KEY:" at the start of a line. Return: whether there is such a line. */
static bool gauge_drm__value_of(const char *lines, const char *key, char *out, size_t size)
{
	size_t len = strlen(key);

	for (const char *at = lines; at && *at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncasecmp(at, key, len) && at[len] == ':') {
			at += len + 1;
			at += strspn(at, " \t");
			len = strcspn(at, "\n");
			if (len >= size)
				return false;
			memcpy(out, at, len);
			out[len] = '\0';
			return true;
		}
	}
	return false;
}

/* Return: whether the descriptor belongs to a file of a GPU that was not visited yet. */
static bool is_new_client(struct gpu_walk *w, const char *proc, const char *fd, struct gpu_file *c)
{
	struct sb name = SB_INIT;

	if (file__read_start(c->lines, sizeof(c->lines), "%s/fdinfo/%s", proc, fd) < 0 ||
	    !gauge_drm__value_of(c->lines, "drm-driver", c->driver, sizeof(c->driver)))
		return false;
	*c->device = '\0';
	gauge_drm__value_of(c->lines, "drm-pdev", c->device, sizeof(c->device));
	/* Some drivers do not number files: count each descriptor as a file. */
	if (!gauge_drm__value_of(c->lines, "drm-client-id", c->id, sizeof(c->id)))
		snprintf(c->id, sizeof(c->id), "%.20s %.20s", strrchr(proc, '/'), fd);
	sb__printf(&name, "%s %s %s", c->driver, c->device, c->id);
	if (vec__find(seen, &w->seen, !strcmp(*seen, sb__str(&name)))) {
		sb__free(&name);
		return false;
	}
	vec__push(&w->seen, sb__detach(&name));
	return true;
}

static bool is_gpu(const char *proc, const char *fd)
{
	char path[256], target[64];
	ssize_t len;

	if ((size_t)snprintf(path, sizeof(path), "%s/fd/%s", proc, fd) >= sizeof(path))
		return false;
	len = readlink(path, target, sizeof(target) - 1);
	target[len > 0 ? len : 0] = '\0';
	return text__has_prefix(target, "/dev/dri/") || text__has_prefix(target, "/dev/accel/");
}

/* Return: 0, or -ESRCH if the process has ended or belongs to another user. */
static int walk_process(const struct machine *m, struct gpu_walk *w, const char *pid)
{
	struct gpu_file client;
	char proc[200], **fds;
	int nr;

	snprintf(proc, sizeof(proc), "%.150s/%.20s", m->procfs, pid);
	if (file__list_dir(&fds, &nr, "%s/fd", proc))
		return -ESRCH;
	for (int i = 0; i < nr; i++)
		if (is_gpu(proc, fds[i]) && is_new_client(w, proc, fds[i], &client))
			w->visit(w, &client);
	file__free_names(fds, nr);
	return 0;
}

static int gauge_drm__walk(const struct machine *m, struct gpu_walk *w, int pid)
{
	char **names, text[16];
	int nr, rc = 0;

	if (!m->procfs)
		return -ENOENT;
	if (pid >= 0) {
		snprintf(text, sizeof(text), "%d", pid);
		rc = walk_process(m, w, text);
	} else if (!file__list_dir(&names, &nr, "%s", m->procfs)) {
		for (int i = 0; i < nr; i++)
			if (isdigit((unsigned char)*names[i]))
				walk_process(m, w, names[i]);
		file__free_names(names, nr);
	}
	for (int i = 0; i < w->seen.nr; i++)
		free(w->seen.at[i]);
	vec__free(&w->seen);
	return rc;
}

static void gauge_drm__add_event(struct gauges *gs, const char *pmu, const struct key *key,
				 const char *name)
{
	struct gauge g = { .unit = key->unit, .scale = 1, .what = key->what };

	if (vec__find(old, &gs->list, !strcmp(old->pmu, pmu) && !strcmp(old->name, name)))
		return;
	g.source = &gauge_source__drm;
	g.name = xstrdup(name);
	g.pmu = xstrdup(pmu);
	vec__push(&gs->list, g);
}

static void gauge_drm__add_events(struct gpu_walk *w, const struct gpu_file *c)
{
	char pmu[sizeof(c->driver) + 8], name[64];
	const struct key *key;
	int len;

	snprintf(pmu, sizeof(pmu), PMU_PREFIX "%s", c->driver);
	text__for_each_item(line, len, c->lines, "\n") {
		int name_len = strcspn(line, ":\n");

		key = key_of(line);
		if (!key || line[name_len] != ':' || name_len >= (int)sizeof(name))
			continue;
		memcpy(name, line, name_len);
		name[name_len] = '\0';
		gauge_drm__add_event(w->gs, pmu, key, name);
	}
}

static void gauge_drm__find(const struct machine *m, struct gauges *gs)
{
	struct gpu_walk w = {.visit = gauge_drm__add_events, .gs = gs};

	gauge_drm__walk(m, &w, -1);
}

static void gauge_drm__describe(const struct machine *m, const struct gauge *g, struct sb *out)
{
	(void)m;
	sb__printf(out, "%s, of driver %s", g->what, g->pmu + strlen(PMU_PREFIX));
}

/* Convert values like "12 KiB" and "1200 MHz" to the event's unit, bytes or Hz. */
static uint64_t parse_amount(const char *text)
{
	static const struct {
		const char *unit;
		uint64_t factor;
	} units[] = {
		{ "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 },
		{ "KHz", 1000 },    { "MHz", 1000000 }, { "GHz", 1000000000 },
	};
	uint64_t value = 0;
	int len = num__scan_u64(text, 10, &value);

	text += len;
	text += strspn(text, " \t");
	for (int i = 0; i < array__nr(units); i++)
		if (!strcasecmp(text, units[i].unit))
			return value * units[i].factor;
	return value;
}

static void add_value(struct gpu_walk *w, const struct gpu_file *c)
{
	char value[64];

	if (!strcmp(c->driver, w->gauge->pmu + strlen(PMU_PREFIX)) &&
	    gauge_drm__value_of(c->lines, w->gauge->name, value, sizeof(value)))
		w->sum += parse_amount(value);
}

static int gauge_drm__read_value(const struct machine *m, const struct gauge *g, int pid,
				 uint64_t *value)
{
	struct gpu_walk w = {.visit = add_value, .gauge = g};
	int rc = gauge_drm__walk(m, &w, pid);

	*value = w.sum;
	return rc;
}

const struct gauge_source gauge_source__drm = {
	.topic = "drm",
	.pmu_prefix = PMU_PREFIX,
	.of_tasks = true,
	.may_have = gauge_drm__may_have,
	.unit_of = gauge_drm__unit_of,
	.find = gauge_drm__find,
	.describe = gauge_drm__describe,
	.read = gauge_drm__read_value,
};
