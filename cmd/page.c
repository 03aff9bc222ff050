// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "base/place.h"
#include "base/xalloc.h"
#include "writers/page.h"

/*
 * Return: whether a page can replace the file @name: it is a regular file, or does not exist.
 * Anything else is written as a stream: a fifo, /dev/stdout, a terminal.
 */
static bool is_path(const char *name)
{
	mode_t mode = name ? file__mode("%s", name) : 0;

	return name && (!mode || S_ISREG(mode));
}

struct page *page__open(const char *name, FILE **stream, const char *option, struct err *err)
{
	FILE *named;
	int fd;

	if (is_path(name))
		return page__new(name, -1, err);
	if (name) {
		fd = place__open(name, O_WRONLY, 0666, err);
		if (fd < 0)
			return NULL;
		named = xchecked(fdopen(fd, "we"));
		*stream = named;
	}
	if (!isatty(fileno(*stream)))
		return page__new(NULL, fileno(*stream), err);
	err__set(err, EINVAL,
		 "--format=html writes a page for a browser, not for a terminal: name a file with "
		 "%s",
		 option);
	return NULL;
}

void page__tell_made(struct page *page, const char *what, bool here)
{
	time_t now = time(NULL);
	struct utsname name;
	char text[64];
	struct tm tm;

	if (here && !uname(&name))
		page__add_fact(page, "Host", name.nodename);
	if (localtime_r(&now, &tm) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
		page__add_fact(page, what, text);
}
