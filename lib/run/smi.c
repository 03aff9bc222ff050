// SPDX-License-Identifier: GPL-2.0-only
/* Stop counters during system management interrupts (--smi-cost). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "run/internal.h"

#define SWITCH "bus/event_source/devices/cpu/freeze_on_smi"

static int turn(const struct machine *m, const char *value)
{
	char path[PATH_MAX];
	int fd, rc;

	snprintf(path, sizeof(path), "%s/" SWITCH, m->sysfs);
	fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	rc = file__write(fd, value, strlen(value));
	close(fd);
	return rc;
}

/* The machine whose setting has to be switched off again, or NULL. */
static const struct machine *frozen;

int smi__freeze(const struct machine *m, struct err *err)
{
	int on, rc = file__read_int(&on, "%s/" SWITCH, m->sysfs);

	if (rc)
		return err__set(err, ENOTSUP,
				"--smi-cost: this kernel cannot stop the counters during system "
				"management interrupts (%s/" SWITCH ": %s)",
				m->sysfs, strerror(-rc));
	if (on)
		return 0;
	rc = turn(m, "1");
	if (rc)
		return err__set(err, -rc,
				"--smi-cost: cannot write %s/" SWITCH ": %s; run it as root",
				m->sysfs, strerror(-rc));
	frozen = m;
	return 0;
}

int run__unfreeze(void)
{
	const struct machine *m = frozen;

	frozen = NULL;
	return m ? turn(m, "0") : 0;
}

void smi__unfreeze(struct run *run)
{
	int rc = run__unfreeze();

	if (rc)
		tell(run, UNWHOLE, NULL, "%s/" SWITCH " could not be set to 0 again: %s",
		     run->host->machine->sysfs, strerror(-rc));
}
