// SPDX-License-Identifier: GPL-2.0-only
/* tracefs has a directory for each tracepoint, with its id and the layout of its records. */
#include <ctype.h>
#include <errno.h>
#include <event-parse.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/suggest.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "machine/internal.h"

#define FORMAT "%s/%s/%s/format"
#define FORMAT_MAX (1 << 20)

/* These tracepoints were found. */
struct found {
	struct tracepoint *at;
	int nr, cap;
	enum tracepoint_detail detail;
};

/* tracefs stands in debugfs on older systems. */
static int find_directory(const struct machine *m, char *path, size_t size)
{
	static const char *const places[] = { "kernel/tracing", "kernel/debug/tracing" };
	char dir[PATH_MAX];

	for (int i = 0; i < array__nr(places); i++) {
		snprintf(path, size, "%s/%s/events", m->sysfs, places[i]);
		if (!access(path, F_OK))
			return 0;
		if (errno == EACCES)
			return -EACCES;
	}
	if (m->fake_sysfs || geteuid())
		return -ENOENT;
	snprintf(dir, sizeof(dir), "%s/%s", m->sysfs, places[0]);
	snprintf(path, size, "%s/%s/events", m->sysfs, places[0]);
	return mount("nodev", dir, "tracefs", 0, NULL) || access(path, F_OK) ? -ENOENT : 0;
}

static char *read_format(const char *dir, const char *system, const char *name)
{
	return machine__read_file(FORMAT_MAX, FORMAT, dir, system, name);
}

static int not_readable(const char *system, const char *name, int code, struct err *err)
{
	if (code == EACCES || code == EPERM)
		return err__set(
			err, EACCES,
			"tracepoint %s:%s: no permission to read tracefs: run as root, or let "
			"root do 'mount -o remount,mode=755 /sys/kernel/tracing'",
			system, name);
	return err__set(err, code, "tracepoint %s:%s: %s", system, name, strerror(code));
}

/*
 * The kernel's description of the tracepoint, where it may be read, must be one that
 * libtraceevent understands the head of, and must have the same id.
 */
static int check_format(const char *dir, const struct tracepoint *tp, struct err *err)
{
	char *text = read_format(dir, tp->system, tp->name);
	struct tep_event *event = NULL;
	struct tep_handle *tep;
	int rc = 0;

	if (!text)
		return 0;
	tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_parse_format(tep, &event, text, strlen(text), tp->system);
	if (!event || (uint64_t)event->id != tp->id)
		rc = err__set(err, EINVAL, "tracepoint %s:%s: " FORMAT " does not describe it",
			      tp->system, tp->name, dir, tp->system, tp->name);
	tep_free(tep);
	free(text);
	return rc;
}

static int read_id(const char *dir, const char *system, const char *name, uint64_t *id,
		   struct err *err)
{
	char line[32];
	int rc;

	rc = file__read_line(line, sizeof(line), "%s/%s/%s/id", dir, system, name);
	if (rc < 0)
		return not_readable(system, name, -rc, err);
	if (num__parse_u64("id", line, 0, INT_MAX, id, NULL))
		return err__set(err, EINVAL, "tracepoint %s:%s: its id '%s' is no number", system,
				name, line);
	return 0;
}

static int push(struct found *found, const char *dir, const char *system, const char *name,
		struct err *err)
{
	struct tracepoint tp = { .id = 0 };
	int rc = found->detail == TRACEPOINT_NAMES ? 0 : read_id(dir, system, name, &tp.id, err);

	if (rc)
		return found->detail == TRACEPOINT_IDS ? 0 : rc;
	tp.system = xstrdup(system);
	tp.name = xstrdup(name);
	vec__push(found, tp);
	return found->detail == TRACEPOINT_CHECKED ? check_format(dir, &tp, err) : 0;
}

static int add_matching(struct found *found, const char *dir, const char *system, const char *name,
			struct err *err)
{
	char **names;
	int nr, rc;

	if (!text__is_glob(name))
		return push(found, dir, system, name, err);
	rc = file__list_dir(&names, &nr, "%s/%s", dir, system);
	if (rc)
		return rc == -ENOTDIR ? 0 : not_readable(system, name, -rc, err);
	for (int i = 0; i < nr && !rc; i++)
		if (text__match(name, names[i], false) &&
		    file__exists("%s/%s/%s/id", dir, system, names[i]))
			rc = push(found, dir, system, names[i], err);
	file__free_names(names, nr);
	return rc;
}

static int add_systems(struct found *found, const char *dir, const char *system, const char *name,
		       struct err *err)
{
	char **names;
	int nr, rc;

	if (!text__is_glob(system))
		return add_matching(found, dir, system, name, err);
	rc = file__list_dir(&names, &nr, "%s", dir);
	if (rc)
		return not_readable(system, name, -rc, err);
	for (int i = 0; i < nr && !rc; i++) {
		if (!text__match(system, names[i], false))
			continue;
		if (text__is_glob(name) || file__exists("%s/%s/%s/id", dir, names[i], name))
			rc = add_matching(found, dir, names[i], name, err);
	}
	file__free_names(names, nr);
	return rc;
}

static int find(const struct machine *m, const char *system, const char *name, struct found *found,
		struct err *err)
{
	char dir[PATH_MAX];
	int rc;

	rc = find_directory(m, dir, sizeof(dir));
	if (rc == -ENOENT)
		return err__set(err, ENOENT,
				"tracepoint %s:%s: tracefs is not mounted: let root do 'mount -t "
				"tracefs nodev /sys/kernel/tracing'",
				system, name);
	if (rc)
		return not_readable(system, name, -rc, err);
	if (!strchr(system, '/') && !strchr(name, '/') && *system != '.' && *name != '.')
		rc = add_systems(found, dir, system, name, err);
	if (rc == -ENOENT || (!rc && !found->nr))
		rc = err__set(err, ENOENT, "there is no tracepoint %s:%s", system, name);
	return rc;
}

int machine__tracepoints(const struct machine *m, const char *system, const char *name,
			 enum tracepoint_detail detail, struct tracepoint **out, int *nr,
			 struct err *err)
{
	struct found found = { .detail = detail };
	int rc = find(m, system, name, &found, err);

	if (rc) {
		tracepoint__free_all(found.at, found.nr);
		return rc;
	}
	*out = found.at;
	*nr = found.nr;
	return 0;
}

void tracepoint__free_all(struct tracepoint *at, int nr)
{
	for (int i = 0; i < nr; i++) {
		free(at[i].system);
		free(at[i].name);
	}
	free(at);
}

/* --- Filters ---------------------------------------------------------------------------------- */

/* The kernel knows some beside a tracepoint's own fields. */
static bool is_field(struct tep_event *event, const char *name)
{
	return text__is_any(name, "cpu", "CPU", "comm", "COMM", "stacktrace", "STACKTRACE") ||
	       tep_find_any_field(event, name);
}

static int unknown_field(struct tep_event *event, const char *filter, const char *name,
			 struct err *err)
{
	struct sb text = SB_INIT;
	struct suggest near;
	int rc;

	suggest__init(&near, name);
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		suggest__offer(&near, f->name);
	suggest__print(&near, &text);
	sb__puts(&text, "\n  its fields are:");
	for (struct tep_format_field *f = event->format.fields; f; f = f->next)
		sb__printf(&text, "%s %s", f == event->format.fields ? "" : ",", f->name);
	rc = err__set(err, EINVAL, "--filter '%s': tracepoint %s:%s has no field '%s'%s", filter,
		      event->system, event->name, name, sb__str(&text));
	sb__free(&text);
	return rc;
}

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS "0123456789"

/* Go behind a quoted text, a number, or one other character; NULL for a quote left open. */
static const char *skip_other(const char *p)
{
	if (*p == '"' || *p == '\'') {
		p = strchr(p + 1, *p);
		return p ? p + 1 : NULL;
	}
	return isdigit((unsigned char)*p) ? p + strspn(p, LETTERS DIGITS) : p + 1;
}

/* A name is a field when an operator follows, perhaps behind ".ustring" or the like. */
static bool is_compared(const char *behind)
{
	if (*behind == '.')
		behind += 1 + strspn(behind + 1, LETTERS DIGITS);
	behind += strspn(behind, " \t");
	return *behind && strchr("=!<>&~", *behind) && strncmp(behind, "&&", 2);
}

static int check_fields(struct tep_event *event, const char *filter, struct err *err)
{
	const char *p = filter;
	char name[64];
	int len;

	while (p && *p) {
		len = isdigit((unsigned char)*p) ? 0 : strspn(p, LETTERS DIGITS);
		if (!len) {
			p = skip_other(p);
			continue;
		}
		snprintf(name, sizeof(name), "%.*s", len, p);
		if (is_compared(p + len) && !is_field(event, name))
			return unknown_field(event, filter, name, err);
		p += len;
	}
	return p ? 0 : err__set(err, EINVAL, "--filter '%s': a quote is not closed", filter);
}

static bool ends_in_operator(const char *filter)
{
	size_t len = strlen(filter);

	while (len && isspace((unsigned char)filter[len - 1]))
		len--;
	return !len || strchr("=!<>&|^(+-*/", filter[len - 1]);
}

/* libtraceevent does not know the kernel's globs. */
static int check_syntax(struct tep_handle *tep, const struct tep_event *event, const char *filter,
			struct err *err)
{
	struct tep_event_filter *parsed;
	char why[256] = "", *text;
	int rc;

	if (strchr(filter, '~') || strstr(filter, "CPUS{"))
		return 0;
	/* libtraceevent 1.7 crashes over such an end. */
	if (ends_in_operator(filter))
		return err__set(err, EINVAL, "--filter '%s': something is missing at its end", filter);
	parsed = tep_filter_alloc(tep);
	text = xasprintf("%s/%s:%s", event->system, event->name, filter);
	rc = tep_filter_add_filter_str(parsed, text);
	if (rc < 0) {
		tep_filter_strerror(parsed, rc, why, sizeof(why));
		rc = err__set(err, EINVAL, "--filter '%s':%c%s", filter, err__joint(why), why);
	}
	tep_filter_free(parsed);
	free(text);
	return rc < 0 ? rc : 0;
}

/* Read the kernel's description of a tracepoint; NULL where it may not be read. */
static struct tep_event *read_event(struct tep_handle *tep, const struct machine *m,
				    const char *system, const char *name)
{
	char dir[PATH_MAX], *text;

	text = find_directory(m, dir, sizeof(dir)) ? NULL :
							   read_format(dir, system, name);
	if (!text)
		return NULL;
	tep_parse_event(tep, text, strlen(text), system);
	free(text);
	return tep_find_event_by_name(tep, system, name);
}

int machine__check_filter(const struct machine *m, const char *tracepoint, const char *filter,
			  struct err *err)
{
	char *system = xstrdup(tracepoint), *name = system;
	struct tep_handle *tep = tep_alloc();
	struct tep_event *event = NULL;
	int rc = 0;

	strsep(&name, ":");
	tep_set_loglevel(TEP_LOG_NONE);
	if (name)
		event = read_event(tep, m, system, strsep(&name, ":"));
	if (event)
		rc = check_fields(event, filter, err);
	if (event && !rc)
		rc = check_syntax(tep, event, filter, err);
	tep_free(tep);
	free(system);
	return rc;
}
