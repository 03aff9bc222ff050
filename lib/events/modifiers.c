// SPDX-License-Identifier: GPL-2.0-only
/* Modifiers are letters after an event or a group: when it counts, and how it is scheduled. */
#include <string.h>

#include "base/array.h"
#include "events/internal.h"
#include "machine/machine.h"

#define PRECISE_MAX 3

#define MOD_RINGS (MOD_USER | MOD_KERNEL | MOD_HYPERVISOR)
#define MOD_GUESTS (MOD_GUEST | MOD_HOST)

static const struct {
	char letter;
	enum modifier modifier;
	const char *name;
} letters[] = {
	{ 'u', MOD_USER, "user" },
	{ 'k', MOD_KERNEL, "kernel" },
	{ 'h', MOD_HYPERVISOR, "hypervisor" },
	{ 'I', MOD_IDLE, "idle" },
	{ 'G', MOD_GUEST, "guest" },
	{ 'H', MOD_HOST, "host" },
	{ 'P', MOD_PRECISE_MAX, "precise_max" },
	{ 'S', MOD_SAMPLE_READ, "sample_read" },
	{ 'D', MOD_PINNED, "pinned" },
	{ 'W', MOD_WEAK, "weak" },
	{ 'e', MOD_EXCLUSIVE, "exclusive" },
	{ 'b', MOD_BPF, "bpf" },
	{ 'R', MOD_RETIRE_LATENCY, "retire_latency" },
	{ 'X', MOD_STAYS, "dont_regroup" },
};

static int modifiers__find(char letter)
{
	int at = 0;

	while (at < array__nr(letters) && letters[at].letter != letter)
		at++;
	return at;
}

int modifiers__letters(const char *text)
{
	int len = 0;

	while (text[len] == 'p' || (text[len] && modifiers__find(text[len]) < array__nr(letters)))
		len++;
	return len;
}

int modifiers__parse(struct event_parser *p, int column, int len, struct modifiers *mod)
{
	int at;

	*mod = (struct modifiers){ .precise = 0 };
	for (int i = column; i < column + len; i++) {
		if (p->text[i] == 'p') {
			if (++mod->precise > PRECISE_MAX)
				return parse__error(p, i, "precise is 'ppp' at most");
			continue;
		}
		at = modifiers__find(p->text[i]);
		if (at == array__nr(letters))
			return parse__error(p, i, "unknown modifier '%c'", p->text[i]);
		if (mod->letters & letters[at].modifier)
			return parse__error(p, i, "modifier '%c' (%s) is given twice", p->text[i],
					    letters[at].name);
		mod->letters |= letters[at].modifier;
	}
	return 0;
}

int events__check_modifiers(const char *text, int column, struct err *err)
{
	struct event_parser p = {.text = text, .err = err};
	struct modifiers mod;

	return modifiers__parse(&p, column, strlen(text) - column, &mod);
}

unsigned int modifiers__excluded(const struct perf_event_attr *attr)
{
	return attr->exclude_user * MOD_USER | attr->exclude_kernel * MOD_KERNEL |
	       attr->exclude_hv * MOD_HYPERVISOR | attr->exclude_idle * MOD_IDLE |
	       attr->exclude_guest * MOD_GUEST | attr->exclude_host * MOD_HOST;
}

void modifiers__exclude(struct perf_event_attr *attr, unsigned int modes)
{
	attr->exclude_user = !!(modes & MOD_USER);
	attr->exclude_kernel = !!(modes & MOD_KERNEL);
	attr->exclude_hv = !!(modes & MOD_HYPERVISOR);
	attr->exclude_idle = !!(modes & MOD_IDLE);
	attr->exclude_guest = !!(modes & MOD_GUEST);
	attr->exclude_host = !!(modes & MOD_HOST);
}

unsigned int event__modes(const struct event *e)
{
	/*
	 * Exclude guests and hypervisor here: other modifiers change these bits, too, as in perf.
	 */
	return modifiers__excluded(&e->attr) & (MOD_USER | MOD_KERNEL | MOD_IDLE | MOD_HOST);
}

void event__set_modes(struct event *e, const struct event *from)
{
	modifiers__exclude(&e->attr, modifiers__excluded(&from->attr));
}

/*
 * If a letter of u, k, h is given, modes without a letter are excluded; likewise for H and G. A
 * letter of an event remains valid in a group with another letter: {cycles:u}:k counts both modes.
 */
static void apply_excludes(struct event *e, const struct modifiers *mod, bool group)
{
	unsigned int out = group ? modifiers__excluded(&e->attr) : 0;
	bool gh = group && e->exclude_gh;

	if (mod->precise)
		out |= MOD_GUEST; /* the kernel requires this for precise events */
	if (mod->letters & MOD_RINGS && !(out & MOD_RINGS))
		out |= MOD_RINGS;
	if (mod->letters & MOD_USER && !gh)
		out |= MOD_GUEST;
	if (mod->letters & MOD_GUESTS && !gh) {
		gh = true;
		out |= MOD_GUESTS;
	}
	out &= ~(mod->letters & (MOD_RINGS | MOD_GUESTS));
	modifiers__exclude(&e->attr, out | (mod->letters & MOD_IDLE));
	e->exclude_gh = gh;
}

/*
 * Finds out whether an event can count instructions: it is not a software, tracepoint or uncore
 * event.
 */
static bool may_retire(const struct event *e)
{
	return !event__is_software(e) && (!e->pmu || e->pmu->is_core);
}

/* Returns why an event's latency cannot be sampled; NULL if it can. */
static const char *why_no_latency(const struct event *e)
{
	if (!may_retire(e))
		return "a latency (R) needs an event of the core PMU, not of software or uncore";
	if (topdown__is_metric(e->topdown))
		return "TopDown metric events cannot be sampled, so they have no latency (R); "
		       "slots has one";
	if (e->attr.exclude_host)
		return "a latency (R) is sampled only on the host, not in guests (G)";
	return NULL;
}

/*
 * Makes an event a latency, which is printed in cycles, whatever the unit of the event's count is.
 */
static int make_latency(struct event_parser *p, int column, struct event *e)
{
	const char *why = why_no_latency(e);

	if (why)
		return parse__error(p, column, "%s", why);
	event__set_text(&e->unit, "cycles");
	e->retire_latency = true;
	/* The latency of an event is not a count. */
	e->kind = EVENT_KIND_NONE;
	return 0;
}

int modifiers__apply(struct event_parser *p, int column, const struct modifiers *mod, int from,
		     bool group)
{
	if (!group && mod->letters & MOD_WEAK)
		return parse__error(p, column, "modifier 'W' (weak) is for groups");
	for (int i = from; i < p->list->nr; i++) {
		struct event *e = p->list->at[i];

		apply_excludes(e, mod, group);
		if (e->attr.precise_ip + mod->precise > PRECISE_MAX)
			return parse__error(p, column, "'%s' would be more precise than 'ppp'",
					    e->name ? e->name : "the event");
		e->attr.precise_ip += mod->precise;
		e->precise_max |= mod->letters & MOD_PRECISE_MAX && event__is_of_core(e);
		if (mod->letters & MOD_PINNED && e->leader == e)
			e->attr.pinned = 1;
		if (mod->letters & MOD_EXCLUSIVE && e->leader == e)
			e->attr.exclusive = 1;
		if (mod->letters & MOD_WEAK)
			e->weak = true;
		if (mod->letters & MOD_STAYS)
			e->stays = true;
		e->bpf |= mod->letters & MOD_BPF && !e->tool;
		if (mod->letters & MOD_RETIRE_LATENCY || e->retire_latency) {
			int rc = make_latency(p, column, e);

			if (rc)
				return rc;
		}
	}
	return 0;
}
