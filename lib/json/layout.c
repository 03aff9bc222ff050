// SPDX-License-Identifier: GPL-2.0-only
/* Recognise layouts of tables: the kernel's, Intel's, and Arm's, which is not read. */
#include <errno.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "json/file.h"
#include "json/load.h"
#include "json/mapfile.h"

bool telemetry__is_text(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '{' && strstr(text, "\"product_configuration\"");
}

bool telemetry__is_dir(const char *path)
{
	/*
	 * Paths from the repository, or from a folder in it, to the folder that has a folder for
	 * each family.
	 */
	static const char *const below[] = { TELEMETRY_FOLDER, "pmu/cpu", "cpu/neoverse",
					     "neoverse" };

	for (int i = 0; i < array__nr(below); i++)
		if (file__is_dir("%s/%s", path, below[i]))
			return true;
	return false;
}

int telemetry__refuse(struct err *err)
{
	return err__set(err, ENOTSUP,
			"it has the layout of " TELEMETRY_LAYOUT
			", which tma does not read: convert it with its tools/perf_json_generator");
}

bool load__is_perfmon(const char *dir)
{
	char *cols[MAPFILE_COLS];
	struct mapfile map;
	bool is;

	if (mapfile__open(&map, dir, NULL))
		return false;
	is = mapfile__next(&map, cols, NULL) > 0 && text__has_suffix(cols[MAP_FOLDER], ".json");
	mapfile__close(&map);
	return is;
}

const char *load__foreign(const char *path)
{
	static const char intels[] = "Intel's perfmon repository";
	const char *layout = NULL;
	struct json_file file;

	if (telemetry__is_dir(path))
		return TELEMETRY_LAYOUT;
	if (file__exists("%s/mapfile.csv", path))
		return load__is_perfmon(path) ? intels : NULL;
	if (file__is_dir("%s", path))
		return file__is_dir("%s/events", path) || file__is_dir("%s/metrics", path) ?
			       intels :
			       NULL;
	/* Among the kernel's files, only the descriptions of groups are an object. */
	if (text__has_suffix(path, "metricgroups.json") || json_file__open(&file, path, NULL))
		return NULL;
	if (telemetry__is_text(file.text))
		layout = TELEMETRY_LAYOUT;
	else if (file.text[strspn(file.text, " \t\r\n")] == '{')
		layout = intels;
	json_file__close(&file);
	return layout;
}
