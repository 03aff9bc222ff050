// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/num.h"
#include "count/task_stat.h"

/* Numbers behind "pid (comm) state", from 0. */
enum { UTIME = 10, STIME, CUTIME, CSTIME, THREADS = 16, NR_NUMBERS };

int task_stat__scan(const char *text, uint64_t *out, int max)
{
	int nr = 0, len;

	while (nr < max) {
		text += strspn(text, " -");
		len = num__scan_u64(text, 0, &out[nr]);
		if (!len)
			break;
		text += len;
		nr++;
	}
	return nr;
}

int task_stat__read(const char *procfs, pid_t id, bool whole, struct task_stat *out)
{
	uint64_t n[NR_NUMBERS];
	char text[1024];
	const char *p;
	int rc;

	if (whole)
		rc = file__read_start(text, sizeof(text), "%s/%d/stat", procfs, id);
	else
		rc = file__read_start(text, sizeof(text), "%s/%d/task/%d/stat", procfs, id, id);
	if (rc < 0)
		return rc;
	/* The name may hold blanks, newlines and parentheses. */
	p = strrchr(text, ')');
	if (!p || p[1] != ' ' || !p[2] || task_stat__scan(p + 3, n, NR_NUMBERS) != NR_NUMBERS)
		return -EBADMSG;
	*out = (struct task_stat){
		.state = p[2],
		.user = n[UTIME],
		.system = n[STIME],
		.children_user = n[CUTIME],
		.children_system = n[CSTIME],
		.threads = n[THREADS],
	};
	return 0;
}

bool task_stat__has_ended(const char *procfs, pid_t id)
{
	struct task_stat stat;
	int rc = task_stat__read(procfs, id, true, &stat);

	/* It may end between the open and the read. What else goes wrong says nothing of it. */
	if (rc)
		return rc == -ENOENT || rc == -ESRCH;
	return (stat.state == 'Z' || stat.state == 'X') && stat.threads <= 1;
}
