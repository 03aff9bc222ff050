/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables to text: as C source, or as lines a person or a comparison reads. */
#ifndef TMA_JSON_WRITE_H
#define TMA_JSON_WRITE_H

#include <stdio.h>

struct table_data;

/** write__c() - the tables as a C file that defines table_data. Write errors stay with @out. */
void write__c(const struct table_data *data, FILE *out);

/**
 * write__dump() - the tables as text
 *
 * One line each, columns separated by tabs, in them "\n", "\t" and "\\" for those bytes:
 *
 *	cpu	PATTERN
 *	event	PMU NAME TOPIC TERMS COMPAT DEPRECATED PERPKG SCALEUNIT DESC LONGDESC
 *	metric	PMU NAME GROUPS EXPR THRESHOLD SCALEUNIT COMPAT NOGROUP DEFAULT AGGREGATION
 *		CONSTRAINT DESC LONGDESC
 *	sys	FOLDER
 *	group	NAME DESC
 *	# model, counters: what the kernel's tables do not have
 *
 * A cpu line for each row of the mapfile and below it the events and metrics of that CPU in the
 * order of the tables; a sys line for each folder of system PMUs with what is in it; then the
 * groups of all.
 */
void write__dump(const struct table_data *data, FILE *out);

#endif
