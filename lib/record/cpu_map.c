// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sb.h"
#include "record/cpu_map.h"
#include "record/format.h"
#include "record/span.h"

#define MASK64_PAD 4 /* bytes that align a mask of 64-bit words */

static void put_u16(struct sb *sb, unsigned int value)
{
	uint16_t word = value;

	sb__add(sb, (const char *)&word, sizeof(word));
}

static void write_range(struct sb *sb, bool any, int start, int end)
{
	put_u16(sb, PERF_CPU_MAP__RANGE_CPUS);
	put_u16(sb, any); /* any_cpu is one byte, which a byte of padding follows. */
	put_u16(sb, start);
	put_u16(sb, end);
}

static void write_list(struct sb *sb, const struct cpulist *cpus)
{
	const int *cpu;

	put_u16(sb, PERF_CPU_MAP__CPUS);
	put_u16(sb, cpus->nr);
	cpulist__for_each(cpu, cpus)
		put_u16(sb, *cpu);
}

static void write_mask(struct sb *sb, const struct cpulist *cpus)
{
	int nr = cpus->at[cpus->nr - 1] / 32 + 1, at = 0;

	put_u16(sb, PERF_CPU_MAP__MASK);
	put_u16(sb, nr);
	put_u16(sb, sizeof(uint32_t));
	for (int word = 0; word < nr; word++) {
		uint32_t mask = 0;

		for (; at < cpus->nr && cpus->at[at] / 32 == word; at++)
			mask |= UINT32_C(1) << cpus->at[at] % 32;
		sb__add(sb, (const char *)&mask, sizeof(mask));
	}
}

void cpu_map__write(struct sb *sb, const struct cpulist *cpus)
{
	size_t start = sb->len;
	int first, last;

	if (!cpus) {
		/*
		 * "Any CPU" is written as a list with one entry, since older readers do not know a
		 * range without CPUs.
		 */
		put_u16(sb, PERF_CPU_MAP__CPUS);
		put_u16(sb, 1);
		put_u16(sb, ANY_CPU);
	} else if (!cpus->nr) {
		write_list(sb, cpus);
	} else {
		first = cpus->at[0];
		last = cpus->at[cpus->nr - 1];
		if (last - first + 1 == cpus->nr)
			write_range(sb, false, first, last);
		else if (cpus->nr * sizeof(uint16_t) <
			 sizeof(uint16_t) + (last / 32 + 1) * sizeof(uint32_t))
			write_list(sb, cpus);
		else
			write_mask(sb, cpus);
	}
	while ((sb->len - start) % RECORD_ALIGN)
		sb__putc(sb, '\0');
}

/* The functions that read return a text on the problem, or NULL. */

#define CUT_OFF "is cut off"

static const char *add_cpu(struct cpulist *cpus, long cpu)
{
	if (cpu > CPULIST_MAX_CPU)
		return "has a CPU number that no machine has";
	cpulist__add(cpus, cpu);
	return NULL;
}

static const char *read_list(struct span *s, struct cpulist *cpus, bool *any)
{
	const char *why = NULL;
	int nr = span__u16(s);

	if (s->bad)
		return CUT_OFF;
	while (nr-- && !s->bad && !why) {
		int cpu = span__u16(s);

		if (cpu == ANY_CPU)
			*any = true;
		else if (!s->bad)
			why = add_cpu(cpus, cpu);
	}
	return why;
}

/* A mask has words of 32 bits, or words of 64 bits after some padding. */
static const char *read_mask(struct span *s, struct cpulist *cpus)
{
	int nr = span__u16(s), size = span__u16(s);
	const char *why = NULL;

	if (s->bad)
		return CUT_OFF;
	if (size != sizeof(uint32_t) && size != sizeof(uint64_t))
		return "has a mask of words of an odd size";
	if (size == sizeof(uint64_t))
		span__take(s, MASK64_PAD);
	for (int i = 0; i < nr && !s->bad && !why; i++) {
		uint64_t mask = size == sizeof(uint32_t) ? span__u32(s) : span__u64(s);

		for (; mask && !why; mask &= mask - 1)
			why = add_cpu(cpus, (long)i * size * 8 + __builtin_ctzll(mask));
	}
	return why;
}

/* any_cpu is one byte, which a byte of padding follows. */
static const char *read_range(struct span *s, struct cpulist *cpus, bool *any)
{
	bool anywhere = span__u16(s) & 0xff;
	long start = span__u16(s), end = span__u16(s);
	const char *why = s->bad ? CUT_OFF : NULL;

	*any = anywhere;
	for (long cpu = start; !why && cpu <= end; cpu++)
		if (cpu != ANY_CPU)
			why = add_cpu(cpus, cpu);
	return why;
}

int cpu_map__read(const void *data, size_t len, struct cpulist *cpus, bool *any, struct err *err)
{
	struct span s = { .data = data, .len = len };
	uint16_t type = span__u16(&s);
	const char *why = NULL;

	*any = false;
	if (s.bad)
		why = CUT_OFF;
	else if (type == PERF_CPU_MAP__CPUS)
		why = read_list(&s, cpus, any);
	else if (type == PERF_CPU_MAP__MASK)
		why = read_mask(&s, cpus);
	else if (type == PERF_CPU_MAP__RANGE_CPUS)
		why = read_range(&s, cpus, any);
	else
		return err__set(err, EINVAL, "a list of CPUs has an unknown form (%d)", type);
	if (!why && s.bad)
		why = "is longer than its record";
	return why ? err__set(err, EINVAL, "a list of CPUs %s", why) : 0;
}
