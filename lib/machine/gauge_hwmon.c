// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read sensors of the kernel's hwmon class, which has a directory for each device and a file for
 * each value. Names of files and units follow Linux's Documentation/hwmon/sysfs-interface.rst.
 * Names of events are derived from names of files, as in perf since 6.14.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/auto.h"
#include "base/file.h"
#include "base/num.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "machine/gauge_source.h"
#include "machine/machine.h"

#define CLASS "%s/class/hwmon"
#define NAME_MAX_LEN 128
#define PREFIX "hwmon"
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_.-"

/** struct sensor - the kind of value in files whose names begin with @type */
static const struct sensor {
	const char *type, *unit, *what;
	double scale;
} sensors[] = {
	{ "cpu", "V", "Reference voltage of the CPU", 0.001 },
	{ "curr", "A", "Current", 0.001 },
	{ "energy", "J", "Energy used so far", 1e-6 },
	{ "fan", "rpm", "Fan", 1 },
	{ "humidity", "%", "Humidity", 0.001 },
	{ "in", "V", "Voltage", 0.001 },
	{ "intrusion", "", "Whether the chassis was opened", 1 },
	{ "power", "W", "Power", 1e-6 },
	{ "pwm", "Hz", "Pulse width of a fan's control", 1 },
	{ "temp", "'C", "Temperature", 0.001 },
};

/* Items that describe a sensor, and are not amounts in its unit. */
static const char *const states[] = { "alarm", "auto_channels_temp", "average_interval",
				      "average_interval_max", "average_interval_min", "beep", "div",
				      "enable", "fault", "freq", "mod", "pulses", "reset_history",
				      "type", "vid", NULL };

/**
 * struct file_name - the parts of a name like "temp1_crit"
 * @number: the sensor's number; -1 if a label replaces it ("temp_cpu")
 * @item:   the text after '_', or ""
 */
struct file_name {
	const struct sensor *sensor;
	int number;
	const char *item;
};

/* Split a name. Return: whether it has the form of a value's name. */
static bool gauge_hwmon__split(const char *name, struct file_name *out)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
	const char *rest = name + len;
	uint64_t number;
	int digits;

	out->sensor = array__first(s, sensors, strlen(s->type) == len &&
						       !strncasecmp(s->type, name, len));
	if (!out->sensor)
		return false;
	digits = isdigit((unsigned char)*rest) ? num__scan_u64(rest, 10, &number) : 0;
	out->number = digits && number < 65536 ? (int)number : -1;
	out->item = rest + digits;
	if (*out->item == '_' && out->item[1])
		out->item++;
	else if (*out->item || !digits)
		return false;
	return !digits || out->number >= 0;
}

static bool gauge_hwmon__may_have(const char *name)
{
	struct file_name parts;

	return gauge_hwmon__split(name, &parts);
}

static bool is_state(const struct file_name *parts)
{
	return parts->number >= 0 &&
	       (text__is_in(parts->item, states) || text__has_suffix(parts->item, "_alarm"));
}

static const char *gauge_hwmon__unit_of(const char *name)
{
	struct file_name parts;

	if (!gauge_hwmon__split(name, &parts))
		return NULL;
	return is_state(&parts) ? "" : parts.sensor->unit;
}

/* Replace characters that separate events and terms, which a name cannot have; use lower case. */
static char *fit_name(char *name)
{
	for (char *p = name; *p; p++)
		if (strchr(" :,/\t\n", *p))
			*p = '_';
	return text__lower(name);
}

/*
 * Make the event's name from the label of the value, "temp_package_id_0". Return: NULL if there is
 * no label, or it has characters that names of events cannot have ("+12V").
 */
static char *name_by_label(const struct sensor *sensor, const char *label)
{
	auto_free(sb) sb = SB_INIT;

	if (!label)
		return NULL;
	sb__printf(&sb, "%s_%s", sensor->type, label);
	fit_name(sb.buf);
	return sb.buf[strspn(sb.buf, NAME_CHARACTERS)] ? NULL : sb__detach(&sb);
}

static char *read_label(const struct machine *m, const char *device, const struct file_name *parts)
{
	char line[NAME_MAX_LEN];

	if (file__read_line(line, sizeof(line), CLASS "/%s/%s%d_label", m->sysfs, device,
			    parts->sensor->type, parts->number) <= 0)
		return NULL;
	return xstrdup(line);
}

static char *path_of(const struct machine *m, const char *device, const char *file)
{
	struct sb sb = SB_INIT;

	sb__printf(&sb, CLASS "/%s/%s", m->sysfs, device, file);
	return sb__detach(&sb);
}

static void add_file(const struct machine *m, struct gauges *gs, const char *device,
		     const char *pmu, const char *file)
{
	struct file_name parts;
	struct gauge g = { .source = &gauge_source__hwmon };
	struct sb number = SB_INIT;

	if (!gauge_hwmon__split(file, &parts) || parts.number < 0 || !*parts.item ||
	    !strcmp(parts.item, "label"))
		return;
	g.further = strcmp(parts.item, "input") != 0;
	g.scale = is_state(&parts) ? 1 : parts.sensor->scale;
	g.unit = is_state(&parts) ? "" : parts.sensor->unit;
	g.what = parts.sensor->what;
	g.pmu = xstrdup(pmu);
	g.pmu_alias = xstrdup(device);
	g.path = path_of(m, device, file);
	if (g.further) {
		g.name = xstrdup(file);
	} else {
		sb__printf(&number, "%s%d", parts.sensor->type, parts.number);
		g.label = read_label(m, device, &parts);
		g.name = name_by_label(parts.sensor, g.label);
		if (g.name)
			g.alias = sb__detach(&number);
		else
			g.name = sb__detach(&number);
	}
	vec__push(&gs->list, g);
}

static void add_device(const struct machine *m, struct gauges *gs, const char *device)
{
	char line[NAME_MAX_LEN], **files;
	struct sb pmu = SB_INIT;
	int nr;

	if (!text__has_prefix(device, PREFIX) ||
	    file__read_line(line, sizeof(line), CLASS "/%s/name", m->sysfs, device) <= 0 ||
	    file__list_dir(&files, &nr, CLASS "/%s", m->sysfs, device))
		return;
	sb__printf(&pmu, PREFIX "_%s", fit_name(line));
	for (int i = 0; i < nr; i++)
		add_file(m, gs, device, sb__str(&pmu), files[i]);
	file__free_names(files, nr);
	sb__free(&pmu);
}

static void gauge_hwmon__find(const struct machine *m, struct gauges *gs)
{
	char **devices;
	int nr;

	if (!m->sysfs || file__list_dir(&devices, &nr, CLASS, m->sysfs))
		return;
	for (int i = 0; i < nr; i++)
		add_device(m, gs, devices[i]);
	file__free_names(devices, nr);
}

static int gauge_hwmon__read_number(const char *path, int64_t *value)
{
	char line[64];
	int rc = file__read_line(line, sizeof(line), "%s", path);

	return rc < 0 ? rc : num__parse_i64("value", line, INT64_MIN, INT64_MAX, value, NULL);
}

/* Tell whether two values belong to the same sensor: "temp1_crit" and "temp1_input". */
static bool is_beside(const struct gauge *further, const struct gauge *g)
{
	size_t len = strlen(g->path) - strlen("input");

	return further->further && !strncmp(further->path, g->path, len);
}

static void gauge_hwmon__describe(const struct machine *m, const struct gauge *g, struct sb *out)
{
	const struct gauge *other;
	int64_t value;

	sb__printf(out, "%s of %s", g->what, g->pmu + strlen(PREFIX "_"));
	sb__puts(out, g->label ? ", called " : "");
	if (g->label)
		text__clean(out, g->label, strlen(g->label), "");
	if (!g->further)
		vec__for_each(other, &m->gauges->list)
			if (other->source == g->source && is_beside(other, g) &&
			    !gauge_hwmon__read_number(other->path, &value))
				sb__printf(out, "; %s %g%s%s", strchr(other->name, '_') + 1,
					   value * other->scale, *other->unit ? " " : "",
					   other->unit);
}

static int gauge_hwmon__read_value(const struct machine *m, const struct gauge *g, int pid,
				   uint64_t *value)
{
	int64_t number;
	int rc = gauge_hwmon__read_number(g->path, &number);

	(void)m;
	(void)pid;
	if (rc || number < 0)
		return rc ?: -ERANGE;
	*value = number;
	return 0;
}

const struct gauge_source gauge_source__hwmon = {
	.topic = "hwmon",
	.pmu_prefix = PREFIX,
	.may_have = gauge_hwmon__may_have,
	.unit_of = gauge_hwmon__unit_of,
	.find = gauge_hwmon__find,
	.describe = gauge_hwmon__describe,
	.read = gauge_hwmon__read_value,
};
