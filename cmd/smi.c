// SPDX-License-Identifier: GPL-2.0-only
/* --smi-cost: counters that stand still during system management interrupts. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "cmd.h"
#include "machine/machine.h"
#include "smi.h"

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

int smi__freeze(const struct machine *m, bool *changed, struct err *err)
{
	int on, rc = file__read_int(&on, "%s/" SWITCH, m->sysfs);

	*changed = false;
	if (rc)
		return err__set(err, ENOTSUP,
				"--smi-cost: this kernel cannot stop the counters during system "
				"management interrupts (%s/" SWITCH ": %s)",
				m->sysfs, strerror(-rc));
	if (on)
		return 0;
	rc = turn(m, "1");
	if (rc)
		return err__set(err, -rc, "--smi-cost: cannot write %s/" SWITCH ": %s; run it as root",
				m->sysfs, strerror(-rc));
	*changed = true;
	return 0;
}

void smi__restore(const struct machine *m)
{
	int rc = turn(m, "0");

	if (rc)
		say("%s/" SWITCH " could not be set to 0 again: %s", m->sysfs, strerror(-rc));
}
