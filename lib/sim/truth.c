// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/sb.h"
#include "sim/context.h"
#include "sim/raw.h"
#include "sim/truth.h"

/* The true counts of closed events with the same config, CPU and place. */
struct truth_line {
	const struct sim_pmu *pmu;
	struct sim_config config;
	uint32_t type;
	int cpu;
	struct sim_true sum;
};

static struct {
	const struct sim_machine *m;
	int fd;
	long pid;
	bool no_memory;
	VEC(struct truth_line) lines;
} truth = {.fd = -1};

int truth__begin(const char *path, struct err *err)
{
	/* With O_NONBLOCK, open() does not wait for a reader of a pipe. */
	const int how = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK;
	long fd = RAW(SYS_openat, AT_FDCWD, path, how, 0666);

	if (raw_failed(fd))
		return err__set(err, -fd, "TMA_SIM_TRUTH: cannot write '%s': %s", path,
				strerror(-fd));
	truth.fd = fd;
	truth.pid = RAW(SYS_getpid, 0, 0, 0, 0);
	return 0;
}

bool truth__is_wanted(void)
{
	return truth.fd >= 0;
}

bool truth__is_own(void)
{
	return truth__is_wanted() && truth.pid == RAW(SYS_getpid, 0, 0, 0, 0);
}

static struct sim_true *at_place(struct sim_truth *t, int place, int thread)
{
	struct sim_true fresh = {.place = place, .thread = thread};
	struct sim_true *found = vec__find(p, &t->at, p->place == place && p->thread == thread);

	if (found)
		return found;
	truth.no_memory |= vec__push(&t->at, fresh);
	return truth.no_memory ? NULL : &t->at.at[t->at.nr - 1];
}

/* Argument of add_stay(): an event, and whether it was on a counter. */
struct adding {
	struct sim_event *event;
	bool counted;
};

static void add_stay(const struct sim_stay *stay, uint64_t ns, void *arg)
{
	const struct adding *adding = arg;
	sim_count_t count = (sim_count_t)ns * adding->event->rate.per_ns[stay->column];
	struct sim_true *t = at_place(&adding->event->truth, stay->place, stay->thread);

	if (!t)
		return;
	t->ns += ns;
	t->happened += count;
	t->counted += adding->counted ? count : 0;
}

void truth__add(struct sim_event *event, uint64_t to, bool counted)
{
	struct adding adding = {event, counted};

	truth.m = event->ctx->m;
	course__each(&event->ctx->course, event->ctx->now, to, add_stay, &adding);
}

void truth__sample(struct sim_event *event)
{
	uint64_t until;
	const struct sim_stay *stay = course__at(&event->ctx->course, event->ctx->now, &until);
	struct sim_true *t = at_place(&event->truth, stay->place, stay->thread);

	if (t)
		t->samples++;
}

static struct truth_line *line_of(const struct sim_event *event, const struct sim_true *t)
{
	struct truth_line line = {event->pmu, event->config, event->attr.type, event->cpu,
			    {.place = t->place, .thread = t->thread}};
	struct truth_line *found =
		vec__find(l, &truth.lines,
			  l->pmu == line.pmu && l->cpu == line.cpu &&
				  (line.pmu || l->type == line.type) &&
				  !memcmp(&l->config, &line.config, sizeof(line.config)) &&
				  l->sum.place == t->place && l->sum.thread == t->thread);

	if (found)
		return found;
	truth.no_memory |= vec__push(&truth.lines, line);
	return truth.no_memory ? NULL : &truth.lines.at[truth.lines.nr - 1];
}

void truth__take(struct sim_event *event)
{
	const struct sim_true *t;

	vec__for_each(t, &event->truth.at) {
		struct truth_line *line = line_of(event, t);

		if (!line)
			break;
		line->sum.ns += t->ns;
		line->sum.samples += t->samples;
		line->sum.happened += t->happened;
		line->sum.counted += t->counted;
	}
	vec__free(&event->truth.at);
}

/* Put a field of CSV, quoted if needed: C++ names contain commas. */
static void put_field(struct sb *sb, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		sb__puts(sb, text);
		return;
	}
	sb__putc(sb, '"');
	for (; *text; text++)
		sb__printf(sb, *text == '"' ? "\"%c" : "%c", *text);
	sb__putc(sb, '"');
}

static void put_line(struct sb *sb, const struct truth_line *line)
{
	const struct sim_true *sum = &line->sum;

	sb__printf(sb, "%s", line->pmu ? line->pmu->name : "software");
	for (int i = 0; i < SIM_CONFIG_WORDS; i++)
		if (!i || line->config.word[i])
			sb__printf(sb, "/config%.*s=%#" PRIx64, i > 0, &"0123"[i],
				   line->config.word[i]);
	sb__puts(sb, line->cpu < 0 ? ",-" : ",");
	if (line->cpu >= 0)
		sb__printf(sb, "%d", line->cpu);
	sb__putc(sb, ',');
	put_field(sb, sum->place < 0 ? "-" : truth.m->places.at[sum->place].name);
	sb__printf(sb, ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n", sum->thread,
		   sum->ns, rate__whole(sum->happened), rate__whole(sum->counted), sum->samples);
}

bool truth__write(void)
{
	static const char head[] = "# the truth by place of a simulated machine\n"
				   "event,cpu,place,thread,ns,happened,counted,samples\n";
	struct sb sb = SB_INIT;
	const struct truth_line *line;
	bool whole = true;

	if (!truth__is_own())
		return true;
	sb__puts(&sb, head);
	vec__for_each(line, &truth.lines)
		put_line(&sb, line);
	/* If the file cannot be written completely, it is emptied. */
	for (size_t done = 0; !sb.err && !truth.no_memory && done < sb.len;) {
		long n = RAW(SYS_write, truth.fd, sb.buf + done, sb.len - done, 0);

		if (n == -EINTR)
			continue;
		if (n <= 0) {
			RAW(SYS_ftruncate, truth.fd, 0, 0, 0);
			whole = false;
			break;
		}
		done += n;
	}
	sb__free(&sb);
	RAW(SYS_close, truth.fd, 0, 0, 0);
	truth.fd = -1;
	return whole && !truth.no_memory;
}
