// SPDX-License-Identifier: GPL-2.0-only
/*
 * Named regions in several threads, and their table at exit; "add" and "divide" are in "work".
 *
 *	cc regions.c $(pkg-config --cflags --libs libtma-topdown) -lpthread -o regions
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <tma/topdown.h>

#define THREADS 2
#define ROUNDS 100

static volatile unsigned int sink;

static void add(unsigned int n)
{
	for (unsigned int i = 0; i < n; i++)
		sink += i;
}

static void divide(unsigned int n)
{
	for (unsigned int i = 1; i < n; i++)
		sink = (sink + 1000000007u) / i;
}

/* Each thread measures itself; all of them count into one block. */
static struct tma_regions *block;

static void *work(void *unused)
{
	struct tma_topdown_options options = {
		.size = sizeof(options),
		.flags = TMA_TOPDOWN_SYSCALL_OK,
		.max_error = 0.02,
		.regions = block,
	};
	struct tma_region *all = NULL, *adding = NULL, *dividing = NULL;
	struct tma_topdown_error error, why;
	struct tma_topdown *topdown = tma_topdown_open(&options, &error);

	if (!topdown) {
		fprintf(stderr, "regions: not measured: %s\n", error.text);
	} else {
		if (!tma_topdown_uses_rdpmc(topdown, &why))
			fprintf(stderr, "regions: read by system call: %s\n", why.text);
		all = tma_topdown_region(topdown, "work", NULL);
		adding = tma_topdown_region(topdown, "add", NULL);
		dividing = tma_topdown_region(topdown, "divide", NULL);
	}

	/* Without a handle these are NULL, and nothing is done to them. */
	tma_region_begin(all);
	for (int i = 0; i < ROUNDS; i++) {
		tma_region_begin(adding);
		add(10000);
		tma_region_end(adding);
		tma_region_begin(dividing);
		divide(3000);
		tma_region_end(dividing);
	}
	tma_region_end(all);
	tma_topdown_close(topdown);
	return unused;
}

/* However the program ends, as long as it is by exit(). */
static void print_block(void)
{
	tma_regions_print(block, stdout);
}

int main(void)
{
	struct tma_topdown_error error;
	pthread_t threads[THREADS];

	block = tma_regions_new(&error);
	if (block)
		atexit(print_block);
	else
		fprintf(stderr, "regions: %s\n", error.text);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, work, NULL))
			return EXIT_FAILURE;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return EXIT_SUCCESS;
}
