// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events by their names in libpfm4, which knows the names and encodings of many CPUs' events. The
 * library is loaded when the user names such an event. Its functions are declared here as its
 * manual pages describe them, so that the program is built without the library.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/err.h"
#include "base/library.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "events/internal.h"

#define PFM_LIBRARY "libpfm.so.4"
#define PFM_PACKAGE "libpfm4"
#define PFM_MODES (1 | 8) /* default modes of an event: the kernel and user space */

enum {
	PFM_SUCCESS = 0,
	PFM_NOT_SUPPORTED = -1,
	PFM_NOT_FOUND = -4,
};

int pfm_initialize(void);
const char *pfm_strerror(int code);
int pfm_get_perf_event_encoding(const char *text, int modes, struct perf_event_attr *attr,
				char **full_name, int *index);

LIBRARY_DECLARE(pfm_initialize)
LIBRARY_DECLARE(pfm_strerror)
LIBRARY_DECLARE(pfm_get_perf_event_encoding)

static int pfm__load(struct err *err)
{
	static const struct library_call calls[] = {
		LIBRARY_CALL(pfm_initialize)
		LIBRARY_CALL(pfm_strerror)
		LIBRARY_CALL(pfm_get_perf_event_encoding)
		{ NULL },
	};
	int rc = library__load(PFM_LIBRARY, PFM_PACKAGE, calls, err);

	if (rc)
		return rc;
	rc = lib_pfm_initialize();
	if (rc == PFM_NOT_SUPPORTED)
		return err__set(err, ENOTSUP, "--pfm-events: libpfm4 knows no PMU of this computer");
	if (rc != PFM_SUCCESS)
		return err__set(err, ENOTSUP, "--pfm-events: libpfm4 does not start: %s",
				lib_pfm_strerror(rc));
	return 0;
}

static int pfm__refuse(struct event_parser *p, int column, int code)
{
	const char *hint = code == PFM_NOT_FOUND ? " on the PMUs of this computer" : "";

	return parse__error(p, column, "libpfm4: %s%s", lib_pfm_strerror(code), hint);
}

/* Copies the attributes from libpfm4, except those for sampling. */
static void pfm__set_attr(struct event *e, const struct perf_event_attr *attr)
{
	e->attr.config1 = attr->config1;
	e->attr.config2 = attr->config2;
	e->attr.exclude_user = attr->exclude_user;
	e->attr.exclude_kernel = attr->exclude_kernel;
	e->attr.exclude_hv = attr->exclude_hv;
	e->attr.exclude_guest |= attr->exclude_guest;
	e->attr.exclude_host |= attr->exclude_host;
	e->attr.exclude_idle = attr->exclude_idle;
	e->attr.precise_ip = attr->precise_ip;
	e->attr.pinned = attr->pinned;
	e->attr.exclusive = attr->exclusive;
}

static int pfm__add_event(struct event_parser *p, int len)
{
	struct perf_event_attr attr = { .type = 0 };
	auto_text name = xstrndup(p->text + p->pos, len);
	struct event *e;
	int rc = lib_pfm_get_perf_event_encoding(name, PFM_MODES, &attr, NULL, NULL);

	if (rc != PFM_SUCCESS)
		return pfm__refuse(p, p->pos, rc);
	rc = add__numeric(p, attr.type, attr.config);
	if (rc)
		return rc;
	e = p->list->at[p->list->nr - 1];
	pfm__set_attr(e, &attr);
	event__set_text(&e->name, name);
	e->config_name = true;
	p->pos += len;
	return 0;
}

/* Reads names up to the end of the text, or of the group that has begun. */
static int add_names(struct event_parser *p, bool in_group)
{
	int len, rc;

	for (;;) {
		parse__skip_blanks(p);
		len = strcspn(p->text + p->pos, ",{} \t\n");
		if (!len)
			return parse__error(p, p->pos, "expected the name of an event%s",
					    in_group && p->text[p->pos] == '{' ?
						    ": groups do not nest" : "");
		rc = pfm__add_event(p, len);
		if (rc)
			return rc;
		parse__skip_blanks(p);
		if (!in_group || p->text[p->pos] != ',')
			return 0;
		p->pos++;
	}
}

static int pfm__add_group(struct event_parser *p)
{
	int from = p->list->nr, rc;

	p->pos++;
	rc = add_names(p, true);
	if (rc)
		return rc;
	if (p->text[p->pos] != '}')
		return parse__error(p, p->pos, "'}' is missing after the group");
	p->pos++;
	parse__skip_blanks(p);
	regroup__make(p->list, from, p->list->nr);
	return 0;
}

static int add_list(struct event_parser *p)
{
	int rc;

	for (;;) {
		parse__skip_blanks(p);
		rc = p->text[p->pos] == '{' ? pfm__add_group(p) : add_names(p, false);
		if (rc || !p->text[p->pos])
			return rc;
		if (p->text[p->pos] != ',')
			return parse__error(p, p->pos, "expected ',' or the end after an event");
		p->pos++;
	}
}

int events__parse_pfm(const struct events_scope *scope, const char *text, struct event_list *list,
		      struct err *err)
{
	auto_free(event_list) found = EVENT_LIST_INIT;
	struct event_parser p = { .scope = scope, .text = text, .list = &found, .err = err };
	int rc = pfm__load(err) ?: add_list(&p);

	if (rc)
		return rc;
	regroup(&found, true);
	event_list__splice(list, &found);
	return 0;
}
