// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads its own counters with the RDPMC instruction, for rdpmc.sh: rdpmc COMMAND [ARGUMENT ...]
 *
 * It shares nothing with the project: it follows perf_event_open(2), and Intel's manual for the
 * registers of TopDown.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS 0x400
#define RETIRING 0x8000
#define FIXED_SLOTS (1U << 30 | 3)
#define METRICS (1U << 29)
#define MAX_EVENTS 16
#define MS 1000000ULL

static int (*set_phase)(int phase);
static int (*run)(uint64_t ns);

struct event {
	uint64_t config;
	int fd;
	volatile struct perf_event_mmap_page *page;
};

struct group {
	struct event event[MAX_EVENTS];
	int nr;
};

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(2);
}

static uint64_t rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return low | (uint64_t)high << 32;
}

static void add(struct group *group, uint64_t config)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = config,
		.disabled = group->nr == 0,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	struct event *event = &group->event[group->nr];
	int leader = group->nr ? group->event[0].fd : -1;

	event->config = config;
	event->fd = syscall(SYS_perf_event_open, &attr, 0, -1, leader, 0);
	if (event->fd < 0)
		die("perf_event_open");
	group->nr++;
}

static void map(struct group *group)
{
	for (int i = 0; i < group->nr; i++) {
		struct event *event = &group->event[i];
		void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, event->fd, 0);

		if (page == MAP_FAILED)
			die("mmap");
		event->page = page;
	}
}

/* Open a group of this thread, which counts. */
static void open_group(struct group *group, const uint64_t *configs, int nr)
{
	group->nr = 0;
	for (int i = 0; i < nr; i++)
		add(group, configs[i]);
	map(group);
	ioctl(group->event[0].fd, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
}

static void open_topdown(struct group *group)
{
	static const uint64_t configs[] = { SLOTS, RETIRING };

	open_group(group, configs, 2);
}

/* In the metrics register, field 0 has the lowest bits. */
static unsigned int field(uint64_t metrics, int i)
{
	return metrics >> i * 8 & 0xff;
}

static int64_t extend(uint64_t value, int width)
{
	return (int64_t)(value << (64 - width)) >> (64 - width);
}

/* Return: the index in the page; 0 if the event has no counter: then *count is the offset. */
static uint32_t read_page(const struct event *event, uint64_t *count)
{
	volatile struct perf_event_mmap_page *page = event->page;
	uint32_t lock, index;

	do {
		lock = page->lock;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		index = page->index;
		*count = page->offset;
		if (index == METRICS + 1)
			*count += field(rdpmc(METRICS), event->config >> 8 & 0x7f) *
				  rdpmc(FIXED_SLOTS) / 0xff;
		else if (index)
			*count += extend(rdpmc(index - 1), page->pmc_width);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (page->lock != lock);
	return index;
}

/* counts CONFIG ...: print for a group "CONFIG INDEX COUNT", and as read() has it "CONFIG COUNT" */
static void counts(int argc, char **argv)
{
	uint64_t configs[MAX_EVENTS], count, by_read[3];
	struct group group;

	for (int i = 0; i < argc && i < MAX_EVENTS; i++)
		configs[i] = strtoull(argv[i], NULL, 16);
	open_group(&group, configs, argc);
	run(MS);
	for (int i = 0; i < group.nr; i++) {
		uint32_t index = read_page(&group.event[i], &count);

		printf("page %llx %x %llu\n", (unsigned long long)group.event[i].config, index,
		       (unsigned long long)count);
	}
	for (int i = 0; i < group.nr; i++) {
		if (read(group.event[i].fd, by_read, sizeof(by_read)) != sizeof(by_read))
			die("read");
		printf("read %llx %llu\n", (unsigned long long)group.event[i].config,
		       (unsigned long long)by_read[0]);
	}
}

static void print_mix(int name, uint64_t slots, uint64_t metrics)
{
	printf("%d %llu", name, (unsigned long long)slots);
	for (int i = 0; i < 8; i++)
		printf(" %u", field(metrics, i));
	printf("\n");
}

/* mix PHASE ...: print slots and the fields of the metrics register in each phase */
static void mix(int argc, char **argv)
{
	struct group group;

	open_topdown(&group);
	for (int i = 0; i < argc; i++) {
		if (set_phase(atoi(argv[i])))
			die("tma_sim_phase");
		ioctl(group.event[0].fd, PERF_EVENT_IOC_RESET, PERF_IOC_FLAG_GROUP);
		run(MS);
		print_mix(atoi(argv[i]), rdpmc(FIXED_SLOTS), rdpmc(METRICS));
	}
}

struct worker {
	pthread_t thread;
	int phase;
	uint64_t slots, metrics;
};

static void *work(void *arg)
{
	struct worker *worker = arg;
	struct group group;

	set_phase(worker->phase);
	open_topdown(&group);
	for (int i = 0; i < 100; i++) {
		run(worker->phase * 10000);
		worker->slots = rdpmc(FIXED_SLOTS);
		worker->metrics = rdpmc(METRICS);
	}
	return NULL;
}

/* threads N PHASES: N threads count, each in its own phase and for its own number of ms */
static void threads(int argc, char **argv)
{
	int nr = argc > 0 ? atoi(argv[0]) : 0, phases = argc > 1 ? atoi(argv[1]) : 1;
	struct worker *workers = calloc(nr, sizeof(*workers));

	for (int i = 0; i < nr; i++) {
		workers[i].phase = i % phases + 1;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			die("pthread_create");
	}
	for (int i = 0; i < nr; i++) {
		pthread_join(workers[i].thread, NULL);
		print_mix(workers[i].phase, workers[i].slots, workers[i].metrics);
	}
	free(workers);
}

static void print_place(const struct event *slots)
{
	uint64_t count;
	uint32_t index = read_page(slots, &count);

	printf("%d %x %llu %llu\n", sched_getcpu(), index,
	       (unsigned long long)slots->page->time_enabled,
	       (unsigned long long)slots->page->time_running);
}

/*
 * move CPU ...: print where the thread is, and its slots, after 1 ms on each CPU; "path": after 5
 * ms on the machine's own path
 */
static void move(int argc, char **argv)
{
	struct group group;
	cpu_set_t cpus;

	open_topdown(&group);
	print_place(&group.event[0]);
	for (int i = 0; i < argc; i++) {
		CPU_ZERO(&cpus);
		CPU_SET(atoi(argv[i]), &cpus);
		if (strcmp(argv[i], "path") && sched_setaffinity(0, sizeof(cpus), &cpus))
			die("sched_setaffinity");
		run(strcmp(argv[i], "path") ? MS : 5 * MS);
		print_place(&group.event[0]);
	}
}

/* unmapped [COUNTER]: print what the instruction does if no event is mapped */
static void unmapped(int argc, char **argv)
{
	printf("%llx\n", (unsigned long long)rdpmc(argc ? strtoul(argv[0], NULL, 16) : 0));
}

/* raw COUNTER ...: print these counters, while an event is mapped */
static void raw(int argc, char **argv)
{
	static const uint64_t cycles = 0x3c;
	struct group group;

	open_group(&group, &cycles, 1);
	printf("rdpmc %d\n", (int)group.event[0].page->cap_user_rdpmc);
	for (int i = 0; i < argc; i++)
		printf("%llx\n", (unsigned long long)rdpmc(strtoul(argv[i], NULL, 16)));
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	char text[] = "fault at 0\n";

	(void)context;
	if (signal == SIGSEGV && info->si_addr == NULL && write(1, text, sizeof(text) - 1) > 0)
		_exit(3);
	_exit(4);
}

/*
 * fault before|after|never: set the program's handler of faults before the mapping, after it, or
 * never
 */
static void fault(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO }, old;
	const char *when = argc ? argv[0] : "";
	struct group group;

	if (!strcmp(when, "before"))
		sigaction(SIGSEGV, &action, NULL);
	open_topdown(&group);
	if (!strcmp(when, "after"))
		sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGSEGV, NULL, &old);
	printf("%s %d\n", old.sa_handler == SIG_DFL ? "default" : "own", rdpmc(METRICS) == 0);
	fflush(stdout);
	*(volatile int *)NULL = 0;
}

/* blocked: read counters while all signals are blocked */
static void blocked(int argc, char **argv)
{
	struct group group;
	sigset_t all;

	(void)argc;
	(void)argv;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	open_topdown(&group);
	run(MS);
	printf("%d\n", rdpmc(FIXED_SLOTS) > 0);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*act)(int argc, char **argv);
	} commands[] = {
		{ "counts", counts },	  { "mix", mix }, { "threads", threads }, { "move", move },
		{ "unmapped", unmapped }, { "raw", raw }, { "fault", fault },	  { "blocked", blocked },
	};

	set_phase = (int (*)(int))dlsym(RTLD_DEFAULT, "tma_sim_phase");
	run = (int (*)(uint64_t))dlsym(RTLD_DEFAULT, "tma_sim_run");
	if (!set_phase || !run) {
		fprintf(stderr, "not on a simulated machine\n");
		return 2;
	}
	for (size_t i = 0; argc > 1 && i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[1], commands[i].name)) {
			commands[i].act(argc - 2, argv + 2);
			return 0;
		}
	fprintf(stderr, "no such command\n");
	return 2;
}
