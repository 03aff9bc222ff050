// SPDX-License-Identifier: GPL-2.0-only
/* Reading registers under the lock of the page. The tests make the pages and the counters. */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "unit.h"
#include "topdown_fixture.h"

#define SLOTS_INDEX ((1U << 30 | 3) + 1)
#define METRICS_INDEX ((1U << 29) + 1)

static struct perf_event_mmap_page pages[TOPDOWN_GROUP];
static struct tma_topdown topdown;
static uint64_t slots_register, metrics_register;
/* The thread moves after this many more reads of a counter; 0: never. */
static int moved_after;

/*
 * Take the thread off its CPU and put it on a CPU again, as the kernel does: the registers stay as
 * they are, and the offsets include their counts.
 */
static void move_thread(void)
{
	pages[0].lock += 4;
	pages[0].offset = (int64_t)slots_register;
	for (int i = 0; i < TMA_TOPDOWN_METRICS; i++) {
		pages[i + 1].lock += 4;
		pages[i + 1].offset =
			(int64_t)topdown__field_slots(slots_register, metrics_register, i);
	}
}

static uint64_t scripted_rdpmc(uint32_t counter)
{
	uint64_t value = counter == SLOTS_INDEX - 1   ? slots_register
			 : counter == METRICS_INDEX - 1 ? metrics_register
							: 0xbad;

	if (moved_after && !--moved_after)
		move_thread();
	return value;
}

static void start(void)
{
	memset(pages, 0, sizeof(pages));
	memset(&topdown, 0, sizeof(topdown));
	fixture_owner = thread__self();
	topdown.owner = &fixture_owner;
	topdown.nr_group = TOPDOWN_GROUP;
	topdown.page = &pages[0];
	topdown.units = two_levels;
	topdown.tsc = TOPDOWN_HAS_RDPMC;
	topdown.rdpmc = true;
	moved_after = 0;
	for (int i = 0; i < TOPDOWN_GROUP; i++) {
		topdown.group[i].page = &pages[i];
		pages[i].index = i ? METRICS_INDEX : SLOTS_INDEX;
		pages[i].lock = 2;
		pages[i].cap_user_rdpmc = 1;
		pages[i].pmc_width = 48;
	}
	slots_register = 255000;
	metrics_register = fields(51, 51, 51, 102, 17, 0, 51, 51);
}

START_TEST(registers_count_alone_and_offsets_while_there_are_none)
{
	struct tma_topdown_snapshot snapshot;

	start();
	pages[0].offset = 1000;
	pages[1].offset = 100;
	pages[8].offset = 800;
	topdown__take(&topdown, &snapshot, scripted_rdpmc);
	ck_assert_uint_eq(snapshot.slots, 255000);
	ck_assert_uint_eq(snapshot.metrics, metrics_register);
	ck_assert_uint_eq(snapshot.base_slots, 0);
	ck_assert_uint_eq(snapshot.base_metric[TMA_TOPDOWN_RETIRING], 0);
	ck_assert_uint_eq(snapshot.notes, 0);

	pages[0].lock += 2;
	pages[0].index = 0;
	topdown__take(&topdown, &snapshot, scripted_rdpmc);
	ck_assert_uint_eq(snapshot.slots, 0);
	ck_assert_uint_eq(snapshot.base_slots, 1000);
	ck_assert_uint_eq(snapshot.base_metric[TMA_TOPDOWN_RETIRING], 100);
	ck_assert_uint_eq(snapshot.base_metric[TMA_TOPDOWN_MEM_BOUND], 800);
}
END_TEST

START_TEST(bits_above_the_counter_do_not_count)
{
	struct tma_topdown_snapshot snapshot;

	start();
	slots_register = 0xffff000000000000 | 42;
	topdown__take(&topdown, &snapshot, scripted_rdpmc);
	ck_assert_uint_eq(snapshot.slots, 42);
}
END_TEST

/* Moves before the first counter, between both and after both: each time, both are read again. */
START_TEST(thread_moved_in_between_is_read_again)
{
	for (int at = 1; at <= 2; at++) {
		struct tma_topdown_snapshot from, to;
		struct tma_topdown_delta delta;

		start();
		topdown__take(&topdown, &from, scripted_rdpmc);
		moved_after = at;
		topdown__take(&topdown, &to, scripted_rdpmc);
		ck_assert_uint_eq(to.slots, 255000);
		ck_assert_uint_eq(to.metrics, metrics_register);
		ck_assert_uint_eq(to.base_slots, 0);
		topdown__delta(&topdown.units, &from, &to, &delta);
		ck_assert_uint_eq(delta.slots, 0);
		ck_assert_int_eq(delta.metric_slots[TMA_TOPDOWN_BE_BOUND], 0);
	}
}
END_TEST

START_TEST(fast_path_gives_up_when_the_thread_was_moved)
{
	struct tma_topdown_snapshot snapshot = { .slots = 7 };

	start();
	ck_assert_msg(!topdown__take_fast(&topdown, &snapshot, scripted_rdpmc), "no base yet");
	topdown__rebase(&topdown);
	if (!topdown.tsc)
		return;
	moved_after = 1;
	ck_assert(!topdown__take_fast(&topdown, &snapshot, scripted_rdpmc));
	ck_assert_uint_eq(snapshot.slots, 7);
	topdown__rebase(&topdown);
	slots_register += 99;
	ck_assert(topdown__take_fast(&topdown, &snapshot, scripted_rdpmc));
	ck_assert_uint_eq(snapshot.slots, 255099);
	ck_assert_uint_eq(snapshot.base_slots, 0);
}
END_TEST

/* On an E-core the event has no counter, so none may be read. */
START_TEST(nothing_is_read_where_the_event_has_no_counter)
{
	struct tma_topdown_snapshot from, to;
	struct tma_topdown_delta delta;

	start();
	topdown__take(&topdown, &from, scripted_rdpmc);
	move_thread();
	pages[0].index = 0;
	pages[0].time_enabled = 500;
	pages[0].time_running = 500;
	topdown__take(&topdown, &to, scripted_rdpmc);
	ck_assert_uint_eq(to.slots, 0);
	ck_assert_uint_eq(to.notes, TMA_TOPDOWN_NOT_COUNTED);
	topdown__delta(&topdown.units, &from, &to, &delta);
	ck_assert_uint_eq(delta.slots, 0);
	ck_assert(delta.notes & TMA_TOPDOWN_NOT_COUNTED);

	/* back again: the time without a counter is known by now */
	pages[0].lock += 2;
	pages[0].index = SLOTS_INDEX;
	pages[0].time_enabled = 800;
	slots_register += 1000;
	topdown__take(&topdown, &to, scripted_rdpmc);
	ck_assert_uint_eq(to.notes, 0);
	topdown__delta(&topdown.units, &from, &to, &delta);
	ck_assert_uint_eq(delta.slots, 1000);
	ck_assert_uint_eq(delta.missed_ns, 300);
	ck_assert(delta.notes & TMA_TOPDOWN_NOT_COUNTED);
}
END_TEST

START_TEST(another_thread_is_refused)
{
	struct tma_topdown_snapshot snapshot;

	start();
	fixture_owner++;
	ck_assert_int_eq(tma_topdown_snapshot(&topdown, &snapshot), -EXDEV);
	ck_assert_int_eq(tma_topdown_reset(&topdown), -EXDEV);
	/* the state that the child of a fork finds */
	fixture_owner = 0;
	ck_assert_int_eq(tma_topdown_snapshot(&topdown, &snapshot), -EXDEV);
}
END_TEST

/* Ordinary counters are signed: the kernel starts them at -2^47, and adds 2^47 to the offset. */
START_TEST(ordinary_counter_is_signed)
{
	struct tma_topdown_count count;

	start();
	pages[0].offset = 1LL << 47;
	slots_register = (1ULL << 47) + 12345;
	counter__value(&pages[0], scripted_rdpmc, &count);
	ck_assert_uint_eq(count.value, 12345);
	ck_assert_uint_eq(count.notes, 0);
	pages[0].offset = 777;
	pages[0].index = 0;
	counter__value(&pages[0], scripted_rdpmc, &count);
	ck_assert_uint_eq(count.value, 777);
	ck_assert_uint_eq(count.notes, TMA_TOPDOWN_NOT_COUNTED);
}
END_TEST

/* The instructions that a sanitizer or a debug build adds are not counted. */
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
#define OPTIMISED 0
#elif defined(__has_feature)
#define OPTIMISED !__has_feature(address_sanitizer)
#else
#define OPTIMISED 1
#endif

#ifdef __x86_64__
/* Stop for the tracer with one instruction, and without a system call. */
#define MARK() __asm__ __volatile__("int3")

/*
 * Emulate the instruction at the tracee's rip, if necessary: RDPMC traps on most machines, and gets
 * the next of @counters. Return: whether the instruction was a system call.
 */
static int help(pid_t child, struct user_regs_struct *regs)
{
	unsigned long code = (unsigned long)ptrace(PTRACE_PEEKTEXT, child, regs->rip, 0);
	static const uint64_t counters[] = { 255000, 0xff };
	static int turn;

	if ((code & 0xffff) == 0x330f) {
		uint64_t value = counters[turn++ % 2];

		regs->rax = value & 0xffffffff;
		regs->rdx = value >> 32;
		regs->rip += 2;
		ptrace(PTRACE_SETREGS, child, 0, regs);
	}
	return (code & 0xffff) == 0x050f;
}

/* Take a snapshot as programs do. The tracer steps through each instruction between two marks. */
START_TEST(fast_path_is_under_60_instructions_without_a_system_call)
{
	int instructions = 0, calls = 0, status;
	struct tma_topdown_snapshot snapshot;
	struct user_regs_struct regs;
	pid_t child;

	if (getenv("TEST_VALGRIND")) {
		puts("SKIP fast_path: valgrind's instructions would be counted");
		return;
	}
	start();
	topdown__rebase(&topdown);
	child = fork();
	if (!child) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		MARK();
		tma_topdown_snapshot(&topdown, &snapshot);
		MARK();
		_exit(snapshot.slots == 255000 && snapshot.metrics == 0xff ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(WIFSTOPPED(status) && WSTOPSIG(status) == SIGTRAP, "status %#x", status);
	for (;;) {
		unsigned long code;

		ck_assert_int_eq(ptrace(PTRACE_GETREGS, child, 0, &regs), 0);
		code = (unsigned long)ptrace(PTRACE_PEEKTEXT, child, regs.rip, 0);
		if ((code & 0xff) == 0xcc || instructions > 1000)
			break;
		instructions++;
		calls += help(child, &regs);
		/* help() has stepped over the instruction, which is then not run */
		if ((code & 0xffff) == 0x330f)
			continue;
		ptrace(PTRACE_SINGLESTEP, child, 0, 0);
		waitpid(child, &status, 0);
	}
	ptrace(PTRACE_CONT, child, 0, 0);
	waitpid(child, &status, 0);
	ptrace(PTRACE_CONT, child, 0, 0);
	waitpid(child, &status, 0);
	printf("fast path: %d instructions\n", instructions);
	ck_assert_int_eq(calls, 0);
	ck_assert_msg(WIFEXITED(status) && !WEXITSTATUS(status), "status %#x", status);
	ck_assert_int_gt(instructions, 10);
	if (OPTIMISED)
		ck_assert_int_lt(instructions, 60);
}
END_TEST
#else
START_TEST(fast_path_is_under_60_instructions_without_a_system_call)
{
	puts("SKIP fast_path: this is not x86-64");
}
END_TEST
#endif

TMA_TEST_MAIN(topdown_snapshot, registers_count_alone_and_offsets_while_there_are_none,
	      bits_above_the_counter_do_not_count, thread_moved_in_between_is_read_again,
	      fast_path_gives_up_when_the_thread_was_moved,
	      nothing_is_read_where_the_event_has_no_counter, another_thread_is_refused,
	      ordinary_counter_is_signed,
	      fast_path_is_under_60_instructions_without_a_system_call)
