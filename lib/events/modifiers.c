// SPDX-License-Identifier: GPL-2.0-only
/* Letters behind an event or a group: what of the time it counts, and how it is scheduled. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "events/internal.h"
#include "machine/machine.h"

#define PRECISE_MAX 3

static const struct {
	char letter;
	const char *name;
	size_t offset;
} letters[] = {
#define MODIFIER(letter, field)                                   \
	{                                                         \
		letter, #field, offsetof(struct modifiers, field) \
	}
	MODIFIER('u', user),	    MODIFIER('k', kernel),	MODIFIER('h', hypervisor),
	MODIFIER('I', idle),	    MODIFIER('G', guest),	MODIFIER('H', host),
	MODIFIER('P', precise_max), MODIFIER('S', sample_read), MODIFIER('D', pinned),
	MODIFIER('W', weak),	    MODIFIER('e', exclusive),	MODIFIER('R', retire_latency),
#undef MODIFIER
};

int modifiers__letters(const char *text)
{
	return strspn(text, "ukhIGHpPSDWebR");
}

int modifiers__parse(struct parser *p, int column, int len, struct modifiers *mod)
{
	size_t at;
	bool *field;

	memset(mod, 0, sizeof(*mod));
	for (int i = column; i < column + len; i++) {
		if (p->text[i] == 'p') {
			if (++mod->precise > PRECISE_MAX)
				return parse__error(p, i, "precise is 'ppp' at most");
			continue;
		}
		if (p->text[i] == 'b')
			return parse__error(p, i, "BPF counters are not offered");
		for (at = 0; at < sizeof(letters) / sizeof(*letters); at++)
			if (letters[at].letter == p->text[i])
				break;
		if (at == sizeof(letters) / sizeof(*letters))
			return parse__error(p, i, "unknown modifier '%c'", p->text[i]);
		field = (bool *)((char *)mod + letters[at].offset);
		if (*field)
			return parse__error(p, i, "modifier '%c' (%s) stands there twice",
					    p->text[i], letters[at].name);
		*field = true;
	}
	return 0;
}

/*
 * One letter of u, k, h includes and the others are then excluded; H and G likewise. A letter of
 * the event itself stays when its group has another: {cycles:u}:k counts both.
 */
static void apply_excludes(struct event *e, const struct modifiers *mod, bool group)
{
	struct perf_event_attr *attr = &e->attr;
	bool user = group && attr->exclude_user, kernel = group && attr->exclude_kernel;
	bool hv = group && attr->exclude_hv, host = group && attr->exclude_host;
	bool guest = group && attr->exclude_guest, gh = group && e->exclude_gh;
	bool any = user || kernel || hv;

	if (mod->precise)
		guest = true; /* the kernel wants it so */
	if ((mod->user || mod->kernel || mod->hypervisor) && !any)
		user = kernel = hv = true;
	if (mod->user) {
		user = false;
		if (!gh)
			guest = true;
	}
	if (mod->kernel)
		kernel = false;
	if (mod->hypervisor)
		hv = false;
	if ((mod->guest || mod->host) && !gh)
		gh = guest = host = true;
	if (mod->guest)
		guest = false;
	if (mod->host)
		host = false;
	attr->exclude_user = user;
	attr->exclude_kernel = kernel;
	attr->exclude_hv = hv;
	attr->exclude_host = host;
	attr->exclude_guest = guest;
	e->exclude_gh = gh;
}

/* Whether it can be an event of instructions: no software, tracepoint or uncore event is. */
static bool may_retire(const struct event *e)
{
	return !event__is_software(e) && (!e->pmu || e->pmu->is_core);
}

/* Why an event's latency cannot be sampled; NULL when it can be. */
static const char *why_no_latency(const struct event *e)
{
	if (!may_retire(e))
		return "a latency (R) is of instructions that retire: of an event of the core PMU, "
		       "not of software or uncore";
	if (e->topdown && e->topdown_code != EVENT_TOPDOWN_SLOTS)
		return "a latency (R) is sampled, and TopDown metric events take no samples: of "
		       "them, slots alone has one";
	if (e->attr.exclude_host)
		return "a latency (R) is sampled on the host alone, and of guests (G) there is none";
	return NULL;
}

/* What is printed of it are cycles, whatever a count of it would be. */
static int make_latency(struct parser *p, int column, struct event *e)
{
	const char *why = why_no_latency(e);

	if (why)
		return parse__error(p, column, "%s", why);
	event__set_text(&e->unit, "cycles");
	e->retire_latency = true;
	/* The latency of an event is not its count. */
	e->kind = EVENT_KIND_NONE;
	return 0;
}

int modifiers__apply(struct parser *p, int column, const struct modifiers *mod, int from,
		     bool group)
{
	if (!group && mod->weak)
		return parse__error(p, column, "modifier 'W' (weak) is for groups");
	for (int i = from; i < p->list->nr; i++) {
		struct event *e = p->list->at[i];

		apply_excludes(e, mod, group);
		if (e->attr.precise_ip + mod->precise > PRECISE_MAX)
			return parse__error(p, column, "'%s' would be more precise than 'ppp'",
					    e->name ? e->name : "the event");
		e->attr.precise_ip += mod->precise;
		if (mod->idle)
			e->attr.exclude_idle = 1;
		if (mod->pinned && e->leader == e)
			e->attr.pinned = 1;
		if (mod->exclusive && e->leader == e)
			e->attr.exclusive = 1;
		if (mod->weak)
			e->weak = true;
		if (mod->retire_latency || e->retire_latency) {
			int rc = make_latency(p, column, e);

			if (rc)
				return rc;
		}
	}
	return 0;
}
