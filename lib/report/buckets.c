// SPDX-License-Identifier: GPL-2.0-only
/* CPUs and threads into the buckets that rows stand for. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/internal.h"

const struct aggr_info aggr_infos[AGGR_NR] = {
	[AGGR_GLOBAL] = { "", "", 0, false },
	[AGGR_NONE] = { "cpu", "cpu", 6, false },
	[AGGR_SOCKET] = { "socket", "socket", 6, true },
	[AGGR_DIE] = { "die", "die", 12, true },
	[AGGR_CLUSTER] = { "cluster", "cluster", 20, true },
	[AGGR_CACHE] = { "cache", "cache", 22, true },
	[AGGR_CORE] = { "core", "core", 18, true },
	[AGGR_NODE] = { "node", "node", 6, true },
	[AGGR_THREAD] = { "thread", "comm-pid", COMM_WIDTH + 1 + PID_WIDTH, false },
};

int place__compare(const struct place *a, const struct place *b)
{
	for (int i = 0; i < PLACE_NR; i++)
		if (a->at[i] != b->at[i])
			return a->at[i] < b->at[i] ? -1 : 1;
	return 0;
}

int place__sort(const void *a, const void *b)
{
	const struct place *pa = a, *pb = b;
	int order = place__compare(pa, pb);

	return order ? order : pa->unit - pb->unit;
}

/* Old kernels say nothing of dies and clusters: there is one then. */
static int or_zero(int id)
{
	return id < 0 ? 0 : id;
}

struct place place__of(const struct report *r, enum report_aggr aggr, int cpu, int unit)
{
	struct cpu at = machine__cpu(r->machine, cpu);
	struct place p = { .unit = unit };

	memset(p.at, -1, sizeof(p.at));
	if (aggr == AGGR_NODE) {
		p.at[PLACE_NODE] = at.node;
		return p;
	}
	p.at[PLACE_SOCKET] = at.socket;
	if (aggr != AGGR_SOCKET)
		p.at[PLACE_DIE] = or_zero(at.die);
	if (aggr == AGGR_CLUSTER || aggr == AGGR_CORE)
		p.at[PLACE_CLUSTER] = or_zero(at.cluster);
	if (aggr == AGGR_CORE)
		p.at[PLACE_CORE] = at.core;
	if (aggr == AGGR_CACHE)
		p.at[PLACE_CACHE_LEVEL] = machine__cache_id(r->machine, cpu, r->opts.cache_level,
							    &p.at[PLACE_CACHE]);
	return p;
}

static void place__label(const struct place *p, enum report_aggr aggr, struct sb *sb)
{
	const int *at = p->at;

	switch (aggr) {
	case AGGR_SOCKET:
		sb__printf(sb, "S%d", at[PLACE_SOCKET]);
		break;
	case AGGR_DIE:
		sb__printf(sb, "S%d-D%d", at[PLACE_SOCKET], at[PLACE_DIE]);
		break;
	case AGGR_CLUSTER:
		sb__printf(sb, "S%d-D%d-CLS%d", at[PLACE_SOCKET], at[PLACE_DIE],
			   at[PLACE_CLUSTER]);
		break;
	case AGGR_CACHE:
		sb__printf(sb, "S%d-D%d-L%d-ID%d", at[PLACE_SOCKET], at[PLACE_DIE],
			   at[PLACE_CACHE_LEVEL], at[PLACE_CACHE]);
		break;
	case AGGR_CORE:
		sb__printf(sb, "S%d-D%d-C%d", at[PLACE_SOCKET], at[PLACE_DIE], at[PLACE_CORE]);
		break;
	default:
		sb__printf(sb, "N%d", at[PLACE_NODE]);
		break;
	}
}

/* The label as the format has it; text comes padded, with the blank that follows. */
static char *bucket__label(const struct report *r, enum report_aggr aggr, const char *label)
{
	char *dressed = dress(r, label);
	struct sb sb = SB_INIT;

	if (r->opts.format != REPORT_TEXT || !dressed)
		return dressed;
	dress__left(&sb, dressed, aggr_infos[aggr].width);
	sb__putc(&sb, ' ');
	free(dressed);
	return sb__detach(&sb);
}

char *place__dressed_label(const struct report *r, enum report_aggr aggr, const struct place *p)
{
	struct sb sb = SB_INIT;
	char *label;

	place__label(p, aggr, &sb);
	label = sb.err ? NULL : bucket__label(r, aggr, sb__str(&sb));
	sb__free(&sb);
	return label;
}

static int bucket__label_unit(struct report *r, const struct report_units *units, int unit)
{
	const char *comm = units->comms && units->comms[unit] ? units->comms[unit] : "";
	struct bucket *b = &r->buckets[unit];
	struct sb sb = SB_INIT;

	memset(b->at, -1, sizeof(b->at));
	b->at[r->opts.aggr == AGGR_NONE ? PLACE_CPU : PLACE_THREAD] = units->ids[unit];
	if (r->opts.aggr == AGGR_NONE) {
		sb__printf(&sb, r->opts.format == REPORT_JSON ? "%d" : "CPU%d", units->ids[unit]);
	} else {
		if (r->opts.format == REPORT_TEXT)
			dress__right(&sb, comm, COMM_WIDTH);
		else
			sb__puts(&sb, comm);
		sb__printf(&sb, "-%d", units->ids[unit]);
	}
	b->label = sb.err ? NULL : bucket__label(r, r->opts.aggr, sb__str(&sb));
	b->comm = dress(r, comm);
	b->nr_units = r->weight_of[unit];
	r->bucket_of[unit] = unit;
	sb__free(&sb);
	return b->label && b->comm ? 0 : -ENOMEM;
}

static int buckets__of_units(struct report *r, const struct report_units *units)
{
	int err = 0;

	r->nr_buckets = units->nr;
	for (int i = 0; i < units->nr && !err; i++)
		err = bucket__label_unit(r, units, i);
	return err;
}

/* Units that share a place share a bucket; buckets come in the order of places. */
static int buckets__of_places(struct report *r, const struct report_units *units)
{
	struct place *places = calloc(units->nr + 1, sizeof(*places));
	int err = places ? 0 : -ENOMEM;

	for (int i = 0; i < units->nr && !err; i++)
		places[i] = place__of(r, r->opts.aggr, units->ids[i], i);
	if (!err)
		qsort(places, units->nr, sizeof(*places), place__sort);
	for (int i = 0; i < units->nr && !err; i++) {
		if (!i || place__compare(&places[i], &places[i - 1])) {
			struct bucket *b = &r->buckets[r->nr_buckets];

			memcpy(b->at, places[i].at, sizeof(b->at));
			b->label = place__dressed_label(r, r->opts.aggr, &places[i]);
			if (!b->label) {
				err = -ENOMEM;
				break;
			}
			r->nr_buckets++;
		}
		r->buckets[r->nr_buckets - 1].nr_units += r->weight_of[places[i].unit];
		r->bucket_of[places[i].unit] = r->nr_buckets - 1;
	}
	free(places);
	return err;
}

static bool has_per_package_events(const struct report *r)
{
	for (int i = 0; i < r->plan->events.nr; i++)
		if (r->plan->events.at[i]->per_pkg)
			return true;
	return false;
}

static void packages__build(struct report *r, const struct report_units *units)
{
	for (int i = 0; i < units->nr; i++) {
		struct cpu at = machine__cpu(r->machine, units->ids[i]);

		r->package_of[i] = at.socket < 0 ? -1 : i;
		for (int j = 0; at.socket >= 0 && j < i; j++) {
			struct cpu other = machine__cpu(r->machine, units->ids[j]);

			if (other.socket == at.socket && or_zero(other.die) == or_zero(at.die)) {
				r->package_of[i] = j;
				break;
			}
		}
	}
}

int buckets__build(struct report *r, const struct report_units *units, struct err *err)
{
	bool places = r->opts.aggr != AGGR_GLOBAL && r->opts.aggr != AGGR_NONE &&
		      r->opts.aggr != AGGR_THREAD;
	bool packages = !units->comms && has_per_package_events(r);
	int ret = 0;

	r->nr_units = units->nr;
	r->per_cpu = !units->comms;
	r->uncounted = units->uncounted;
	r->buckets = calloc(units->nr + 1, sizeof(*r->buckets));
	r->bucket_of = calloc(units->nr + 1, sizeof(*r->bucket_of));
	r->weight_of = calloc(units->nr + 1, sizeof(*r->weight_of));
	r->package_of = calloc(units->nr + 1, sizeof(*r->package_of));
	r->package_taken = calloc(units->nr + 1, sizeof(*r->package_taken));
	if (!r->buckets || !r->bucket_of || !r->weight_of || !r->package_of || !r->package_taken)
		return -ENOMEM;
	for (int i = 0; i < units->nr; i++)
		r->weight_of[i] = units->weights ? units->weights[i] : 1;

	if (places || packages)
		ret = machine__topology(r->machine, err);
	if (ret)
		return ret;
	ret = percore__build(r, units, err);
	if (ret)
		return ret;
	memset(r->package_of, -1, units->nr * sizeof(*r->package_of));
	if (packages)
		packages__build(r, units);

	if (places)
		return buckets__of_places(r, units);
	if (r->opts.aggr != AGGR_GLOBAL)
		return buckets__of_units(r, units);
	r->nr_buckets = 1;
	r->buckets[0].nr_units = units->nr;
	r->buckets[0].label = strdup("");
	return r->buckets[0].label ? 0 : -ENOMEM;
}

void buckets__free(struct report *r)
{
	for (int i = 0; r->buckets && i < r->nr_units + 1; i++) {
		free(r->buckets[i].label);
		free(r->buckets[i].comm);
	}
	percore__free(r);
	free(r->buckets);
	free(r->bucket_of);
	free(r->weight_of);
	free(r->package_of);
	free(r->package_taken);
	free(r->row_counts);
}
