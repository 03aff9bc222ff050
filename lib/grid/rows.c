// SPDX-License-Identifier: GPL-2.0-only
#include "grid/rows.h"

#define X(name, ...) [PLACE_##name] = {__VA_ARGS__},
const struct place_kind place_kinds[PLACE_NR] = {GRID_PLACES(X)};
#undef X

#define X(name, ...) [AGGR_##name] = {__VA_ARGS__},
const struct row_kind row_kinds[AGGR_NR] = {ROW_KINDS(X)};
