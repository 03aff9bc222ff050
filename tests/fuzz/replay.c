// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzz target without a fuzzer, once for each given file and each file in a given directory.
 * Each run has its own process: if one crashes, its file is named, and the others go on.
 */
#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fuzz.h"

#define INPUT_MAX (64u << 20)
#define SECONDS_MAX 60 /* seconds, enough for valgrind; the fuzzer allows 5 */

static int files, failures;

static void try_input(const char *path)
{
	char *text;
	size_t len;
	struct err err = ERR_INIT;

	if (file__read(path, INPUT_MAX, &text, &len, &err)) {
		fprintf(stderr, "%s\n", err.msg);
		exit(2);
	}
	alarm(SECONDS_MAX);
	LLVMFuzzerTestOneInput((const uint8_t *)text, len);
	free(text);
}

static void replay(const char *path)
{
	int status = 0;
	pid_t child;

	files++;
	fflush(NULL);
	child = fork();
	if (!child) {
		try_input(path);
		exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(2);
	}
	if (!status)
		return;
	failures++;
	if (WIFSIGNALED(status))
		fprintf(stderr, "%s: ended by signal %d\n", path, WTERMSIG(status));
	else
		fprintf(stderr, "%s: ended with status %d\n", path, WEXITSTATUS(status));
}

static void replay_dir(const char *dir)
{
	char path[4096], **names;
	int nr, rc = file__list_dir(&names, &nr, "%s", dir);

	if (rc) {
		fprintf(stderr, "%s: %s\n", dir, strerror(-rc));
		exit(2);
	}
	for (int i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		replay(path);
	}
	file__free_names(names, nr);
}

int main(int argc, char **argv)
{
	struct stat st;

	if (argc < 2) {
		fprintf(stderr, "usage: %s FILE|DIR ...\n", argv[0]);
		return 2;
	}
	LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++) {
		if (!stat(argv[i], &st) && S_ISDIR(st.st_mode))
			replay_dir(argv[i]);
		else
			replay(argv[i]);
	}
	printf("%d files, %d failures\n", files, failures);
	return failures || !files;
}
