// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first line has names of cgroups, or patterns after a '*'. The other lines are a list of
 * mounts, whose folders are all below a folder of the test. If a cgroup is found, it is open and
 * has a name; otherwise there is a message.
 */
#include <fcntl.h>
#include <limits.h>

#include "fuzz.h"
#include "machine.h"
#include "machine/cgroup.h"

static struct machine *machine;
static const char *root;

static const char *const cgroups[] = {"a", "a/b", "a/b/c", "a b", "b.slice/b-1.slice", "[x]", "e"};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char path[64];

	(void)argc;
	(void)argv;
	machine = fuzz__machine(fake_xeon, NULL, "GenuineIntel-6-8F-8");
	root = fuzz__root();
	for (size_t i = 0; i < sizeof(cgroups) / sizeof(*cgroups); i++) {
		snprintf(path, sizeof(path), "cg/%s/tasks", cgroups[i]);
		fake__write(root, path, "");
	}
	fuzz_check(mkdir(machine->procfs, 0700) == 0, "%s", machine->procfs);
	return 0;
}

/* The second word of each line becomes a path below the test's folder, which it cannot leave. */
static void put_mounts(char *lines)
{
	char path[PATH_MAX], *line;
	FILE *out;

	snprintf(path, sizeof(path), "%s/mounts", machine->procfs);
	out = fopen(path, "w");
	fuzz_check(out, "%s", path);
	while ((line = strsep(&lines, "\n"))) {
		char *device = strsep(&line, " "), *dots;

		while (line && (dots = strstr(line, "..")))
			*dots = '_';
		if (line)
			fprintf(out, "%s %s/%s\n", device, root, line);
		else
			fprintf(out, "%s\n", device);
	}
	fuzz_check(!fclose(out));
}

static void check_list(const struct cgroup_list *list, bool pattern)
{
	for (int i = 0; i < list->nr; i++) {
		const struct cgroup *c = list->at[i];

		fuzz_check(c || !pattern);
		if (!c)
			continue;
		fuzz_check(*c->name);
		fuzz_check(fcntl(c->fd, F_GETFD) == FD_CLOEXEC, "%d", c->fd);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz__text(data, size), *lines = text, *names = strsep(&lines, "\n");
	struct cgroup_list list = {.nr = 0};
	struct err err = ERR_INIT;
	bool pattern = *names == '*';
	int rc;

	put_mounts(lines);
	rc = cgroups__open(machine, "-G", names + pattern, pattern, &list, &err);
	if (rc)
		fuzz__check_error(rc, &err);
	else
		fuzz_check(list.nr);
	check_list(&list, pattern);
	cgroup_list__free(&list);
	free(text);
	return 0;
}
