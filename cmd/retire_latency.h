/* SPDX-License-Identifier: GPL-2.0-only */
/* What is told of retire latencies (:R). */
#ifndef TMA_CMD_RETIRE_LATENCY_H
#define TMA_CMD_RETIRE_LATENCY_H

#include <stdbool.h>

struct event_info;
struct sb;

/** retire_latency__print() - append what the tables say of an event's; nothing when they do not. */
void retire_latency__print(const struct event_info *info, struct sb *out);
/**
 * retire_latency__print_need() - append where the value of EVENT:R comes from
 * @info:     of the event, or NULL where the tables do not have it
 * @measured: the CPU can sample it
 */
void retire_latency__print_need(const struct event_info *info, bool measured, struct sb *out);

#endif
