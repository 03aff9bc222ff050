/* SPDX-License-Identifier: GPL-2.0-only */
/* What the JSON of the kernel's pmu-events knows: fields, units, registers, fixed events. */
#ifndef TMA_JSON_FIELDS_H
#define TMA_JSON_FIELDS_H

#include <stdint.h>

#include "json/event.h"

/* Fields of an element which the tables need. */
enum field {
	F_AGGREGATION,
	F_ANY_THREAD,
	F_ARCH_STD,
	F_BRIEF,
	F_COMPAT,
	F_CONFIG_CODE,
	F_COUNTER,
	F_COUNTER_MASK,
	F_DATA_LA,
	F_DEFAULT_GROUP,
	F_DEPRECATED,
	F_EDGE,
	F_EN_ALL_CORES,
	F_EN_ALL_SLICES,
	F_ERRATA,
	F_EVENT_CODE,
	F_EVENT_NAME,
	F_EVENTID_CODE,
	F_EXT_SEL,
	F_FC_MASK,
	F_FILTER,
	F_INVERT,
	F_CONSTRAINT,
	F_EXPR,
	F_GROUPS,
	F_NO_GROUP,
	F_METRIC,
	F_THRESHOLD,
	F_MSR_INDEX,
	F_MSR_VALUE,
	F_NODE_TYPE,
	F_PEBS,
	F_PER_PKG,
	F_PORT_MASK,
	F_PUBLIC,
	F_RD_WR_MASK,
	F_RETIRE_MAX,
	F_RETIRE_MEAN,
	F_RETIRE_MIN,
	F_SAMPLE_AFTER,
	F_SCALE_UNIT,
	F_SLICE_ID,
	F_TAKEN_ALONE,
	F_THREAD_MASK,
	F_UMASK,
	F_UNIT,
	NR_FIELDS,
};

/* Their names in the JSON. */
extern const char *const fields[NR_FIELDS];
/* Fields which vendors write and the tables do not need; NULL at the end. */
extern const char *const fields_unused[];

/* Fields which become a text as they are. */
struct text_field {
	enum field field;
	enum event_text text;
};
extern const struct text_field text_fields[];
extern const int nr_text_fields;

/* Fields which become a PMU term, in the order of the terms. */
struct term_field {
	enum field field;
	const char *term;
};
extern const struct term_field term_fields[];
extern const int nr_term_fields;

/* Words of MetricConstraint and AggregationMode; word NULL at the end. */
struct flag_word {
	enum field field;
	const char *word;
	enum event_flag flag;
	uint8_t value;
};
extern const struct flag_word flag_words[];

/* Registers of MSRIndex and their terms; 0 at the end. */
struct msr_term {
	uint64_t msr;
	const char *term;
};
extern const struct msr_term msrs[];

/* Units whose PMU is not "uncore_" and the unit in lower case; NULL at the end. */
struct unit_pmu {
	const char *unit, *pmu;
};
extern const struct unit_pmu units[];

/* Events on fixed counters, with an encoding that also a general counter takes; NULL at the end. */
struct fixed_event {
	const char *name, *terms;
};
extern const struct fixed_event fixed_events[];

#endif
