// SPDX-License-Identifier: GPL-2.0-only
/* Generates the tables: it makes a C file from a folder of the kernel's pmu-events JSON. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/sb.h"
#include "base/xalloc.h"
#include "json/build.h"
#include "json/compact.h"
#include "json/tree.h"

static const char usage[] =
	"usage: gen-tables --arch ARCH [-kW] DIR [DIR...] [-o OUT.c | --dump]\n"
	"\n"
	"  DIR          folder with a folder ARCH in it (tools/perf/pmu-events/arch); events and\n"
	"               metrics of a later one replace those of an earlier one\n"
	"  --arch ARCH  architecture (x86)\n"
	"  -o OUT.c     write the tables there; written under another name first, so that it\n"
	"               is whole or not there\n"
	"  --dump       print the tables as text instead, a line for each event and metric\n"
	"  -k           leave out what is wrong, and say so, instead of ending\n"
	"  -W           warn of fields that are not known and of CPUs without a folder\n";

struct options {
	const char *arch, *out;
	char **dirs;
	int nr_dirs;
	bool dump, keep_going, warn;
};

static int parse_options(int argc, char **argv, struct options *opts)
{
	static const struct option longs[] = {
		{ "arch", required_argument, NULL, 'a' },
		{ "dump", no_argument, NULL, 'd' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "o:kWh", longs, NULL)) != -1) {
		switch (c) {
		case 'a':
			opts->arch = optarg;
			break;
		case 'd':
			opts->dump = true;
			break;
		case 'o':
			opts->out = optarg;
			break;
		case 'k':
			opts->keep_going = true;
			break;
		case 'W':
			opts->warn = true;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(EXIT_SUCCESS);
		default:
			return -EINVAL;
		}
	}
	if (optind == argc || !opts->arch || !opts->out == !opts->dump)
		return -EINVAL;
	opts->dirs = argv + optind;
	opts->nr_dirs = argc - optind;
	return 0;
}

/* Close a stream. Return: 0 if everything was written, otherwise -errno. */
static int close_checked(FILE *out)
{
	int failed = ferror(out);

	if (fclose(out))
		return errno ? -errno : -EIO;
	return failed ? -EIO : 0;
}

static int write_file(const struct table_data *data, const char *path, struct err *err)
{
	struct compact compact;
	struct sb tmp = SB_INIT;
	FILE *out = NULL;
	int rc;

	sb__printf(&tmp, "%s.tmp", path);
	out = fopen(tmp.buf, "we");
	if (!out) {
		rc = -errno;
	} else {
		compact__tables(&compact, data);
		write__c(&compact.data, out);
		compact__free(&compact);
		rc = close_checked(out);
		if (!rc && rename(tmp.buf, path))
			rc = -errno;
		if (rc)
			unlink(tmp.buf);
	}
	sb__free(&tmp);
	return rc ? err__set(err, -rc, "cannot write %s: %s", path, strerror(-rc)) : 0;
}

static void report(void *arg, enum tree_problem problem, const char *file, int line,
		   const char *msg)
{
	const struct options *opts = arg;
	bool error = problem != TREE_NOTE && problem != TREE_WARNING;

	if (error || opts->warn)
		fprintf(stderr, "%s:%d: %s: %s\n", file, line, error ? "left out" : "warning", msg);
}

/* List the architecture's folder in each DIR; only the first DIR must have one. */
static int list_dirs(const struct options *opts, char **dirs)
{
	struct sb dir = SB_INIT;
	int nr = 0;

	for (int i = 0; i < opts->nr_dirs; i++) {
		if (i && !file__exists("%s/%s", opts->dirs[i], opts->arch))
			continue;
		sb__printf(&dir, "%s/%s", opts->dirs[i], opts->arch);
		dirs[nr++] = sb__detach(&dir);
	}
	return nr;
}

static int generate(const struct options *opts, char **dirs, int nr_dirs, struct err *err)
{
	const struct tree_options reading = {
		.dirs = (const char *const *)dirs,
		.nr_dirs = nr_dirs,
		.tolerant = opts->keep_going,
		.report = report,
		.arg = (void *)opts,
	};
	struct build build = { .tree = NULL };
	struct table_data data;
	struct tree tree;
	int rc = tree__read(&tree, &reading, err);

	if (!rc)
		rc = build__tables(&build, &tree, err);
	if (!rc) {
		build__data(&build, opts->arch, &data);
		if (!opts->dump)
			rc = write_file(&data, opts->out, err);
		else
			write__dump(&data, stdout);
	}
	build__free(&build);
	tree__free(&tree);
	return rc;
}

static void end_without_memory(void)
{
	static const char message[] = "gen-tables: out of memory\n";

	file__write(STDERR_FILENO, message, sizeof(message) - 1);
	_exit(EXIT_FAILURE);
}

int main(int argc, char **argv)
{
	struct options opts = { .arch = NULL };
	struct err err = ERR_INIT;
	char **dirs;
	int nr, rc;

	if (parse_options(argc, argv, &opts)) {
		fputs(usage, stderr);
		return 2;
	}
	xalloc__set_handler(end_without_memory);
	dirs = xcalloc(opts.nr_dirs, sizeof(*dirs));
	nr = list_dirs(&opts, dirs);
	rc = generate(&opts, dirs, nr, &err);
	file__free_names(dirs, nr);
	if (rc) {
		fprintf(stderr, "gen-tables: %s\n", err.msg);
		return EXIT_FAILURE;
	}
	rc = close_checked(stdout);
	if (rc) {
		fprintf(stderr, "gen-tables: cannot write: %s\n", strerror(-rc));
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
