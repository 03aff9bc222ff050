// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code of known mixes, measured by libtma-topdown, for topdown-regions.sh: topdown_regions COMMAND
 *
 * Each region is a phase of the machine's counting model. What it is made of is known from a handle
 * that reads by system call, over a time a thousand times as long.
 */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tma/topdown.h>

#define US 1000ULL
#define PHASES 3
#define THREADS 8

static int (*set_phase)(int phase);
static int (*run)(uint64_t ns);

static _Noreturn void die(const char *what, const char *why)
{
	fprintf(stderr, "%s: %s\n", what, why);
	exit(2);
}

/* Of alderlake, 0 to 15 are P-cores' and 16 is an E-core. */
static void bind_to(size_t cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity", strerror(errno));
}

static void run_phase(int phase, uint64_t ns)
{
	if (set_phase(phase) || run(ns))
		die("phase", strerror(errno));
}

static struct tma_topdown *open_with(struct tma_topdown_options options)
{
	struct tma_topdown_error error;
	struct tma_topdown *topdown;

	options.size = sizeof(options);
	topdown = tma_topdown_open(&options, &error);
	if (!topdown)
		die(tma_topdown_reason_name(error.reason), error.text);
	return topdown;
}

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

/* What each phase is, by system call. */
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
		run(100000 * US);
		tma_topdown_snapshot(topdown, &to);
		tma_topdown_delta(topdown, &from, &to, &delta);
		snprintf(name, sizeof(name), "phase%d", phase);
		print_row(name, &delta);
	}
	tma_topdown_close(topdown);
}

/* Three regions, of 100 us each, again and again, in a fourth. */
static void measure_phases(struct tma_topdown *topdown, int rounds)
{
	struct tma_region *region[PHASES], *all = tma_topdown_region(topdown, "all", NULL);

	for (int i = 0; i < PHASES; i++) {
		char name[16];

		snprintf(name, sizeof(name), "phase%d", i + 1);
		region[i] = tma_topdown_region(topdown, name, NULL);
	}
	tma_region_begin(all);
	for (int round = 0; round < rounds; round++)
		for (int i = 0; i < PHASES; i++) {
			tma_region_begin(region[i]);
			run_phase(i + 1, 100 * US);
			tma_region_end(region[i]);
		}
	tma_region_end(all);
}

static void nested(void)
{
	struct tma_topdown *topdown =
		open_with((struct tma_topdown_options){ .max_error = 0.005 });

	measure_phases(topdown, 50);
	print_block(tma_topdown_regions(topdown));
	tma_topdown_close(topdown);
}

static void sampled(void)
{
	struct tma_topdown *topdown = open_with((struct tma_topdown_options){ .max_error = 0.01 });
	struct tma_region *region = tma_topdown_region(topdown, "phase2", NULL);

	tma_region_sample(region, 100);
	for (int i = 0; i < 1000; i++) {
		run_phase(1, 20 * US);
		set_phase(2);
		tma_region_begin(region);
		run(20 * US);
		tma_region_end(region);
	}
	print_block(tma_topdown_regions(topdown));
	tma_topdown_close(topdown);
}

struct worker {
	pthread_t thread;
	struct tma_regions *block;
	size_t cpu;
	int phase;
	char name[16];
};

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct tma_topdown *topdown;
	struct tma_region *region;

	bind_to(worker->cpu);
	topdown = open_with((struct tma_topdown_options){ .regions = worker->block });
	region = tma_topdown_region(topdown, worker->name, NULL);
	for (int i = 0; i < 20; i++) {
		set_phase(worker->phase);
		tma_region_begin(region);
		run(500 * US);
		tma_region_end(region);
	}
	tma_topdown_close(topdown);
	return NULL;
}

static void threads(void)
{
	struct tma_regions *block = tma_regions_new(NULL);
	struct worker workers[THREADS];

	for (int i = 0; i < THREADS; i++) {
		workers[i].block = block;
		workers[i].cpu = (size_t)i;
		workers[i].phase = i % PHASES + 1;
		snprintf(workers[i].name, sizeof(workers[i].name), "phase%d", workers[i].phase);
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			die("pthread_create", strerror(errno));
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	print_block(block);
	tma_regions_free(block);
}

/* From a P-core to an E-core and back, inside of one region and not of the other. */
static void moved(void)
{
	struct tma_region *stays, *moves;
	struct tma_topdown *topdown;

	topdown = open_with((struct tma_topdown_options){ 0 });
	stays = tma_topdown_region(topdown, "phase1", NULL);
	moves = tma_topdown_region(topdown, "moved", NULL);
	tma_region_begin(stays);
	run_phase(1, 1000 * US);
	tma_region_end(stays);
	tma_region_begin(moves);
	run_phase(1, 1000 * US);
	bind_to(16);
	run_phase(1, 1000 * US);
	bind_to(2);
	run_phase(1, 1000 * US);
	tma_region_end(moves);
	print_block(tma_topdown_regions(topdown));
	tma_topdown_close(topdown);
}

/* Old snapshots stay good over a reset; the kernel's own count of instructions agrees with ours. */
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
	run(1000 * US);
	tma_topdown_reset(topdown);
	run(1000 * US);
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
	void (*run)(void);
} commands[] = {
	{ "truth", truth },   { "nested", nested }, { "sampled", sampled },
	{ "threads", threads }, { "moved", moved },   { "reset", reset },
};

int main(int argc, char **argv)
{
	*(void **)&set_phase = dlsym(RTLD_DEFAULT, "tma_sim_phase");
	*(void **)&run = dlsym(RTLD_DEFAULT, "tma_sim_run");
	if (!set_phase || !run)
		die("dlsym", "not on a simulated machine");
	bind_to(0);
	for (size_t i = 0; argc == 2 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name)) {
			commands[i].run();
			return 0;
		}
	die("usage", "topdown_regions truth|nested|sampled|threads|moved|reset");
}
