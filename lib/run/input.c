// SPDX-License-Identifier: GPL-2.0-only
#include "run/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "machine/machine.h"
#include "run/cpu_name.h"
#include "run/note.h"

static bool is_kind(int fd, mode_t kind)
{
	struct stat st;

	return !fstat(fd, &st) && (st.st_mode & S_IFMT) == kind;
}

static int open_name(struct run_input *in, const char *name, struct err *err)
{
	bool named = name;

	if (!name || !*name)
		name = is_kind(STDIN_FILENO, S_IFIFO) ? "-" : RECORD_DEFAULT_NAME;
	in->name = strcmp(name, "-") ? name : "standard input";
	in->fd = in->name == name ? open(name, O_RDONLY | O_CLOEXEC)
				  : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	if (in->fd >= 0)
		return 0;
	err__set(err, errno, "cannot open %s: %s", in->name, strerror(errno));
	if (!named && is_kind(STDIN_FILENO, S_IFREG))
		err__append(err, " (standard input is a file: 'tma stat report -' reads it)");
	return -err->code;
}

int run_input__open(struct run_input *in, const char *name, const char *cpu,
		    const struct recording_options *opts, struct err *err)
{
	struct recording_options with = *opts;
	int rc;

	*in = (struct run_input){.cpu = cpu, .fd = -1};
	rc = cpu ? cpu_name__read(cpu, &in->cpuid, err) : 0;
	rc = rc ?: open_name(in, name, err);
	if (rc)
		return rc;
	with.cpuid = cpu ? sb__str(&in->cpuid) : NULL;
	in->from_pipe = is_kind(in->fd, S_IFIFO);
	return recording__open(in->fd, in->name, &with, &in->recording, err);
}

/* If the recording has no CPU id, use the id of this machine, with a note. */
static void borrow_cpuid(struct run_input *in, struct notes *notes)
{
	struct machine *here = machine__new();

	recording__set_cpuid(in->recording, here->cpuid);
	notes__add(notes, NOTE_RECORDING, NULL,
		   "the counts do not name their CPU: metrics of this computer's CPU, %s, are "
		   "used (--cpuid names another one)",
		   *here->cpuid ? here->cpuid : "which is unknown");
	machine__free(here);
	in->cpuid_borrowed = true;
}

int run_input__load_host(struct run_input *in, const struct host_options *opts, bool with_tables,
			 bool borrows, struct host *host, struct notes *notes, struct err *err)
{
	struct machine *machine;

	if (borrows && !*recording__info(in->recording)->cpuid)
		borrow_cpuid(in, notes);
	machine = recording__machine(in->recording);
	if (machine->simulated)
		notes__add(notes, NOTE_RECORDING, NULL,
			   "%s was recorded on simulated machine '%s': its counts are synthetic",
			   in->name, machine->simulated);
	*host = (struct host){.machine = machine, .perf = opts->perf};
	return with_tables ? host__load_for(host, machine, opts, notes, err) : 0;
}

void run_input__free_host(struct host *host)
{
	host->machine = NULL;
	host__free(host);
}

void run_input__close(struct run_input *in)
{
	recording__free(in->recording);
	if (in->fd >= 0)
		close(in->fd);
	sb__free(&in->cpuid);
	in->recording = NULL;
	in->fd = -1;
}

int run_input__levels(const char *path, int otherwise, int *levels, struct err *err)
{
	const struct recording_options opts = {.smt = FACT_UNKNOWN};
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc;
	struct recording *recording = NULL;
	struct tables *tables = NULL;

	if (fd < 0)
		return err__set(err, errno, "cannot open %s: %s", path, strerror(errno));
	rc = recording__open(fd, path, &opts, &recording, err);
	if (!rc && *recording__info(recording)->cpuid)
		tables = tables__find(recording__info(recording)->cpuid);
	*levels = tables ? metrics__topdown_levels(tables, NULL, NULL) : otherwise;
	tables__free(tables);
	recording__free(recording);
	close(fd);
	return rc;
}
