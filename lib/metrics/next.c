// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arm's tree ends in nodes without children. For each of these nodes, Arm's methodology lists
 * resources to look at, in order: groups of metrics such as the misses of a cache.
 */
#include <stdlib.h>
#include <strings.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "metrics/metrics.h"

#define BRANCHES "Branch_Effectiveness"
#define CODE_TLB "ITLB_Effectiveness"
#define CODE_L1 "L1I_Cache_Effectiveness"
#define DATA_TLB "DTLB_Effectiveness"
#define DATA_L1 "L1D_Cache_Effectiveness"
#define BEYOND "L2_Cache_Effectiveness;L3_Cache_Effectiveness;LL_Cache_Effectiveness"
#define MIX "Operation_Mix"

/* The order is that of Arm's decision trees for Neoverse V1, N2, V2 and V3. */
static const struct arm_resources {
	const char *node, *groups;
} resources[] = {
	{ "frontend_bound", BRANCHES ";" CODE_TLB ";" CODE_L1 ";" BEYOND },
	{ "frontend_core_flow_bound", BRANCHES },
	{ "frontend_core_flush_bound", BRANCHES },
	{ "frontend_mem_tlb_bound", CODE_TLB },
	{ "frontend_cache_l1i_bound", CODE_L1 },
	{ "frontend_cache_l2i_bound", BEYOND },
	{ "bad_speculation", BRANCHES },
	{ "backend_bound", DATA_TLB ";" DATA_L1 ";" BEYOND ";" MIX },
	{ "backend_busy_bound", MIX },
	{ "backend_core_rename_bound", MIX },
	{ "backend_mem_tlb_bound", DATA_TLB },
	{ "backend_mem_store_bound", DATA_L1 },
	{ "backend_cache_l1d_bound", DATA_L1 },
	{ "backend_cache_l2d_bound", BEYOND },
	{ "retiring", MIX },
};

/* Return: the name of a group as the tables write it; NULL if no metric is in the group. */
static const char *group_of(const struct tables *tables, const char *name, int len)
{
	for (int i = 0; i < tables__nr_groups(tables); i++) {
		const char *group = tables__group(tables, i);

		if (!strncasecmp(group, name, len) && !group[len])
			return group;
	}
	return NULL;
}

void metrics__resources(const struct tables *tables, const char *node, struct sb *groups)
{
	const struct arm_resources *found = array__find(resources, node, node);
	int len;

	text__for_each_item(item, len, found ? found->groups : "", ";") {
		const char *group = group_of(tables, item, len);

		if (group)
			sb__printf(groups, "%s%s", groups->len ? "," : "", group);
	}
}

void metrics__put_options(const char *groups, struct sb *sb)
{
	int len;

	text__for_each_item(item, len, groups, ",") {
		char *group = xstrndup(item, len);

		sb__puts(sb, " -M ");
		text__shell(sb, group);
		free(group);
	}
}
