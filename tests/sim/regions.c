// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions of known mix, for regions.sh: regions COMMAND
 *
 * Each region is a phase of the machine's counting model, in which the thread runs for some time.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tma/topdown.h>

#define US 1000ULL
#define MS (1000 * US)
#define NR_PHASES 3

static int (*set_phase)(int phase);
static int (*run)(uint64_t ns);

static struct tma_topdown *open_handle(struct tma_regions *regions, unsigned int every,
				       unsigned int flags)
{
	struct tma_topdown_options options = {
		.size = sizeof(options),
		.flags = flags,
		.sample_every = every,
		.regions = regions,
		.max_error = 0.002,
	};
	struct tma_topdown_error error;
	struct tma_topdown *topdown = tma_topdown_open(&options, &error);

	if (topdown)
		return topdown;
	fprintf(stderr, "%s\n", error.text);
	exit(2);
}

static struct tma_region *region(struct tma_topdown *topdown, const char *name)
{
	struct tma_topdown_error error;
	struct tma_region *region = tma_topdown_region(topdown, name, &error);

	if (!region)
		fprintf(stderr, "%s\n", error.text);
	return region;
}

static void run_in(int phase, uint64_t ns)
{
	set_phase(phase);
	run(ns);
}

/* Three regions in turn, each in its own phase. */
static void measure_three(struct tma_topdown *topdown, int turns, uint64_t ns)
{
	static const char *const names[NR_PHASES] = { "first", "second", "third" };
	struct tma_region *regions[NR_PHASES];

	for (int i = 0; i < NR_PHASES; i++)
		regions[i] = region(topdown, names[i]);
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < NR_PHASES; i++) {
			tma_region_begin(regions[i]);
			run_in(i + 1, (i + 1) * ns);
			tma_region_end(regions[i]);
		}
}

static void three(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 1, 0);

	measure_three(topdown, 20, MS);
	tma_topdown_close(topdown);
}

static void system_calls(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 1, TMA_TOPDOWN_SYSCALL_ONLY);

	measure_three(topdown, 20, MS);
	tma_topdown_close(topdown);
}

static void sampled(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 100, 0);

	measure_three(topdown, 2000, 100 * US);
	tma_topdown_close(topdown);
}

/* 1 ms of phase 1 around 3 ms of phase 2. */
static void nested(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 1, 0);
	struct tma_region *outer = region(topdown, "outer"), *inner = region(topdown, "inner");

	for (int turn = 0; turn < 20; turn++) {
		tma_region_begin(outer);
		run_in(1, MS / 2);
		tma_region_begin(inner);
		run_in(2, 3 * MS);
		tma_region_end(inner);
		run_in(1, MS / 2);
		tma_region_end(outer);
	}
	tma_topdown_close(topdown);
}

static void *work(void *regions)
{
	struct tma_topdown *topdown = open_handle(regions, 1, 0);

	measure_three(topdown, 20, MS);
	tma_topdown_close(topdown);
	return NULL;
}

static void threads(void)
{
	struct tma_topdown_error error;
	struct tma_regions *regions = tma_regions_new(&error);
	pthread_t thread[8];

	for (int i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, work, regions);
	for (int i = 0; i < 8; i++)
		pthread_join(thread[i], NULL);
	tma_regions_free(regions);
}

static void killed(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 1, 0);

	measure_three(topdown, 20, MS);
	tma_region_begin(region(topdown, "never ended"));
	raise(SIGKILL);
}

static void many(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 1, 0);
	char name[32];

	for (int i = 0; i < 10; i++) {
		snprintf(name, sizeof(name), "region %d", i);
		tma_region_begin(region(topdown, name));
		run_in(1, MS);
		tma_region_end(region(topdown, name));
	}
	tma_topdown_close(topdown);
}

static void to_cpu(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
}

/* 5 ms on a P-core before, 10 ms on an E-core, and 5 ms on a P-core again. */
static void migrated(void)
{
	struct tma_topdown *topdown = open_handle(NULL, 1, TMA_TOPDOWN_ANY_CORE);
	struct tma_region *moving = region(topdown, "moving");

	to_cpu(0);
	run_in(3, 50 * MS);
	tma_region_begin(moving);
	run_in(1, 5 * MS);
	to_cpu(17);
	run_in(1, 10 * MS);
	to_cpu(2);
	run_in(1, 5 * MS);
	tma_region_end(moving);
	tma_topdown_close(topdown);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*act)(void);
	} commands[] = {
		{ "three", three },   { "system-calls", system_calls }, { "sampled", sampled },
		{ "nested", nested }, { "threads", threads },		{ "killed", killed },
		{ "many", many },     { "migrated", migrated },
	};

	set_phase = (int (*)(int))dlsym(RTLD_DEFAULT, "tma_sim_phase");
	run = (int (*)(uint64_t))dlsym(RTLD_DEFAULT, "tma_sim_run");
	if (!set_phase || !run) {
		fprintf(stderr, "not on a simulated machine\n");
		return 2;
	}
	/* Of a hybrid machine, the P-cores. */
	to_cpu(0);
	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name)) {
			commands[i].act();
			return 0;
		}
	fprintf(stderr, "no such command\n");
	return 2;
}
