// SPDX-License-Identifier: GPL-2.0-only
/* With --regions a program measures its own regions, and tma prints what they were. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h> /* setenv() */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "machine/machine.h"
#include "report/regions.h"
#include "stat.h"

#define VARIABLE "TMA_REGIONS"
#define DEFAULT_CAPACITY 16384
/* Scripts use the lowest descriptors for themselves. */
#define LEAST_FD 100

static int failed(const char *what, struct err *err)
{
	return err__set(err, errno, "--regions: no memory to share with the program: %s: %s", what,
			strerror(errno));
}

int stat_regions__start(const struct stat_options *o, struct stat_regions *r, struct err *err)
{
	uint32_t capacity = o->regions_capacity ? o->regions_capacity : DEFAULT_CAPACITY;
	char text[16];
	int low;

	*r = (struct stat_regions){ .fd = -1, .size = regions__size(capacity) };
	low = memfd_create("tma-regions", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (low < 0)
		return failed("memfd_create", err);
	r->fd = fcntl(low, F_DUPFD, LEAST_FD);
	close(low);
	if (r->fd < 0)
		return failed("fcntl", err);
	if (ftruncate(r->fd, r->size))
		return failed("ftruncate", err);
	/* To read memory that the program has cut off would kill us. */
	if (fcntl(r->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		return failed("fcntl: F_ADD_SEALS", err);
	r->block = mmap(NULL, r->size, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (r->block == MAP_FAILED) {
		r->block = NULL;
		return failed("mmap", err);
	}
	regions__make(r->block, capacity);
	snprintf(text, sizeof(text), "%d", r->fd);
	return setenv(VARIABLE, text, 1) ? failed("setenv", err) : 0;
}

static bool has_register(const struct machine *m)
{
	for (int i = 0; i < machine__nr_core_pmus(m); i++)
		if (topdown__is_on(machine__core_pmu(m, i)))
			return true;
	return false;
}

/* The program was told exactly, by struct tma_topdown_error, but may have kept it for itself. */
static void say_why_none(const struct machine *m, const char *command)
{
	if (!machine__nr_core_pmus(m))
		say("--regions: %s measured none: this machine has no core PMU; try a simulated "
		    "one (tma --machine=sapphirerapids stat --regions ...)",
		    command);
	else if (!has_register(m))
		say("--regions: %s measured none: the cores have no TopDown metrics register (no "
		    "event slots), which is in Intel's big cores from Ice Lake on",
		    command);
	else
		say("--regions: %s measured none: it must be linked with libtma-topdown, call "
		    "tma_region_begin() and tma_region_end(), and leave the descriptor in " VARIABLE
		    " open; tma_topdown_open() told it why it could not measure (see "
		    "tma-topdown(3))",
		    command);
}

static void say_amiss(const struct machine *m, const struct regions *regions, const char *command)
{
	if (!regions->rows.nr)
		say_why_none(m, command);
	if (regions->lost)
		say("--regions: no room for %u more regions of threads: use --regions=%u",
		    regions->lost, regions->rows.nr + regions->lost);
}

static int print_rows(const struct stat_run *run, const struct regions *regions, struct err *err)
{
	struct grid grid = { .nr_rows = 0 };
	int rc;

	regions__fill(regions, &grid);
	rc = writer__regions(&run->format, &grid, run->out, err);
	regions__free_grid(&grid);
	return rc;
}

int stat_regions__print(const struct stat_run *run, const struct stat_regions *r, struct err *err)
{
	struct regions regions = { .lost = 0 };
	int rc = regions__read(r->block, r->size, &regions, err);

	if (!rc && regions.rows.nr)
		rc = print_rows(run, &regions, err);
	if (!rc)
		say_amiss(run->host.machine, &regions, run->target.argv[0]);
	vec__free(&regions.rows);
	return rc;
}

void stat_regions__end(struct stat_regions *r)
{
	if (r->block)
		munmap(r->block, r->size);
	if (r->fd >= 0)
		close(r->fd);
}
