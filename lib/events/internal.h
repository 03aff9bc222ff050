/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions and types that the files of lib/events share. */
#ifndef TMA_EVENTS_INTERNAL_H
#define TMA_EVENTS_INTERNAL_H

#include <stdint.h>

#include "events/events.h"
#include "events/names.h"

#define TOOL_PMU "tool" /* PMU of the program's own events, which sysfs does not have */

/**
 * struct term - one of the terms between the slashes of "pmu/event=0x3c,edge,name='x'/"
 * @key:    "event"
 * @str:    the value as written, NULL without a value
 * @is_num: the value is a number, @num (1 without a value)
 * @column, @value_column: places of key and value in the text, for errors
 * @from_named: the term comes from the definition of a named event, not from the user's text
 */
struct term {
	char *key, *str;
	uint64_t num;
	bool is_num, from_named;
	int column, value_column;
};

struct terms {
	struct term *at;
	int nr, cap;
};

/**
 * struct event_parser - a text that is being read
 * @text:   the whole text
 * @pos:    place of the next byte
 * @list:   the events so far
 * @id:     (metrics) the expression's text for the events, or NULL; @shown: the name that is
 *          printed for it
 * @slashes: the current event has slashes, with @terms between them
 * @inside, @inside_len: place and length of the text between the slashes
 * @pmu_named: the event's text begins with the PMU
 * @many_pmus: the event's text names several PMUs
 */
struct event_parser {
	const struct events_scope *scope;
	const char *text;
	int pos;
	struct event_list *list;
	const char *id, *shown;
	struct terms terms;
	int inside, inside_len;
	bool slashes, pmu_named, many_pmus;
	struct err *err;
};

/*
 * Bits of the letters after the colon; for letters of modes, also bits of the modes that are
 * excluded. Two letters are about samples: they are accepted, as in perf stat, and have no effect.
 */
enum modifier {
	MOD_USER = 1 << 0,
	MOD_KERNEL = 1 << 1,
	MOD_HYPERVISOR = 1 << 2,
	MOD_IDLE = 1 << 3,
	MOD_GUEST = 1 << 4,
	MOD_HOST = 1 << 5,
	MOD_PRECISE_MAX = 1 << 6,
	MOD_SAMPLE_READ = 1 << 7,
	MOD_PINNED = 1 << 8,
	MOD_WEAK = 1 << 9,
	MOD_EXCLUSIVE = 1 << 10,
	MOD_RETIRE_LATENCY = 1 << 11,
	MOD_STAYS = 1 << 12,
	MOD_BPF = 1 << 13,
};

/**
 * struct modifiers - the letters after the colon, as bits of enum modifier, and the number of
 * letters p
 */
struct modifiers {
	int precise;
	unsigned int letters;
};

struct pmu_format;

/* legacy.c: the kernel's own event names. */

/**
 * legacy__decode() - find the event with one of the kernel's own names, or with a raw code ("r1a8")
 * @any_case: ignore case: "CPU-CLOCK" is cpu-clock, too
 * @type: set to PERF_TYPE_RAW for a raw code
 *
 * Return: 0; -ENOENT if there is no such name; -EINVAL for a cache that does not have the
 * operation.
 */
int legacy__decode(const char *name, bool any_case, uint32_t *type, uint64_t *config);
/** legacy__kind() - find the kind of a sysfs event whose name is also one of the kernel's own. */
enum event_kind legacy__kind(const char *name);
/** legacy__each() - visit the kernel's own and the program's own events, for events__each(). */
void legacy__each(const struct events_scope *scope, const struct event_names *walk);
/** legacy__suggest() - offer the names of the kernel's own and the program's own events. */
void legacy__suggest(struct suggest *s);

/* terms.c */

/** terms__parse() - read terms from p->pos up to the closing slash or the end of the text. */
int terms__parse(struct event_parser *p, struct terms *terms);
/** terms__from_text() - read the terms of a named event. Return: 0 or -EINVAL. */
int terms__from_text(const char *text, struct terms *terms);
/**
 * terms__scan_number() - call num__scan_u64() for a number that is decimal, or hexadecimal with 0x.
 */
int terms__scan_number(const char *text, uint64_t *out);
/** terms__free() - release terms. */
void terms__free(struct terms *terms);

/* encode.c */

/**
 * struct named - a named event of a PMU, as sysfs and the tables describe it
 * @terms, @unit: owned by the PMU or the tables
 * @table_event: number of the event in the tables, or -1
 */
struct named {
	const char *terms, *unit;
	int table_event;
	double scale;
	bool per_pkg, snapshot;
	struct vendor_latency latency;
};

/** named__in_tables() - find the number of a PMU's event in the tables, or -1. */
int named__in_tables(const struct events_scope *scope, struct pmu *pmu, const char *name);
/** named__exists() - find out whether a PMU has an event with a name, in sysfs or the tables. */
bool named__exists(const struct events_scope *scope, struct pmu *pmu, const char *name);
/** named__find() - find an event of a PMU by name. Return: whether the PMU has it. */
bool named__find(const struct events_scope *scope, struct pmu *pmu, const char *name,
		 struct named *out);
/** encode__width() - count the bits of a term; 0 if the PMU does not have it. */
int encode__width(const struct pmu_format *format);
/** encode__fits() - find out whether a term's value is a number of at most @width bits. */
bool encode__fits(const struct term *term, int width);
/** encode__common() - apply p->terms to an event without a PMU: config, name, period ... */
int encode__common(struct event_parser *p, struct event *e);
/** encode__extended() - get the bits of config that select @pmu for the kernel's events, or 0. */
uint64_t encode__extended(const struct pmu *pmu);
/** encode__pmu() - apply p->terms to an event of e->pmu. */
int encode__pmu(struct event_parser *p, struct event *e);
/** encode__by_name() - describe an event of an unknown PMU by its name and terms. */
void encode__by_name(struct event_parser *p, struct event *e, const char *name);

/* modifiers.c */

/** modifiers__letters() - count the modifiers that @text begins with. */
int modifiers__letters(const char *text);
/** modifiers__parse() - read the @len modifiers at @column. */
int modifiers__parse(struct event_parser *p, int column, int len, struct modifiers *mod);
/**
 * modifiers__apply() - change events from number @from on. @group: the modifiers follow a group.
 */
int modifiers__apply(struct event_parser *p, int column, const struct modifiers *mod, int from,
		     bool group);

/**
 * modifiers__excluded() - get the modes that are not counted; modifiers__exclude() - set these
 * modes.
 */
unsigned int modifiers__excluded(const struct perf_event_attr *attr);
void modifiers__exclude(struct perf_event_attr *attr, unsigned int modes);

/* event.c */

/** event__set_pmu() - set the PMU of an event, which determines its CPUs; @pmu may be NULL. */
void event__set_pmu(struct event *e, struct pmu *pmu, const struct machine *m);
/**
 * event__finish_name() - set the printed name of an event, unless a term has set it
 * @text:  what the user wrote; @len: number of bytes
 * @shown: text to print instead, or NULL
 * @modes_inside: the event's core type is one of several; its name is "cpu_core/cycles:u/" instead
 *                of "cpu_core/cycles/u"
 */
void event__finish_name(struct event *e, const char *text, int len, const char *shown,
			bool modes_inside);

/* add.c: one text can have several events; each function adds them to p->list. */

/**
 * add__kernel_name() - add an event that the kernel knows without a PMU
 * @any_case: as in legacy__decode()
 *
 * Return: 1 if the kernel does not have that name.
 */
int add__kernel_name(struct event_parser *p, const char *name, int column, bool any_case);
int add__numeric(struct event_parser *p, uint32_t type, uint64_t config);
int add__tool(struct event_parser *p, enum event_tool tool);
/** add__tool_pmu() - add the event that the terms of the program's own PMU name. */
int add__tool_pmu(struct event_parser *p, int column);
/** add__gauges() - add gauges by name, or by the terms after their PMU. Return: 1 if none match. */
int add__gauges(struct event_parser *p, const char *name, int column);
int add__breakpoint(struct event_parser *p, uint64_t addr, uint64_t len, uint32_t type);
int add__tracepoint(struct event_parser *p, const char *system, const char *name, int column);
/** add__unknown() - add an event of a recording; its name is known, but not its PMU. */
int add__unknown(struct event_parser *p, const char *name);
/** add__pmu_event() - add the event of a PMU's terms. @mergeable: the text means several PMUs. */
int add__pmu_event(struct event_parser *p, struct pmu *pmu, bool mergeable);
/** add__by_name() - add an event of a PMU that a term names; the other terms are applied first. */
int add__by_name(struct event_parser *p, struct pmu *pmu, const char *name, int column);
/** add__is_filtered() - find out whether the scope excludes events of a PMU. */
bool add__is_filtered(const struct event_parser *p, const struct pmu *pmu);

/* add_named.c */

/** add__named() - add the events of one or several PMUs with terms, or an event that PMUs have. */
int add__named(struct event_parser *p, const char *name, int column);
/**
 * add__name_units() - if a name matched units of several kinds, add the unit to the names of
 * events: "uncore_imc/clockticks/"
 */
void add__name_units(struct event_parser *p, int from);

/* names.c */

/** names__table_pmu() - find a PMU that counts events of a unit in the tables, or NULL. */
struct pmu *names__table_pmu(const struct machine *m, const char *table);

/* parse.c */

/** parse__error() - set an error with a caret at @column of the text. Return: -EINVAL. */
int parse__error(struct event_parser *p, int column, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/** parse__event() - read one event of the text, with its modifiers. */
int parse__event(struct event_parser *p);
/** parse__word() - copy the word at p->pos, and move p->pos past it. */
char *parse__word(struct event_parser *p, const char *chars);
/** parse__skip_blanks() - move p->pos past blanks. */
void parse__skip_blanks(struct event_parser *p);

/* regroup.c */

/**
 * regroup() - sort groups by PMU, and sort TopDown events. @warn: warn if the order has changed.
 */
void regroup(struct event_list *list, bool warn);
/** regroup__make() - make one group of the events from number @from to before number @to. */
void regroup__make(struct event_list *list, int from, int to);

#endif
