// SPDX-License-Identifier: GPL-2.0-only
/* Place Arm's metrics below level 1 into the tree by their names. */
#include "json/arm_tree.h"

#include <stddef.h>

#include "base/array.h"
#include "base/sb.h"
#include "base/text.h"

#define FRONTEND "Topdown_Frontend"
#define BACKEND "Topdown_Backend"

static const struct arm_node {
	const char *name, *parent;
	int level;
} nodes[] = {
	{ "frontend_core_bound", "frontend_bound", 2 },
	{ "frontend_mem_bound", "frontend_bound", 2 },
	{ "frontend_core_flow_bound", "frontend_core_bound", 3 },
	{ "frontend_core_flush_bound", "frontend_core_bound", 3 },
	{ "frontend_mem_cache_bound", "frontend_mem_bound", 3 },
	{ "frontend_mem_tlb_bound", "frontend_mem_bound", 3 },
	{ "frontend_cache_l1i_bound", "frontend_mem_cache_bound", 4 },
	{ "frontend_cache_l2i_bound", "frontend_mem_cache_bound", 4 },
	{ "backend_busy_bound", "backend_bound", 2 },
	{ "backend_core_bound", "backend_bound", 2 },
	{ "backend_mem_bound", "backend_bound", 2 },
	{ "backend_core_rename_bound", "backend_core_bound", 3 },
	{ "backend_mem_cache_bound", "backend_mem_bound", 3 },
	{ "backend_mem_store_bound", "backend_mem_bound", 3 },
	{ "backend_mem_tlb_bound", "backend_mem_bound", 3 },
	{ "backend_cache_l1d_bound", "backend_mem_cache_bound", 4 },
	{ "backend_cache_l2d_bound", "backend_mem_cache_bound", 4 },
};

const char *arm_tree__groups(const char *name, const char *groups, struct sb *out)
{
	const struct arm_node *node = array__find(nodes, name, name);

	if (!node || !groups ||
	    (!text__has_item(groups, ";", FRONTEND) && !text__has_item(groups, ";", BACKEND)))
		return groups;
	sb__clear(out);
	sb__printf(out, "%s;TopdownL%d;%s_group", groups, node->level, node->parent);
	return sb__str(out);
}
