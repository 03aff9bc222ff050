// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/cpulist.h"
#include "base/err.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/vec.h"

#define BLANKS " \t\n\v\f\r"

/* Find the index of the first CPU that is not below @cpu. */
static int lower_bound(const struct cpulist *list, int cpu)
{
	int low = 0, high = list->nr;

	while (low < high) {
		int mid = low + (high - low) / 2;

		if (list->at[mid] < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int cpulist__add(struct cpulist *list, int cpu)
{
	bool last = list->nr && list->at[list->nr - 1] < cpu;
	int place = last ? list->nr : lower_bound(list, cpu), rc;

	if (place < list->nr && list->at[place] == cpu)
		return 0;
	rc = vec__push(list, cpu);
	if (rc)
		return rc;
	memmove(list->at + place + 1, list->at + place, (list->nr - 1 - place) * sizeof(int));
	list->at[place] = cpu;
	return 0;
}

static int parse_cpu(const char *what, const char *list, const char **p, int *cpu, struct err *err)
{
	uint64_t n;
	int len;

	if (!isdigit((unsigned char)**p))
		return err__set(err, EINVAL,
				"%s: '%s' is not a list of CPUs (such as 0-3,8): a number is missing",
				what, list);
	len = num__scan_u64(*p, 10, &n);
	if (!len || n > CPULIST_MAX_CPU)
		return err__set(err, ERANGE, "%s: '%s' names a CPU above %d", what, list,
				CPULIST_MAX_CPU);
	*p += len;
	*cpu = n;
	return 0;
}

static int parse_range(const char *what, const char *text, const char **p, struct cpulist *list,
		       struct err *err)
{
	int first, last, rc;

	rc = parse_cpu(what, text, p, &first, err);
	if (rc)
		return rc;
	last = first;
	if (**p == '-') {
		(*p)++;
		rc = parse_cpu(what, text, p, &last, err);
		if (rc)
			return rc;
	}
	if (last < first)
		return err__set(err, EINVAL, "%s: '%s': the range %d-%d runs backwards", what, text,
				first, last);
	for (int cpu = first; cpu <= last; cpu++)
		if (cpulist__add(list, cpu))
			return err__set(err, ENOMEM, "%s: out of memory", what);
	return 0;
}

static int parse_ranges(const char *what, const char *text, struct cpulist *list, struct err *err)
{
	const char *p = text + strspn(text, BLANKS);
	int rc;

	while (*p && !isspace((unsigned char)*p)) {
		rc = parse_range(what, text, &p, list, err);
		if (rc)
			return rc;
		if (*p == ',') {
			p++;
			if (!*p || isspace((unsigned char)*p))
				return err__set(err, EINVAL, "%s: '%s' ends in a comma", what,
						text);
		} else if (*p && !isspace((unsigned char)*p)) {
			return err__set(err, EINVAL,
					"%s: '%s' is not a list of CPUs (such as 0-3,8): '%c' is not expected",
					what, text, *p);
		}
	}
	if (p[strspn(p, BLANKS)])
		return err__set(err, EINVAL, "%s: '%s' has a blank inside", what, text);
	return 0;
}

int cpulist__parse(const char *what, const char *text, struct cpulist *list, struct err *err)
{
	struct cpulist got = CPULIST_INIT;
	int rc = parse_ranges(what, text, &got, err);

	if (rc)
		cpulist__free(&got);
	else
		*list = got;
	return rc;
}

int cpulist__index(const struct cpulist *list, int cpu)
{
	int place = list->nr ? cpu - list->at[0] : 0;

	/* Most lists have no gaps, so the index is the distance from the first CPU. */
	if (place >= 0 && place < list->nr && list->at[place] == cpu)
		return place;
	place = lower_bound(list, cpu);
	return place < list->nr && list->at[place] == cpu ? place : -1;
}

bool cpulist__has(const struct cpulist *list, int cpu)
{
	return cpulist__index(list, cpu) >= 0;
}

int cpulist__and(const struct cpulist *a, const struct cpulist *b, struct cpulist *out)
{
	const int *cpu;

	cpulist__for_each(cpu, a)
		if (cpulist__has(b, *cpu) && vec__push(out, *cpu)) {
			cpulist__free(out);
			return -ENOMEM;
		}
	return 0;
}

int cpulist__or(const struct cpulist *a, const struct cpulist *b, struct cpulist *out)
{
	const int *cpu;
	int rc = cpulist__copy(a, out);

	cpulist__for_each(cpu, b)
		if (!rc && (rc = cpulist__add(out, *cpu)))
			cpulist__free(out);
	return rc;
}

int cpulist__copy(const struct cpulist *from, struct cpulist *out)
{
	int rc = vec__reserve_raw(&out->at, &out->cap, out->nr + from->nr, sizeof(*out->at));

	if (rc) {
		cpulist__free(out);
		return rc;
	}
	if (from->nr)
		memcpy(out->at + out->nr, from->at, from->nr * sizeof(*from->at));
	out->nr += from->nr;
	return 0;
}

int cpulist__compare(const struct cpulist *a, const struct cpulist *b)
{
	if (a->nr != b->nr || !a->nr)
		return a->nr - b->nr;
	return memcmp(a->at, b->at, a->nr * sizeof(int));
}

bool cpulist__equal(const struct cpulist *a, const struct cpulist *b)
{
	return !cpulist__compare(a, b);
}

bool cpulist__subset(const struct cpulist *a, const struct cpulist *b)
{
	const int *cpu;

	cpulist__for_each(cpu, a)
		if (!cpulist__has(b, *cpu))
			return false;
	return true;
}

void cpulist__print(const struct cpulist *list, struct sb *sb)
{
	for (int i = 0; i < list->nr; i++) {
		int last = i;

		while (last + 1 < list->nr && list->at[last + 1] == list->at[last] + 1)
			last++;
		sb__printf(sb, "%s%d", i ? "," : "", list->at[i]);
		if (last > i)
			sb__printf(sb, "-%d", list->at[last]);
		i = last;
	}
}

void cpulist__free(struct cpulist *list)
{
	vec__free(list);
}
