// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/sb.h"
#include "record/cpu_map.h"
#include "record/format.h"

/* Each form begins with its type; these are the words behind it. */
enum { LIST_NR, LIST_WORDS };
enum { MASK_NR, MASK_LONG_SIZE, MASK_WORDS };
enum { RANGE_ANY, RANGE_START, RANGE_END, RANGE_WORDS };

#define MASK64_PAD 4 /* bytes which keep a mask of 64-bit words aligned */

static void put_u16(struct sb *sb, unsigned int value)
{
	uint16_t word = value;

	sb__add(sb, (const char *)&word, sizeof(word));
}

static void write_range(struct sb *sb, bool any, int start, int end)
{
	put_u16(sb, PERF_CPU_MAP__RANGE_CPUS);
	put_u16(sb, any); /* one byte, and one of padding */
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
		/* A list of one: older readers do not know a range without CPUs. */
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
	while ((sb->len - start) % RECORD_ALIGN && !sb->err)
		sb__putc(sb, '\0');
}

static int damaged(struct err *err, const char *what)
{
	return err__set(err, EINVAL, "a list of CPUs %s", what);
}

static int add_cpu(struct cpulist *cpus, long cpu, struct err *err)
{
	if (cpu > CPULIST_MAX_CPU)
		return damaged(err, "has a CPU number that no machine has");
	return cpulist__add(cpus, cpu) ? err__set(err, ENOMEM, "out of memory") : 0;
}

/* Whether @nr things of @size are in @len bytes, from @start on. */
static bool holds(size_t len, size_t start, size_t nr, size_t size)
{
	return start <= len && nr <= (len - start) / size;
}

static int read_list(const char *data, size_t len, struct cpulist *cpus, bool *any,
		     struct err *err)
{
	uint16_t words[LIST_WORDS], cpu;
	int rc = 0;

	if (!holds(len, 0, LIST_WORDS, sizeof(*words)))
		return damaged(err, "is cut off");
	memcpy(words, data, sizeof(words));
	if (!holds(len, sizeof(words), words[LIST_NR], sizeof(cpu)))
		return damaged(err, "is longer than its record");
	for (int i = 0; !rc && i < words[LIST_NR]; i++) {
		memcpy(&cpu, data + sizeof(words) + i * sizeof(cpu), sizeof(cpu));
		if (cpu == ANY_CPU)
			*any = true;
		else
			rc = add_cpu(cpus, cpu, err);
	}
	return rc;
}

static int read_mask(const char *data, size_t len, struct cpulist *cpus, struct err *err)
{
	uint16_t words[MASK_WORDS];
	size_t size, start = sizeof(words);
	int rc = 0;

	if (!holds(len, 0, MASK_WORDS, sizeof(*words)))
		return damaged(err, "is cut off");
	memcpy(words, data, sizeof(words));
	size = words[MASK_LONG_SIZE];
	if (size != sizeof(uint32_t) && size != sizeof(uint64_t))
		return damaged(err, "has a mask of words of an odd size");
	if (size == sizeof(uint64_t))
		start += MASK64_PAD;
	if (!holds(len, start, words[MASK_NR], size))
		return damaged(err, "is longer than its record");
	for (int i = 0; !rc && i < words[MASK_NR]; i++) {
		uint64_t mask = 0;

		/* Of 32 bits, in the lower half: the byte order is this machine's. */
		if (size == sizeof(uint32_t)) {
			uint32_t half;

			memcpy(&half, data + start + i * size, size);
			mask = half;
		} else {
			memcpy(&mask, data + start + i * size, size);
		}
		for (size_t bit = 0; !rc && bit < size * 8; bit++)
			if (mask >> bit & 1)
				rc = add_cpu(cpus, (long)(i * size * 8 + bit), err);
	}
	return rc;
}

static int read_range(const char *data, size_t len, struct cpulist *cpus, bool *any,
		      struct err *err)
{
	uint16_t words[RANGE_WORDS];
	int rc = 0;

	if (!holds(len, 0, RANGE_WORDS, sizeof(*words)))
		return damaged(err, "is cut off");
	memcpy(words, data, sizeof(words));
	*any |= *data != 0;
	for (long cpu = words[RANGE_START]; !rc && cpu <= words[RANGE_END]; cpu++)
		if (cpu != ANY_CPU)
			rc = add_cpu(cpus, cpu, err);
	return rc;
}

int cpu_map__read(const void *data, size_t len, struct cpulist *cpus, bool *any, struct err *err)
{
	const char *rest = (const char *)data + sizeof(uint16_t);
	uint16_t type;

	*any = false;
	if (len < sizeof(type))
		return damaged(err, "is cut off");
	memcpy(&type, data, sizeof(type));
	len -= sizeof(type);
	switch (type) {
	case PERF_CPU_MAP__CPUS:
		return read_list(rest, len, cpus, any, err);
	case PERF_CPU_MAP__MASK:
		return read_mask(rest, len, cpus, err);
	case PERF_CPU_MAP__RANGE_CPUS:
		return read_range(rest, len, cpus, any, err);
	default:
		return err__set(err, EINVAL, "a list of CPUs has a form that is not known (%d)",
				type);
	}
}
