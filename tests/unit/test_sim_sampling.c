// SPDX-License-Identifier: GPL-2.0-only
/* When events overflow, their retire latencies, and when a rate reaches its period. */
#include "sim/context.h"
#include "sim/task.h"
#include "sim_fixture.h"

#define US 1000ULL
#define MS 1000000ULL
#define S (1000 * MS)

static struct sim_machine m;
static struct sim_context ctx;
static struct sim_event events[4];
static int nr;

/* Keeps the records that would go into a ring buffer. */
static struct {
	struct sim_event *event;
	enum sim_output what;
	uint64_t at, period;
	int where;
} out[4096];
static int nr_out;

static void output(struct sim_event *event, enum sim_output what, uint64_t period)
{
	ck_assert_int_lt(nr_out, 4096);
	out[nr_out].event = event;
	out[nr_out].what = what;
	out[nr_out].at = event->ctx->now;
	out[nr_out].where = event->ctx->where;
	out[nr_out++].period = period;
}

static void begin(const char *text, struct sim_task *task)
{
	sim_must_load(text, &m);
	memset(events, 0, sizeof(events));
	nr = nr_out = 0;
	context__init(&ctx, &m, &m.pmus.at[0], task ? -1 : 0, task, 0);
	ctx.output = output;
}

static void end(void)
{
	for (int i = 0; i < nr; i++)
		vec__free(&events[i].siblings);
	context__free(&ctx);
	sim_machine__free(&m);
}

static struct sim_event *add(uint64_t config, uint64_t period, uint64_t freq, uint64_t per_tick)
{
	struct sim_event *event = &events[nr++];

	event->pmu = &m.pmus.at[0];
	event->config.word[0] = config;
	event->cpu = ctx.cpu;
	event->leader = event;
	event->state = SIM_EVENT_INACTIVE;
	event->attr.freq = freq > 0;
	event->attr.sample_period = freq ? freq : period;
	sampling__init(&event->sampling, &event->attr, per_tick);
	ck_assert_int_eq(counters__need(event->pmu, &event->config, &event->need), 0);
	rate__of_event(&m, event->pmu, &event->config, &event->rate);
	ck_assert_int_eq(context__add(&ctx, event), 0);
	return event;
}

START_TEST(a_rate_gets_there_in_the_phase_it_does)
{
	const struct sim_course course = {.round = &m.phases};
	struct sim_rate rate;
	sim_count_t one = (sim_count_t)1 << SIM_RATE_SHIFT;
	uint64_t until;

	sim_must_load(SIM_SMALL, &m);
	rate__of_event(&m, &m.pmus.at[0], &(struct sim_config){ { 0x3c } }, &rate);
	/* 2 G events in the first second, then half a second with 1 G per second. */
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, S, 1000 * one), 500);
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, S, 1001 * one), 501);
	ck_assert_uint_eq(rate__reach(&course, &rate, S - 10, 2 * S, 30 * one), S + 10);
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, 499, 1000 * one), UINT64_MAX);
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, 10 * S, 5000000000 * one), 3 * S);
	memset(&rate, 0, sizeof(rate));
	ck_assert_uint_eq(rate__reach(&course, &rate, 0, 10 * S, one), UINT64_MAX);
	ck_assert_int_eq(course__at(&course, S - 1, &until)->column, 0);
	ck_assert_int_eq(course__at(&course, S, &until)->column, 1);
	ck_assert_int_eq(course__at(&course, 3 * S / 2, &until)->column, 0);
	sim_machine__free(&m);
}
END_TEST

START_TEST(the_nth_event_overflows_when_it_happens)
{
	struct sim_event *event;

	begin(SIM_SMALL, NULL);
	event = add(0x3c, 100000000, 0, 400);
	context__advance(&ctx, 1500 * MS);
	/* 2.5 G events: first 20 samples every 50 ms, then 5 samples every 100 ms. */
	ck_assert_int_eq(nr_out, 25);
	for (int i = 0; i < nr_out; i++) {
		ck_assert_int_eq(out[i].what, SIM_OUTPUT_SAMPLE);
		ck_assert_uint_eq(out[i].period, 100000000);
		ck_assert_uint_eq(out[i].at, i < 20 ? (i + 1) * 50 * MS : S + (i - 19) * 100 * MS);
	}
	ck_assert_uint_eq(event__count(event), 2500000000);
	end();
}
END_TEST

START_TEST(samples_do_not_depend_on_how_often_one_looks)
{
	uint64_t at[200];
	int whole;

	begin(SIM_SMALL, NULL);
	add(0x3c, 10000019, 0, 400);
	add(0x11, 300, 0, 400);
	context__advance(&ctx, 200 * MS);
	whole = nr_out;
	ck_assert_int_gt(whole, 42);
	ck_assert_int_lt(whole, 200);
	for (int i = 0; i < whole; i++)
		at[i] = out[i].at;
	end();
	begin(SIM_SMALL, NULL);
	add(0x3c, 10000019, 0, 400);
	add(0x11, 300, 0, 400);
	for (uint64_t t = 0; t < 200 * MS; t += 777777)
		context__advance(&ctx, t);
	context__advance(&ctx, 200 * MS);
	ck_assert_int_eq(nr_out, whole);
	for (int i = 0; i < whole; i++) {
		ck_assert_uint_eq(out[i].at, at[i]);
		/* The events of a context are returned in the order of their times. */
		ck_assert(!i || out[i].at >= out[i - 1].at);
	}
	end();
}
END_TEST

START_TEST(a_frequency_is_met_and_follows_the_rate)
{
	uint64_t periods = 0;
	int fast = 0, slow = 0;
	struct sim_event *event;

	begin(SIM_SMALL, NULL);
	event = add(0x3c, 0, 1000, 400);
	context__advance(&ctx, 1500 * MS);
	for (int i = 0; i < nr_out; i++) {
		fast += out[i].at > 500 * MS && out[i].at <= S;
		slow += out[i].at > 1200 * MS;
		periods += out[i].period;
	}
	ck_assert_int_ge(fast, 495);
	ck_assert_int_le(fast, 505);
	ck_assert_int_ge(slow, 294);
	ck_assert_int_le(slow, 306);
	ck_assert_uint_gt(out[0].at, 0);
	ck_assert_uint_le(out[0].at, 2);
	ck_assert_uint_eq(out[0].period, 1);
	/*
	 * Samples represent all counts, except for those before the first samples and after the
	 * last one.
	 */
	ck_assert_uint_le(periods, event__count(event) + 10);
	ck_assert_uint_ge(periods, event__count(event) - 3000000);
	end();
}
END_TEST

START_TEST(too_many_samples_in_a_tick_are_throttled)
{
	struct sim_event *event, *other;

	begin(SIM_SMALL, NULL);
	event = add(0x3c, 10000, 0, 10);
	other = add(0xc0, 1000000000, 0, 10);
	context__advance(&ctx, 4 * MS - 1);
	/*
	 * There are 2 G events per second, so the tenth sample, which is the last, comes after 50
	 * us.
	 */
	ck_assert_int_eq(nr_out, 11);
	ck_assert_int_eq(out[9].what, SIM_OUTPUT_THROTTLE);
	ck_assert_int_eq(out[10].what, SIM_OUTPUT_SAMPLE);
	ck_assert_uint_eq(out[10].at, 50 * US);
	ck_assert_uint_eq(event__count(event), 100000);
	ck_assert_uint_eq(event->running_ns, 4 * MS - 1);
	context__advance(&ctx, 8 * MS);
	ck_assert_int_eq(out[11].what, SIM_OUTPUT_UNTHROTTLE);
	ck_assert_uint_eq(out[11].at, 4 * MS);
	ck_assert_uint_eq(event__count(event), 200000);
	/* The other counters go on counting. */
	ck_assert_uint_eq(event__count(other), 24000000);
	end();
}
END_TEST

START_TEST(only_time_on_a_counter_samples)
{
	struct sim_event *event;

	begin(SIM_SMALL, NULL);
	event = add(0x3c, 2000000, 0, 400);
	context__advance(&ctx, 10 * MS + 500 * US);
	ck_assert_int_eq(nr_out, 10);
	event__disable(event);
	context__advance(&ctx, 20 * MS);
	ck_assert_int_eq(nr_out, 10);
	event__enable(event);
	/* When it was disabled, half of a period had passed. */
	context__advance(&ctx, 20 * MS + 500 * US);
	ck_assert_int_eq(nr_out, 11);
	ck_assert_uint_eq(out[10].at, 20 * MS + 500 * US);
	end();
}
END_TEST

START_TEST(a_limit_of_samples_disables)
{
	struct sim_event *event;

	begin(SIM_SMALL, NULL);
	event = add(0x3c, 2000000, 0, 400);
	event->sampling.limit = 3;
	context__advance(&ctx, 10 * MS);
	ck_assert_int_eq(nr_out, 3);
	ck_assert_int_eq(event->state, SIM_EVENT_OFF);
	ck_assert_uint_eq(event__count(event), 6000000);
	end();
}
END_TEST

START_TEST(a_task_samples_on_the_cpu_it_is_on)
{
	struct sim_task task = { .tid = 1 };
	struct sim_event *second;

	begin(SIM_SMALL, &task);
	ck_assert_int_eq(vec__push(&m.stops, (struct sim_stop){ 0, 10 * MS }), 0);
	ck_assert_int_eq(vec__push(&m.stops, (struct sim_stop){ 1, 5 * MS }), 0);
	second = add(0x3c, 2000000, 0, 400);
	second->cpu = 1;
	context__advance(&ctx, 30 * MS);
	ck_assert_int_eq(nr_out, 10);
	for (int i = 0; i < nr_out; i++)
		ck_assert_int_eq(out[i].where, 1);
	ck_assert_uint_eq(out[0].at, 11 * MS);
	ck_assert_uint_eq(second->enabled_ns, 30 * MS);
	ck_assert_uint_eq(second->running_ns, 10 * MS);
	end();
}
END_TEST

START_TEST(a_tasks_time_is_spread_over_the_clocks)
{
	struct sim_task task = { .tid = 1 };

	begin(SIM_SMALL, &task);
	ctx.clock_ns = 100 * S;
	ctx.clock_span = 10 * MS;
	ctx.clock_to = 5 * MS;
	ctx.now = 2 * MS;
	ck_assert_uint_eq(context__clock(&ctx), 100 * S + 4 * MS);
	ctx.now = 5 * MS;
	ck_assert_uint_eq(context__clock(&ctx), 100 * S + 10 * MS);
	end();
}
END_TEST

START_TEST(latencies_are_spread_around_the_phases_mean)
{
	const struct sim_latency latency = { .cycles = { 100.5, 10, 70000 }, .spread = 0.5 };
	struct sim_sampling s = { .latency = &latency };
	unsigned int sum = 0, lo = UINT16_MAX, hi = 0;

	for (s.nr = 1; s.nr <= 8; s.nr++) {
		unsigned int cycles = sampling__latency(&s, 0);

		sum += cycles;
		lo = cycles < lo ? cycles : lo;
		hi = cycles > hi ? cycles : hi;
	}
	ck_assert_uint_eq(sum, 804);
	ck_assert_uint_eq(lo, 57);
	ck_assert_uint_eq(hi, 144);
	sum = 0;
	for (s.nr = 1; s.nr <= 2; s.nr++)
		sum += sampling__latency(&s, 1);
	ck_assert_uint_ge(sum, 19);
	ck_assert_uint_le(sum, 21);
	for (s.nr = 2; s.nr <= 100; s.nr += 2)
		ck_assert_uint_le(sampling__latency(&s, 2), UINT16_MAX);
	s.nr = 1;
	ck_assert_uint_eq(sampling__latency(&s, 2), UINT16_MAX);
	s.latency = NULL;
	ck_assert_uint_eq(sampling__latency(&s, 0), 0);
}
END_TEST

TMA_TEST_MAIN(sim_sampling, a_rate_gets_there_in_the_phase_it_does,
	      the_nth_event_overflows_when_it_happens, samples_do_not_depend_on_how_often_one_looks,
	      a_frequency_is_met_and_follows_the_rate, too_many_samples_in_a_tick_are_throttled,
	      only_time_on_a_counter_samples, a_limit_of_samples_disables,
	      a_task_samples_on_the_cpu_it_is_on, a_tasks_time_is_spread_over_the_clocks,
	      latencies_are_spread_around_the_phases_mean)
