// SPDX-License-Identifier: GPL-2.0-only
/*
 * JSON in the layout of Intel's repository: a folder with a mapfile.csv and a model's folder in it,
 * only the model's folder, or a single file. Tables that are loaded can be found, listed and
 * evaluated.
 */
#include "folder.h"
#include "tables.h"

#define CPUID "GenuineIntel-6-AD-1"

static struct folder_file files[] = {
	{ .letter = 'e', .path = "GNR/events/granite_core.json", .member = "Events" },
	{ .letter = 't', .path = "GNR/metrics/granite_metrics.json", .member = "Metrics" },
	{ .letter = 'l', .path = "GNR/events/granite_retire_latency.json" },
	{ .letter = 'u', .path = "GNR/events/granite_uncore.json", .member = "Events" },
	{ .letter = 'c', .path = "GNR/events/granite_cove_core.json", .member = "Events" },
	{ .letter = 'p', .path = "GNR/metrics/granite_cove_metrics.json", .member = "Metrics" },
	{ .letter = 'm', .path = "mapfile.csv" },
	{ .letter = 'f', .path = "file.json", .member = "Events" },
};
static struct folder folder = { .files = files, .nr_files = sizeof(files) / sizeof(*files) };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct load_options opts = { .cpuid = CPUID };
	char path[4096];

	folder__fill(&folder, data, size);
	snprintf(path, sizeof(path), "%s/%s", folder.root,
		 folder__has(&folder, 'f') ? "file.json" : "GNR");
	opts.path = folder__has(&folder, 'm') ? folder.root : path;
	tables__check_load(&opts);
	return 0;
}
