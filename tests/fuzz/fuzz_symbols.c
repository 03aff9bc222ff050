// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program's file, with symbols and debug information, and places in it. The first byte is the
 * distance between the places, in 8 bytes; the rest is the file. A child process reads the file,
 * within limits, and may end in any way. The results are texts of a limited length, or nothing. The
 * same is checked for the instructions around one of the places.
 */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sb.h"
#include "fuzz.h"
#include "where/child.h"
#include "where/code.h"
#include "where/disassemble.h"
#include "where/symbols.h"

#define PLACES 16
#define STEP 8
#define TEXT_MAX 1024
#define CPU_SECONDS 2

int __real_prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *limit,
		   struct rlimit *old);
int __wrap_prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *limit,
		   struct rlimit *old);

/*
 * The limits differ from tma's: less time, as the fuzzer waits for each input, and more addresses,
 * which the sanitizer needs.
 */
int __wrap_prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *limit,
		   struct rlimit *old)
{
	const struct rlimit cpu = {CPU_SECONDS, CPU_SECONDS};

	if (resource == RLIMIT_AS)
		return 0;
	return __real_prlimit(pid, resource, resource == RLIMIT_CPU ? &cpu : limit, old);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

/* Return: the inode of the file that was written. */
static uint64_t write_file(const char *path, const uint8_t *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	struct stat st;

	fuzz_check(fd >= 0 && write(fd, data, size) == (ssize_t)size && !fstat(fd, &st));
	close(fd);
	return st.st_ino;
}

static void check_text(char *text)
{
	fuzz_check(!text || strlen(text) <= TEXT_MAX);
	free(text);
}

static void check_code(const char *path, uint64_t inode, uint64_t offset)
{
	const struct code_place place = {.path = path, .inode = inode, .offset = offset};
	struct where_code code = {.nr = 0};
	struct child_reading r = {.until_ns = UINT64_MAX};
	int hottest = 0;

	code__find(&place, &r, &code);
	fuzz_check(code.nr <= 2 * CODE_AROUND + 1, "%d", code.nr);
	for (int i = 0; i < code.nr; i++) {
		fuzz_check(!i || code.at[i].address > code.at[i - 1].address);
		hottest += code.at[i].hottest;
		check_text(code.at[i].text);
	}
	fuzz_check(code.nr ? hottest == 1 : !hottest, "%d", hottest);
	vec__free(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *dir = getenv("TMPDIR") ?: "/tmp";
	struct symbol at[PLACES] = {{.path = NULL}};
	struct child_reading r = {.until_ns = UINT64_MAX};
	struct sb notes = SB_INIT;
	char path[4096];
	uint64_t inode;

	if (!size)
		return 0;
	snprintf(path, sizeof(path), "%s/symbols-%d", dir, (int)getpid());
	inode = write_file(path, data + 1, size - 1);
	for (int i = 0; i < PLACES; i++)
		at[i] = (struct symbol){
			.path = path, .inode = inode, .offset = (uint64_t)i * STEP * data[0]};
	symbols__find(at, PLACES, &r, &notes);
	for (int i = 0; i < PLACES; i++) {
		fuzz_check(!at[i].gone);
		check_text(at[i].function);
		check_text(at[i].into);
		check_text(at[i].file);
	}
	check_code(path, inode, at[1].offset);
	sb__free(&notes);
	unlink(path);
	return 0;
}
