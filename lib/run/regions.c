// SPDX-License-Identifier: GPL-2.0-only
/* With --regions a program measures its own regions, and tma prints the counts of the regions. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "machine/machine.h"
#include "report/regions.h"
#include "run/internal.h"

#define VARIABLE "TMA_REGIONS"
#define DEFAULT_CAPACITY 16384
/* Least number for the descriptor: scripts use low numbers themselves. */
#define LEAST_FD 100

/**
 * struct run_regions - the memory in which the program keeps its totals
 * @fd:   descriptor of the memory, which the program inherits
 * @read: rows that the memory had when the program had ended; @grid: a grid with these rows
 */
struct run_regions {
	void *block;
	size_t size;
	int fd;
	struct regions read;
	struct grid grid;
};

static int run_regions__failed(const char *what, struct err *err)
{
	return err__set(err, errno, "--regions: no memory to share with the program: %s: %s", what,
			strerror(errno));
}

int run_regions__start(struct run *run, struct err *err)
{
	uint32_t capacity = run->req->regions_capacity ?: DEFAULT_CAPACITY;
	struct run_regions *r = run->regions = xcalloc(1, sizeof(*r));
	char text[16];
	int low;

	*r = (struct run_regions){.fd = -1, .size = regions__size(capacity)};
	low = memfd_create("tma-regions", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (low < 0)
		return run_regions__failed("memfd_create", err);
	r->fd = fcntl(low, F_DUPFD, LEAST_FD);
	close(low);
	if (r->fd < 0)
		return run_regions__failed("fcntl", err);
	if (ftruncate(r->fd, r->size))
		return run_regions__failed("ftruncate", err);
	/* If the program could truncate the memory, reading it would kill tma. */
	if (fcntl(r->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return run_regions__failed("fcntl: F_ADD_SEALS", err);
	r->block = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (r->block == MAP_FAILED) {
		r->block = NULL;
		return run_regions__failed("mmap", err);
	}
	regions__make(r->block, capacity);
	snprintf(text, sizeof(text), "%d", r->fd);
	xchecked(setenv(VARIABLE, text, 1) ? NULL : text);
	return 0;
}

static bool has_register(const struct machine *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		if (topdown__is_on(machine__core_pmu(m, i)))
			return true;
	return false;
}

/*
 * Note why no region was measured. The exact reason was in the program's struct tma_topdown_error,
 * which it may not have printed.
 */
static void tell_why_none(struct run *run)
{
	const struct machine *m = run->host->machine;
	const char *command = run->target.argv[0];

	if (!machine__nr_core_pmus(m))
		tell(run, REGIONS, NULL,
		     "--regions: %s measured no region: this machine has no core PMU; try a "
		     "simulated one (tma --machine=sapphirerapids stat --regions ...)",
		     command);
	else if (!has_register(m))
		notes__add(
			&run->notes, NOTE_REGIONS, NULL,
			"--regions: %s measured no region: the cores lack the TopDown metrics "
			"register (no event slots), which Intel's big cores have since Ice Lake",
			command);
	else
		notes__add(
			&run->notes, NOTE_REGIONS, NULL,
			"--regions: %s measured no region: it must be linked with libtma-topdown, "
			"call "
			"tma_region_begin() and tma_region_end(), and leave the descriptor "
			"in " VARIABLE " open; tma_topdown_open() gives it the exact reason (see "
				       "tma-topdown(3))",
			command);
}

int run_regions__take(struct run *run, struct err *err)
{
	struct run_regions *r = run->regions;
	int rc = regions__read(r->block, r->size, &r->read, err);

	if (rc || !r->read.rows.nr)
		return rc;
	regions__fill(&r->read, &r->grid);
	return RUN_REGIONS;
}

void run_regions__tell(struct run *run)
{
	const struct regions *read = &run->regions->read;

	if (!read->rows.nr)
		tell_why_none(run);
	if (read->lost)
		tell(run, REGIONS, NULL,
		     "--regions: no room for %u more regions of threads: use --regions=%u",
		     read->lost, read->rows.nr + read->lost);
}

const struct grid *run_regions__grid(const struct run *run)
{
	return run->regions && run->regions->grid.nr_rows ? &run->regions->grid : NULL;
}

void run_regions__free(struct run *run)
{
	struct run_regions *r = run->regions;

	if (!r)
		return;
	unsetenv(VARIABLE);
	if (r->grid.nr_rows)
		regions__free_grid(&r->grid);
	vec__free(&r->read.rows);
	if (r->block)
		munmap(r->block, r->size);
	if (r->fd >= 0)
		close(r->fd);
	free(r);
	run->regions = NULL;
}
