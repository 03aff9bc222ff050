// SPDX-License-Identifier: GPL-2.0-only
/* Read the type, the formats and the events of a PMU from sysfs. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

#define DEVICES "bus/event_source/devices"

int sysfs__read(const char *root, const char *pmu, const char *file, char *line, size_t size)
{
	char path[4096];
	ssize_t got;
	int fd, n;

	n = snprintf(path, sizeof(path), "%s/" DEVICES "/%s/%s", root, pmu, file);
	if (n < 0 || (size_t)n >= sizeof(path))
		return -ENAMETOOLONG;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	got = read(fd, line, size - 1);
	n = got < 0 ? -errno : 0;
	close(fd);
	if (n)
		return n;
	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

/*
 * Parse a decimal number, or a hexadecimal one with 0x. @end: set to the text after it; with NULL
 * no text may follow.
 */
static bool sysfs__number(const char *text, char **end, uint64_t *value)
{
	char *stop;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*value = strtoull(text, &stop, 0);
	if (end)
		*end = stop;
	return !errno && (end || !*stop);
}

/* Find the field of perf_event_attr that a format names. */
static uint64_t *config_field(struct perf_event_attr *attr, const char *name, size_t length)
{
	__u64 *const fields[] = { &attr->config, &attr->config1, &attr->config2 };
	static const char *const names[] = { "config", "config1", "config2" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i]) == length && !memcmp(names[i], name, length))
			return (uint64_t *)fields[i];
	return NULL;
}

/*
 * Put the bits of @value, from the lowest on, into the bits that @format names: "config:0-7",
 * "config:8-15,32-55".
 * Return: 0; -ERANGE if @value has more bits than @format; -EINVAL for any other kind of format.
 */
static int place_bits(struct perf_event_attr *attr, const char *format, uint64_t value)
{
	const char *colon = strchr(format, ':');
	uint64_t *field = colon ? config_field(attr, format, (size_t)(colon - format)) : NULL;
	char *at = field ? (char *)colon + 1 : NULL;

	while (at) {
		uint64_t first, last, bits;

		if (!sysfs__number(at, &at, &first))
			return -EINVAL;
		last = first;
		if (*at == '-' && !sysfs__number(at + 1, &at, &last))
			return -EINVAL;
		if (last < first || last > 63)
			return -EINVAL;
		bits = last - first == 63 ? UINT64_MAX : (1ULL << (last - first + 1)) - 1;
		*field = (*field & ~(bits << first)) | (value & bits) << first;
		value = last - first == 63 ? 0 : value >> (last - first + 1);
		at = *at == ',' ? at + 1 : NULL;
	}
	return !field ? -EINVAL : value ? -ERANGE : 0;
}

struct encoding {
	const char *root;
	const char *pmu;
	struct perf_event_attr *attr;
	struct tma_topdown_error *error;
	bool in_event;
};

static int encode_terms(const struct encoding *encoding, const char *terms);

/* Encode a term with a value, for config itself or for a format of the PMU. */
static int encode_format(const struct encoding *encoding, const char *name, uint64_t value)
{
	uint64_t *field = config_field(encoding->attr, name, strlen(name));
	char file[128], format[256];
	int ret;

	if (field) {
		*field = value;
		return 0;
	}
	snprintf(file, sizeof(file), "format/%s", name);
	ret = sysfs__read(encoding->root, encoding->pmu, file, format, sizeof(format));
	if (!ret)
		ret = place_bits(encoding->attr, format, value);
	if (ret == -ERANGE)
		return topdown__fail(encoding->error, TMA_TOPDOWN_NO_EVENT, ERANGE,
				     "%s/%s=0x%llx/: the value has more bits than the format %s",
				     encoding->pmu, name, (unsigned long long)value, format);
	if (ret)
		return topdown__fail(encoding->error, TMA_TOPDOWN_NO_EVENT, EINVAL,
				     "%s/%s/: the PMU has no term '%s' (see %s/" DEVICES "/%s/format)",
				     encoding->pmu, name, name, encoding->root, encoding->pmu);
	return 0;
}

/* Encode a term without a value: an event with this name, or else a format, which is set to 1. */
static int encode_name(const struct encoding *encoding, const char *name)
{
	struct encoding inner = *encoding;
	char file[128], terms[256];

	snprintf(file, sizeof(file), "events/%s", name);
	if (encoding->in_event ||
	    sysfs__read(encoding->root, encoding->pmu, file, terms, sizeof(terms)))
		return encode_format(encoding, name, 1);
	inner.in_event = true;
	return encode_terms(&inner, terms);
}

static int encode_term(const struct encoding *encoding, char *term)
{
	char *equals = strchr(term, '=');
	uint64_t value;

	/* A name becomes part of a path, so it must not contain "/". */
	if (strchr(term, '/') || *term == '.' || strlen(term) > 100)
		return topdown__fail(encoding->error, TMA_TOPDOWN_NO_EVENT, EINVAL,
				     "%s: '%.100s' is not the name of an event or a term", encoding->pmu,
				     term);
	if (!equals)
		return encode_name(encoding, term);
	*equals = '\0';
	if (!sysfs__number(equals + 1, NULL, &value))
		return topdown__fail(encoding->error, TMA_TOPDOWN_NO_EVENT, EINVAL,
				     "%s/%s=%s/: '%s' is not a number", encoding->pmu, term,
				     equals + 1, equals + 1);
	return encode_format(encoding, term, value);
}

static int encode_terms(const struct encoding *encoding, const char *terms)
{
	char copy[512], *rest = copy, *term;
	int ret = 0;

	if (!*terms || strlen(terms) >= sizeof(copy))
		return topdown__fail(encoding->error, TMA_TOPDOWN_NO_EVENT, EINVAL,
				     "%s: the event has no terms, or too many", encoding->pmu);
	strcpy(copy, terms);
	while (!ret && (term = strsep(&rest, ",")))
		ret = encode_term(encoding, term);
	return ret;
}

int sysfs__encode(const char *root, const char *pmu, const char *terms,
		  struct perf_event_attr *attr, struct tma_topdown_error *error)
{
	const struct encoding encoding = {
		.root = root, .pmu = pmu, .attr = attr, .error = error,
	};
	char line[64];
	uint64_t type;
	int ret = sysfs__read(root, pmu, "type", line, sizeof(line));

	if (!ret && !sysfs__number(line, NULL, &type))
		ret = -EINVAL;
	if (ret)
		return topdown__fail(error, TMA_TOPDOWN_NO_PMU, ENODEV,
				     "there is no PMU '%s' on this machine (%s/" DEVICES "/%s/type: %s)",
				     pmu, root, pmu, strerror(-ret));
	attr->type = (uint32_t)type;
	return encode_terms(&encoding, terms);
}
