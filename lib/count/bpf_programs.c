// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two programs of tma run with each BPF program that is counted, one at its beginning and one at
 * its end. They read all events of the run, which are open on every CPU and count all the time.
 */
#include "count/bpf_programs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "count/bpf_events.h"
#include "count/bpf_library.h"
#include "count/session.h"

#if BPF_IS_BUILT

/**
 * struct watched_program - a BPF program that is counted
 * @object: object with the programs of tma that run with it
 * @links: what attaches these programs
 */
struct watched_program {
	struct bpf_object *object;
	struct bpf_link *links[2];
};

/**
 * struct bpf_programs - all BPF programs that are counted
 * @at:      an entry for each program that the options name
 * @events:  descriptor of the map with the perf events of all programs, or -1
 * @values:  memory for the parts of one sum; @nr_cpus: number of parts, one for each possible CPU
 * @enabled: a bit for each event that is counted
 */
struct bpf_programs {
	struct session *session;
	struct watched_program *at;
	int events, nr_cpus;
	struct bpf_perf_event_value *values;
	__u64 enabled;
};

static int nr_programs(const struct bpf_programs *b)
{
	return b->at ? b->session->opts.nr_bpf_programs : 0;
}

static bool bpf_programs__is_counted(const struct counter *c)
{
	return c->event->bpf && c->turn == TURN_NOW;
}

/* tma's programs attach to a program by the name of its function, which is in BTF. */
static int find_function(__u32 id, int fd, char *name, size_t size, struct err *err)
{
	struct bpf_func_info function = { .type_id = 0 };
	struct bpf_prog_info info = {
		.nr_func_info = 1,
		.func_info = (uintptr_t)&function,
		.func_info_rec_size = sizeof(function),
	};
	__u32 info_size = sizeof(info);
	const struct btf_type *type;
	struct btf *btf;
	int rc = lib_bpf_obj_get_info_by_fd(fd, &info, &info_size);

	if (rc)
		return err__set(err, -rc, "-b %u: %s", id, strerror(-rc));
	btf = info.btf_id ? lib_btf__load_from_kernel_by_id(info.btf_id) : NULL;
	type = btf ? lib_btf__type_by_id(btf, function.type_id) : NULL;
	if (type)
		snprintf(name, size, "%s", lib_btf__name_by_offset(btf, type->name_off));
	if (btf)
		lib_btf__free(btf);
	if (type)
		return 0;
	return err__set(err, ENOTSUP,
			"-b %u: this BPF program was loaded without types (BTF), so that no other "
			"program can run with it: compile it with clang -g",
			id);
}

static int bpf_programs__load(struct bpf_programs *b, struct watched_program *p, int fd,
			      const char *function, struct err *err)
{
	static const char *const programs[] = { "run_begins", "run_ends" };
	int nr = b->session->counters.nr, rc;

	p->object = bpf_object__begin(BPF_PROGRAM, err);
	if (!p->object)
		return -err->code;
	bpf_object__size_map(p->object, "begun", nr);
	bpf_object__size_map(p->object, "sums", nr);
	rc = bpf_object__give_map(p->object, "events", b->events, err);
	for (int i = 0; !rc && i < 2; i++)
		rc = bpf_object__aim(p->object, programs[i], fd, function, err);
	if (!rc)
		rc = bpf_object__finish(p->object, err);
	if (rc == -EPERM)
		err__append(err, "\nA kernel that is locked down may not let a BPF program run with "
				 "another one, even for root");
	for (int i = 0; !rc && i < 2; i++) {
		p->links[i] = bpf_object__attach(p->object, programs[i], err);
		rc = p->links[i] ? 0 : -err->code;
	}
	return rc;
}

static int bpf_programs__watch(struct bpf_programs *b, struct watched_program *p, __u32 id,
			       struct err *err)
{
	char function[256];
	int fd = lib_bpf_prog_get_fd_by_id(id), rc;

	if (fd == -ENOENT)
		return err__set(err, ENOENT,
				"-b %u: no BPF program has this number ('bpftool prog' shows them)",
				id);
	if (fd < 0)
		return err__set(err, -fd, "-b %u: %s", id, strerror(-fd));
	rc = find_function(id, fd, function, sizeof(function), err);
	if (!rc && bpf_programs__load(b, p, fd, function, err))
		rc = err__prefix(err, "-b %u (%s): ", id, function);
	close(fd);
	return rc;
}

static int open_events(struct bpf_programs *b, struct err *err)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_PRESERVE_ELEMS);
	struct session *s = b->session;
	struct counter *c;

	b->events = lib_bpf_map_create(BPF_MAP_TYPE_PERF_EVENT_ARRAY, "events", sizeof(__u32),
				       sizeof(__u32), s->counters.nr * b->nr_cpus, &opts);
	if (b->events < 0)
		return err__set(err, -b->events, "cannot make a BPF map for %d events: %s", s->counters.nr,
				strerror(-b->events));
	counters__for_each(c, &s->counters) {
		int first = (c - s->counters.at) * b->nr_cpus, rc;

		if (!bpf_programs__is_counted(c))
			continue;
		rc = bpf_events__put(s, c, b->events, first);
		if (rc && !refusal__unsupported(rc))
			return refusal__explain(s, c, 0, rc, err);
		c->refused = rc;
		c->opened = !rc;
	}
	return 0;
}

static int open_all(void *self, struct err *err)
{
	struct bpf_programs *b = self;
	struct session *s = b->session;
	const struct count_options *o = &s->opts;
	int rc = bpf_library__load(err);

	if (rc)
		return rc;
	if (s->counters.nr > BPF_EVENTS_MAX)
		return err__set(err, E2BIG,
				"-b counts at most %d events, and there are %d: count them in several "
				"runs",
				BPF_EVENTS_MAX, s->counters.nr);
	b->nr_cpus = lib_libbpf_num_possible_cpus();
	b->values = xcalloc(b->nr_cpus, sizeof(*b->values));
	b->at = xcalloc(o->nr_bpf_programs, sizeof(*b->at));
	rc = open_events(b, err);
	for (int i = 0; !rc && i < o->nr_bpf_programs; i++)
		rc = bpf_programs__watch(b, &b->at[i], o->bpf_programs[i], err);
	return rc;
}

static void bpf_programs__enable(void *self, int event, bool on)
{
	struct bpf_programs *b = self;
	struct bpf_settings set;
	__u64 bits = event < 0 ? ~0ULL : 1ULL << event;
	__u32 first = 0;

	b->enabled = on ? b->enabled | bits : b->enabled & ~bits;
	set = (struct bpf_settings){
		.enabled = b->enabled,
		.nr_events = b->session->counters.nr,
		.nr_cpus = b->nr_cpus,
	};
	for (int i = 0; i < nr_programs(b); i++)
		if (b->at[i].object)
			lib_bpf_map_update_elem(bpf_object__map_fd(b->at[i].object, "settings"),
						&first, &set, BPF_ANY);
}

/* Add the counts from one program's runs to the samples of an event. Return: 0, or -errno. */
static int add_sums(struct bpf_programs *b, const struct watched_program *p, __u32 event,
		    struct sample *samples)
{
	const struct unit_list *units = &b->session->counters.units;
	int rc = lib_bpf_map_lookup_elem(bpf_object__map_fd(p->object, "sums"), &event, b->values);

	for (int i = 0; !rc && i < units->nr; i++) {
		int cpu = units->at[i].id;

		if (samples[i].status == SAMPLE_ABSENT || cpu >= b->nr_cpus)
			continue;
		samples[i].value += b->values[cpu].counter;
		samples[i].enabled += b->values[cpu].enabled;
		samples[i].running += b->values[cpu].running;
	}
	return rc;
}

static void bpf_programs__read_event(struct bpf_programs *b, int event, struct sample *samples,
				     bool scale)
{
	struct session *s = b->session;
	int rc = 0;

	for (int i = 0; i < s->counters.units.nr; i++)
		if (samples[i].status != SAMPLE_ABSENT)
			samples[i] = (struct sample){ .status = SAMPLE_COUNTED };
	for (int i = 0; !rc && i < nr_programs(b); i++)
		rc = add_sums(b, &b->at[i], event, samples);
	for (int i = 0; i < s->counters.units.nr; i++) {
		if (samples[i].status == SAMPLE_ABSENT)
			continue;
		if (rc)
			samples[i] = (struct sample){ .status = SAMPLE_LOST };
		else
			sample__finish(&samples[i], false, scale);
	}
	s->readings.unread += !!rc;
	s->readings.failed += !!rc;
}

void bpf_programs__read(void *self, struct counts *total)
{
	struct bpf_programs *b = self;
	const struct counter *c;

	counters__for_each(c, &b->session->counters) {
		int event = c - b->session->counters.at;

		if (bpf_programs__is_counted(c) && c->opened)
			bpf_programs__read_event(b, event, &total->at[event * total->nr_units],
						 total->scale);
	}
}

static int bpf_programs__come_back(void *self, int unit, struct err *err)
{
	(void)self;
	(void)unit;
	return err__set(err, ENOTSUP, "its events ended when it went offline");
}

static void bpf_programs__free_all(void *self)
{
	struct bpf_programs *b = self;

	for (int i = 0; i < nr_programs(b); i++) {
		for (int j = 0; j < 2; j++)
			if (b->at[i].links[j])
				lib_bpf_link__destroy(b->at[i].links[j]);
		if (b->at[i].object)
			lib_bpf_object__close(b->at[i].object);
	}
	if (b->events >= 0)
		close(b->events);
	free(b->values);
	free(b->at);
}

static void bpf_programs__init(void *self)
{
	struct bpf_programs *b = self;

	b->events = -1;
}

const struct attachment bpf_programs__attachment = {
	.size = sizeof(struct bpf_programs),
	.init = bpf_programs__init,
	.open = open_all,
	.enable = bpf_programs__enable,
	.come_back = bpf_programs__come_back,
	.free = bpf_programs__free_all,
};

#else

void bpf_programs__read(void *self, struct counts *total)
{
	(void)self;
	(void)total;
}

static int open_all(void *self, struct err *err)
{
	(void)self;
	return bpf_library__load(err);
}

const struct attachment bpf_programs__attachment = {
	.size = sizeof(struct session *),
	.open = open_all,
};

#endif
