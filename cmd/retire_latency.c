// SPDX-License-Identifier: GPL-2.0-only
/* The tables' retire latencies in words. */
#include "retire_latency.h"

#include "base/sb.h"
#include "metrics/print.h"
#include "tables/tables.h"

void retire_latency__print(const struct event_info *info, struct sb *out)
{
	if (!info->retire_latency_mean && !info->retire_latency_max)
		return;
	expr__print_number(info->retire_latency_mean, out);
	sb__puts(out, " cycles in the mean, ");
	expr__print_number(info->retire_latency_min, out);
	sb__puts(out, " to ");
	expr__print_number(info->retire_latency_max, out);
	sb__puts(out, ", as the vendor measured it");
}

void retire_latency__print_need(const struct event_info *info, bool measured, struct sb *out)
{
	bool known = info && info->retire_latency_mean;

	sb__puts(out, "a retire latency: ");
	if (measured)
		sb__puts(out, "sampled by -e or --record-tpebs, else ");
	if (known)
		expr__print_number(info->retire_latency_mean, out);
	sb__puts(out, known ? " cycles, the vendor's mean" : "without a value, which the tables lack");
}
