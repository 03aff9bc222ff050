// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/num.h"
#include "base/text.h"
#include "sim/context.h"
#include "sim/fault.h"

static const struct fault_error {
	const char *name;
	int value;
} errors[] = {
	{"EPERM", EPERM},   {"ENOENT", ENOENT}, {"EINTR", EINTR},   {"EIO", EIO},
	{"ENXIO", ENXIO},   {"EBADF", EBADF},	{"EAGAIN", EAGAIN}, {"ENOMEM", ENOMEM},
	{"EACCES", EACCES}, {"EFAULT", EFAULT}, {"EBUSY", EBUSY},   {"ENODEV", ENODEV},
	{"EINVAL", EINVAL}, {"ENFILE", ENFILE}, {"EMFILE", EMFILE}, {"ENOSPC", ENOSPC},
	{"ENOSYS", ENOSYS}, {"ESRCH", ESRCH},	{"E2BIG", E2BIG},   {"EOPNOTSUPP", EOPNOTSUPP},
};

static int parse_error(const char *name, int *error, struct err *err)
{
	const struct fault_error *found = array__find(errors, name, name);

	if (!found)
		return err__set(err, EINVAL, "'%s' is not an errno name that a fault can have", name);
	*error = found->value;
	return 0;
}

static int parse_time(const char *text, uint64_t *ns, struct err *err)
{
	double value;
	int n = num__scan_double(text, &value);

	if (n && !strcmp(text + n, "ms"))
		*ns = value * 1e6;
	else if (n && !strcmp(text + n, "s"))
		*ns = value * 1e9;
	else
		return err__set(err, EINVAL, "'%s' is not a time in ms or s", text);
	return 0;
}

static int fault__parse_number(const char *what, const char *text, int *out, struct err *err)
{
	uint64_t n;
	int rc = num__parse_u64(what, text, 0, INT32_MAX, &n, err);

	if (!rc)
		*out = n;
	return rc;
}

/* Parse "3@1s-2s": a CPU, when it goes offline, and when it comes back. */
static int parse_offline(char *text, struct fault *f, struct err *err)
{
	char *at = strchr(text, '@'), *dash = at ? strchr(at, '-') : NULL;

	f->kind = FAULT_OFFLINE;
	f->to_ns = UINT64_MAX;
	if (!at)
		return err__set(err, EINVAL, "offline=CPU@TIME[-TIME] is meant");
	*at++ = '\0';
	if (dash)
		*dash++ = '\0';
	if (fault__parse_number("CPU", text, &f->cpu, err) || parse_time(at, &f->from_ns, err))
		return -EINVAL;
	return dash ? parse_time(dash, &f->to_ns, err) : 0;
}

/*
 * Parse the text before '=' of the faults open, read, mmap and count: "#3", "@7", ">64",
 * ":cpu_core/event=0x3c/", ":cpu_core/event=0x3c/@7".
 */
static int parse_which(char *text, struct fault *f, struct err *err)
{
	char *cpu;

	switch (*text) {
	case '\0':
		return 0;
	case '#':
		return fault__parse_number("number", text + 1, &f->number, err);
	case '>':
		return fault__parse_number("pages", text + 1, &f->pages, err);
	case '@':
		return fault__parse_number("CPU", text + 1, &f->cpu, err);
	case ':':
		f->event = text + 1;
		cpu = strrchr(f->event, '@');
		if (!cpu)
			return 0;
		*cpu = '\0';
		return fault__parse_number("CPU", cpu + 1, &f->cpu, err);
	default:
		return err__set(err, EINVAL, "'%s' is none of #NUMBER, @CPU, >PAGES, :EVENT", text);
	}
}

static int parse_read(const char *how, struct fault *f, struct err *err)
{
	if (!strcmp(how, "short"))
		f->how = FAULT_READ_SHORT;
	else if (!strcmp(how, "end"))
		f->how = FAULT_READ_END;
	else
		return parse_error(how, &f->error, err);
	return 0;
}

static int parse_count(const char *how, struct fault *f, struct err *err)
{
	if (!strcmp(how, "zero"))
		f->count = FAULT_COUNT_ZERO;
	else if (!strcmp(how, "never"))
		f->count = FAULT_COUNT_NEVER;
	else
		return err__set(err, EINVAL, "'%s' is none of zero, never", how);
	return 0;
}

static int fault__parse_value(const char *value, struct fault *f, struct err *err)
{
	switch (f->kind) {
	case FAULT_READ:
		return parse_read(value, f, err);
	case FAULT_COUNT:
		return parse_count(value, f, err);
	case FAULT_LATE:
		return parse_time(value, &f->from_ns, err);
	default:
		return parse_error(value, &f->error, err);
	}
}

/* Replace the name of an ioctl, which was parsed as an event, by the number of the request. */
static int parse_request(struct fault *f, struct err *err)
{
	static const struct {
		const char *name;
		unsigned long request;
	} requests[] = {
		{"enable", PERF_EVENT_IOC_ENABLE}, {"disable", PERF_EVENT_IOC_DISABLE},
		{"reset", PERF_EVENT_IOC_RESET},   {"id", PERF_EVENT_IOC_ID},
		{"period", PERF_EVENT_IOC_PERIOD}, {"refresh", PERF_EVENT_IOC_REFRESH},
		{"set-output", PERF_EVENT_IOC_SET_OUTPUT},
	};

	if (f->kind != FAULT_IOCTL || !f->event)
		return 0;
	for (int i = 0; i < array__nr(requests); i++)
		if (!strcmp(f->event, requests[i].name)) {
			f->request = requests[i].request;
			f->event = NULL;
			return 0;
		}
	return err__set(err, EINVAL,
			"'%s' is none of enable, disable, reset, id, period, refresh, set-output",
			f->event);
}

/* Parse "read#3=EIO": which call of a function fails, and how. */
static int parse_call(char *item, char *value, struct fault *f, struct err *err)
{
	static const struct {
		const char *name;
		enum fault_kind kind;
	} calls[] = { { "open", FAULT_OPEN },
		      { "mmap", FAULT_MMAP },
		      { "read", FAULT_READ },
		      { "ioctl", FAULT_IOCTL },
		      { "late", FAULT_LATE },
		      { "count", FAULT_COUNT } };

	for (int i = 0; i < array__nr(calls); i++) {
		if (!text__has_prefix(item, calls[i].name))
			continue;
		f->kind = calls[i].kind;
		return parse_which(item + strlen(calls[i].name), f, err) ?:
		       parse_request(f, err) ?: fault__parse_value(value, f, err);
	}
	return err__set(err, EINVAL,
			"'%s' is none of open, read, mmap, ioctl, late, count, file, offline, "
			"fds, lost, "
			"throttle",
			item);
}

/* Parse "/proc/cpuinfo=empty". */
static int parse_file(char *path, struct fault *f, struct err *err)
{
	static const struct {
		const char *name;
		enum fault_file how;
		const char *text;
	} ways[] = {
		{ "missing", FAULT_FILE_MISSING, NULL },
		{ "unreadable", FAULT_FILE_UNREADABLE, NULL },
		{ "quoted", FAULT_FILE_QUOTED, NULL },
		{ "long", FAULT_FILE_LONG, NULL },
		{ "empty", FAULT_FILE_TEXT, "" },
		{ "blank", FAULT_FILE_TEXT, " \n" },
	};
	char *how = strchr(path, '=');

	f->kind = FAULT_FILE;
	f->path = path;
	if ((!text__has_prefix(path, "/sys/") && !text__has_prefix(path, "/proc/")) ||
	    strstr(path, "..") || !how)
		return err__set(err, EINVAL, "expected file:/sys/...=HOW or file:/proc/...=HOW");
	*how++ = '\0';
	if (text__has_prefix(how, "text:")) {
		f->file = FAULT_FILE_TEXT;
		f->text = how + strlen("text:");
		return 0;
	}
	for (int i = 0; i < array__nr(ways); i++)
		if (!strcmp(how, ways[i].name)) {
			f->file = ways[i].how;
			f->text = ways[i].text;
			return 0;
		}
	return parse_error(how, &f->error, err);
}

static int parse_one(char *item, struct faults *faults, struct err *err)
{
	const struct {
		const char *name;
		int *number;
	} numbers[] = {
		{ "fds", &faults->max_fds },
		{ "lost", &faults->lost },
		{ "throttle", &faults->throttle },
	};
	struct fault f = { .cpu = -1 };
	/* The last '=' separates the value: terms of events also contain '='. */
	char *value = strrchr(item, '=');
	int rc;

	if (text__has_prefix(item, "offline="))
		value = item + strlen("offline");
	if (text__has_prefix(item, "file:")) {
		rc = parse_file(item + strlen("file:"), &f, err);
		goto keep;
	}
	if (!value)
		return err__set(err, EINVAL, "'%s' has no =", item);
	*value++ = '\0';
	for (int i = 0; i < array__nr(numbers); i++)
		if (!strcmp(item, numbers[i].name))
			return fault__parse_number(item, value, numbers[i].number, err);
	rc = strcmp(item, "offline") ? parse_call(item, value, &f, err) :
				       parse_offline(value, &f, err);
keep:
	if (!rc && vec__push(&faults->list, f))
		rc = err__set(err, ENOMEM, "out of memory");
	return rc;
}

int faults__parse(const char *text, struct faults *faults, struct err *err)
{
	char *rest, *item;
	int rc = 0;

	*faults = (struct faults){ .max_fds = -1, .text = strdup(text) };
	if (!faults->text)
		return err__set(err, ENOMEM, "out of memory");
	for (rest = faults->text; !rc && (item = strsep(&rest, ";"));)
		if (*item)
			rc = parse_one(text__trim(item), faults, err);
	if (rc)
		faults__free(faults);
	return rc;
}

void faults__free(struct faults *faults)
{
	vec__free(&faults->list);
	free(faults->text);
	faults->text = NULL;
}

/*
 * Find out whether an event matches a text: "cpu_core/event=0x3c/", where all other terms must be
 * 0, or "cpu_core", which matches all events of the PMU.
 */
static bool is_event(const struct sim_event *event, const char *text)
{
	const char *slash = strchr(text, '/');
	struct sim_match match;
	char terms[256];

	if (!event->pmu)
		return !strcmp(text, "software");
	if (!slash)
		return !strcmp(text, event->pmu->name);
	if (!text__is(text, slash - text, event->pmu->name))
		return false;
	snprintf(terms, sizeof(terms), "%.*s", (int)strcspn(slash + 1, "/"), slash + 1);
	return !sim_match__parse(event->pmu, terms, &match, NULL) &&
	       sim_pmu__matches(event->pmu, &match, true, &event->config);
}

/* Find out whether a fault applies to an event and its CPU. Without an event, it applies. */
static bool applies_to(const struct fault *f, const struct sim_event *event)
{
	return !event ||
	       ((f->cpu < 0 || f->cpu == event->cpu) && (!f->event || is_event(event, f->event)));
}

/* Count a call, and find its fault, or NULL. @event: (open) the event that is opened */
static const struct fault *find_fault(struct faults *faults, enum fault_kind kind,
				      const struct sim_event *event, size_t pages)
{
	const struct fault *f;
	int nr = ++faults->calls[kind];

	vec__for_each(f, &faults->list) {
		if (f->kind != kind || (f->number && f->number != nr))
			continue;
		if (applies_to(f, event) && (!f->pages || pages > (size_t)f->pages))
			return f;
	}
	return NULL;
}

int faults__on_open(struct faults *faults, const struct sim_event *event, int nr_open)
{
	const struct fault *f = find_fault(faults, FAULT_OPEN, event, SIZE_MAX);

	if (faults->max_fds >= 0 && nr_open >= faults->max_fds)
		return -EMFILE;
	return f ? -f->error : 0;
}

enum fault_count faults__on_count(const struct faults *faults, const struct sim_event *event)
{
	const struct fault *f;

	vec__for_each(f, &faults->list)
		if (f->kind == FAULT_COUNT && applies_to(f, event))
			return f->count;
	return FAULT_COUNT_NONE;
}

const struct fault *faults__on_read(struct faults *faults)
{
	return find_fault(faults, FAULT_READ, NULL, SIZE_MAX);
}

int faults__on_ioctl(struct faults *faults, unsigned long request)
{
	const struct fault *f;
	int nr = ++faults->calls[FAULT_IOCTL];

	vec__for_each(f, &faults->list)
		if (f->kind == FAULT_IOCTL && (!f->number || f->number == nr) &&
		    (!f->request || f->request == request))
			return -f->error;
	return 0;
}

int faults__on_mmap(struct faults *faults, size_t pages)
{
	const struct fault *f = find_fault(faults, FAULT_MMAP, NULL, pages);

	return f ? -f->error : 0;
}

uint64_t faults__lateness(struct faults *faults)
{
	const struct fault *f = find_fault(faults, FAULT_LATE, NULL, SIZE_MAX);

	return f ? f->from_ns : 0;
}

bool faults__drops_record(struct faults *faults)
{
	faults->records++;
	return faults->lost && faults->records % faults->lost == 0;
}

bool faults__is_online(const struct faults *faults, int cpu, uint64_t ns)
{
	return !vec__find(f, &faults->list,
			  f->kind == FAULT_OFFLINE && f->cpu == cpu && ns >= f->from_ns &&
				  ns < f->to_ns);
}

uint64_t faults__went_offline(const struct faults *faults, int cpu, uint64_t ns)
{
	uint64_t when = UINT64_MAX;
	const struct fault *f;

	vec__for_each(f, &faults->list)
		if (f->kind == FAULT_OFFLINE && f->cpu == cpu && ns >= f->from_ns &&
		    (when == UINT64_MAX || f->from_ns > when))
			when = f->from_ns;
	return when;
}

bool faults__has_offline(const struct faults *faults)
{
	return vec__find(f, &faults->list, f->kind == FAULT_OFFLINE);
}
