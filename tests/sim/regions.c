// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions of known mix, measured by libtma-topdown, for regions.sh and topdown-regions.sh: regions
 * COMMAND
 *
 * Region phaseN is phase N of the machine's counting model, in which the thread runs for some time.
 * It prints the measurement: each row has a name, slots, notes, and shares in %.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tma/topdown.h>

#define US 1000ULL
#define MS (1000 * US)
#define PHASES 3
#define THREADS 8
/* Each machine has at least this many P-cores. */
#define CORES 4
/* The number of P-cores of alderlake. */
#define E_CORE 17

static int (*set_phase)(int phase);
static int (*run)(uint64_t ns);

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(2);
}

static void bind_to(size_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity", strerror(errno));
}

static void run_in(int phase, uint64_t ns)
{
	if (set_phase(phase) || run(ns))
		die("phase", strerror(errno));
}

static struct tma_topdown *open_with(struct tma_topdown_options options)
{
	struct tma_topdown_error error;
	struct tma_topdown *topdown;

	options.size = sizeof(options);
	if (!options.max_error)
		options.max_error = 0.002;
	topdown = tma_topdown_open(&options, &error);
	if (!topdown)
		die(tma_topdown_reason_name(error.reason), error.text);
	return topdown;
}

/* Return: NULL if there is no room; beginning and ending it has no effect. */
static struct tma_region *region(struct tma_topdown *topdown, const char *name)
{
	struct tma_topdown_error error;
	struct tma_region *region = tma_topdown_region(topdown, name, &error);

	if (!region)
		fprintf(stderr, "%s\n", error.text);
	return region;
}

/* --- Measurements ---------------------------------------------------------------------------- */

static void print_row(const char *name, const struct tma_topdown_delta *delta)
{
	double shares[TMA_TOPDOWN_SHARES];

	tma_topdown_shares(delta, shares);
	printf("%s %llu %u", name, (unsigned long long)delta->slots, delta->notes);
	for (int i = 0; i < TMA_TOPDOWN_SHARES; i++)
		printf(" %.3f", 100 * shares[i]);
	printf("\n");
}

static void print_block(const struct tma_regions *block)
{
	struct tma_region_totals totals;
	unsigned int cursor = 0;
	char name[TMA_REGION_NAME + 8];

	while (tma_regions_next(block, &cursor, &totals)) {
		print_row(totals.name, &totals.total);
		snprintf(name, sizeof(name), "%s/own", totals.name);
		print_row(name, &totals.own);
		printf("%s/count %llu %llu\n", totals.name, (unsigned long long)totals.count,
		       (unsigned long long)totals.measured);
	}
}

static void print_and_close(struct tma_topdown *topdown)
{
	print_block(tma_topdown_regions(topdown));
	tma_topdown_close(topdown);
}

/* --- Commands -------------------------------------------------------------------------------- */

/* Measure each phase by system call, for a thousand times as long as the shortest region. */
static void truth(void)
{
	struct tma_topdown *topdown = open_with(
		(struct tma_topdown_options){ .flags = TMA_TOPDOWN_SYSCALL_ONLY });

	for (int phase = 1; phase <= PHASES; phase++) {
		struct tma_topdown_snapshot from, to;
		struct tma_topdown_delta delta;
		char name[16];

		set_phase(phase);
		tma_topdown_snapshot(topdown, &from);
		run(100 * MS);
		tma_topdown_snapshot(topdown, &to);
		tma_topdown_delta(topdown, &from, &to, &delta);
		snprintf(name, sizeof(name), "phase%d", phase);
		print_row(name, &delta);
	}
	tma_topdown_close(topdown);
}

/* A region for each phase in turn; the region of phase N takes N * @ns. */
static void measure_phases(struct tma_topdown *topdown, int turns, uint64_t ns)
{
	struct tma_region *regions[PHASES];
	char name[16];

	for (int i = 0; i < PHASES; i++) {
		snprintf(name, sizeof(name), "phase%d", i + 1);
		regions[i] = region(topdown, name);
	}
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < PHASES; i++) {
			tma_region_begin(regions[i]);
			run_in(i + 1, (uint64_t)(i + 1) * ns);
			tma_region_end(regions[i]);
		}
}

static void three(void)
{
	struct tma_topdown *topdown = open_with((struct tma_topdown_options){ 0 });

	measure_phases(topdown, 20, MS);
	print_and_close(topdown);
}

static void system_calls(void)
{
	struct tma_topdown *topdown = open_with(
		(struct tma_topdown_options){ .flags = TMA_TOPDOWN_SYSCALL_ONLY });

	measure_phases(topdown, 20, MS);
	print_and_close(topdown);
}

static void sampled(void)
{
	struct tma_topdown *topdown =
		open_with((struct tma_topdown_options){ .sample_every = 100 });

	measure_phases(topdown, 2000, 100 * US);
	print_and_close(topdown);
}

/* Short regions, in a fourth phase. */
static void inside(void)
{
	struct tma_topdown *topdown =
		open_with((struct tma_topdown_options){ .max_error = 0.005 });
	struct tma_region *all = region(topdown, "all");

	tma_region_begin(all);
	measure_phases(topdown, 50, 100 * US);
	tma_region_end(all);
	print_and_close(topdown);
}

/* A region with 1 ms of phase 1, and 3 ms of phase 2 in a region inside it. */
static void nested(void)
{
	struct tma_topdown *topdown = open_with((struct tma_topdown_options){ 0 });
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
	print_and_close(topdown);
}

struct worker {
	pthread_t thread;
	struct tma_regions *block;
	size_t cpu;
};

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct tma_topdown *topdown;

	bind_to(worker->cpu);
	topdown = open_with((struct tma_topdown_options){ .regions = worker->block });
	measure_phases(topdown, 20, MS);
	tma_topdown_close(topdown);
	return NULL;
}

static void threads(void)
{
	struct tma_regions *block = tma_regions_new(NULL);
	struct worker workers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .block = block, .cpu = (size_t)(i % CORES) };
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			die("pthread_create", strerror(errno));
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	print_block(block);
	tma_regions_free(block);
}

static void killed(void)
{
	struct tma_topdown *topdown = open_with((struct tma_topdown_options){ 0 });

	measure_phases(topdown, 20, MS);
	tma_region_begin(region(topdown, "never ended"));
	raise(SIGKILL);
}

static void many(void)
{
	struct tma_topdown *topdown = open_with((struct tma_topdown_options){ 0 });
	char name[32];

	for (int i = 0; i < 10; i++) {
		struct tma_region *one;

		snprintf(name, sizeof(name), "region %d", i);
		one = region(topdown, name);
		tma_region_begin(one);
		run_in(1, MS);
		tma_region_end(one);
	}
	print_and_close(topdown);
}

/*
 * A region of 50 ms that stays on a P-core; and a region with 5 ms on a P-core, 10 ms on an E-core,
 * and 5 ms on a P-core again.
 */
static void migrated(void)
{
	struct tma_topdown *topdown =
		open_with((struct tma_topdown_options){ .flags = TMA_TOPDOWN_ANY_CORE });
	struct tma_region *stays = region(topdown, "phase3"), *moving = region(topdown, "moving");

	tma_region_begin(stays);
	run_in(3, 50 * MS);
	tma_region_end(stays);
	tma_region_begin(moving);
	run_in(1, 5 * MS);
	bind_to(E_CORE);
	run_in(1, 10 * MS);
	bind_to(2);
	run_in(1, 5 * MS);
	tma_region_end(moving);
	print_and_close(topdown);
}

/*
 * A handle that may read by system call: it prints how it reads, and counts a region in both cases.
 */
static void either(void)
{
	struct tma_topdown_error why;
	struct tma_topdown *topdown =
		open_with((struct tma_topdown_options){.flags = TMA_TOPDOWN_SYSCALL_OK});
	struct tma_region *phase = region(topdown, "phase1");

	if (tma_topdown_uses_rdpmc(topdown, &why))
		puts("rdpmc");
	else
		printf("%s: %s\n", tma_topdown_reason_name(why.reason), why.text);
	tma_region_begin(phase);
	run_in(1, 20 * MS);
	tma_region_end(phase);
	print_and_close(topdown);
}

/*
 * Old snapshots stay valid after a reset. The kernel's count of instructions agrees with the
 * library's.
 */
static void reset(void)
{
	struct tma_topdown *topdown = open_with((struct tma_topdown_options){ 0 });
	struct tma_topdown_snapshot from, to;
	struct tma_topdown_count before, after;
	struct tma_topdown_delta delta;
	int event = tma_topdown_add_event(topdown, "instructions", NULL);

	set_phase(1);
	tma_topdown_snapshot(topdown, &from);
	tma_topdown_read_event(topdown, event, &before);
	run(MS);
	tma_topdown_reset(topdown);
	run(MS);
	tma_topdown_read_event(topdown, event, &after);
	tma_topdown_snapshot(topdown, &to);
	tma_topdown_delta(topdown, &from, &to, &delta);
	print_row("phase1", &delta);
	printf("register %llu\n", (unsigned long long)to.slots);
	printf("instructions %llu\n", (unsigned long long)(after.value - before.value));
	printf("notes %u\n", after.notes);
	tma_topdown_close(topdown);
}

static const struct {
	const char *name;
	void (*act)(void);
} commands[] = {
	{"truth", truth},	{"three", three},   {"system-calls", system_calls},
	{"sampled", sampled},	{"inside", inside}, {"nested", nested},
	{"threads", threads},	{"killed", killed}, {"many", many},
	{"migrated", migrated}, {"reset", reset},   {"either", either},
};

int main(int argc, char **argv)
{
	*(void **)&set_phase = dlsym(RTLD_DEFAULT, "tma_sim_phase");
	*(void **)&run = dlsym(RTLD_DEFAULT, "tma_sim_run");
	if (!set_phase || !run)
		die("dlsym", "not on a simulated machine");
	/* On a hybrid machine, these are events of P-cores. */
	bind_to(0);
	for (size_t i = 0; argc == 2 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name)) {
			commands[i].act();
			return 0;
		}
	die("regions", "no such command");
}
