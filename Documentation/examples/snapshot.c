// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the pipeline slots of a piece of code went: two snapshots and their difference.
 *
 *	cc snapshot.c $(pkg-config --cflags --libs libtma-topdown) -o snapshot
 */
#include <stdio.h>
#include <stdlib.h>
#include <tma/topdown.h>

/* It is measured: a walk through memory that a core's own caches do not hold. */
static unsigned int walk(const unsigned int *next, unsigned int steps)
{
	unsigned int at = 0;

	while (steps--)
		at = next[at];
	return at;
}

static void print_shares(const struct tma_topdown_delta *delta)
{
	double shares[TMA_TOPDOWN_SHARES];

	tma_topdown_shares(delta, shares);
	printf("%llu slots in %llu us\n", (unsigned long long)delta->slots,
	       (unsigned long long)delta->time_ns / 1000);
	for (int i = 0; i < TMA_TOPDOWN_SHARES; i++)
		/* Not a number where the CPU has no second level. */
		if (shares[i] >= 0)
			printf("%5.1f %%  %s\n", 100 * shares[i], tma_topdown_share_name(i));
	if (delta->notes & TMA_TOPDOWN_IMPRECISE)
		printf("Each may be off by %.0f %% of the slots: measure more at once.\n",
		       100 * delta->error);
	if (delta->notes & TMA_TOPDOWN_NOT_COUNTED)
		printf("%llu us of it were not counted.\n",
		       (unsigned long long)delta->missed_ns / 1000);
}

int main(void)
{
	const unsigned int size = 1 << 22, stride = 7919 * 16 + 1;
	unsigned int *next = malloc(size * sizeof(*next)), end;
	struct tma_topdown_snapshot from, to;
	struct tma_topdown_delta delta;
	struct tma_topdown_error error;
	struct tma_topdown *topdown;

	if (!next)
		return EXIT_FAILURE;
	for (unsigned int i = 0; i < size; i++)
		next[i] = (i + stride) % size;

	topdown = tma_topdown_open(NULL, &error);
	if (!topdown) {
		/* A program does not fail because it cannot be measured. */
		printf("Not measured (%s, errno %d): %s\n", tma_topdown_reason_name(error.reason),
		       error.code, error.text);
		end = walk(next, size);
	} else {
		tma_topdown_snapshot(topdown, &from);
		end = walk(next, size);
		tma_topdown_snapshot(topdown, &to);
		tma_topdown_delta(topdown, &from, &to, &delta);
		print_shares(&delta);
	}
	printf("The walk ended at %u.\n", end);
	tma_topdown_close(topdown);
	free(next);
	return EXIT_SUCCESS;
}
