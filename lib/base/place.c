// SPDX-License-Identifier: GPL-2.0-only
#include "base/place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"

#define LINKS_MAX 40 /* limit of links in a path, as in the kernel */
#define TRIES 8	     /* limit of retries while another program creates and removes the file */

/**
 * struct walk - a path that is being walked
 * @p:     the directory that was reached
 * @rest:  the rest of the path
 * @links: how many links were followed
 */
struct walk {
	struct place *p;
	char rest[PATH_MAX];
	int links;
};

/*
 * --- Owners --------------------------------------------------------------------------------------
 */

/* In a shared directory everybody may create files, and only their owners may remove them. */
static bool is_shared(const struct stat *dir)
{
	return dir->st_mode & S_ISVTX && dir->st_mode & S_IWOTH;
}

/*
 * Tell whether a file's owner is a user of the host, outside of this container's users. The kernel
 * shows all users of the host as one user ID that is not mapped; no process in the container can
 * have this ID.
 */
static bool is_of_host(uid_t uid)
{
	FILE *map = fopen("/proc/self/uid_map", "re");
	unsigned long first, outside, nr;
	bool mapped = !map;

	while (!mapped && fscanf(map, "%lu %lu %lu", &first, &outside, &nr) == 3)
		mapped = uid >= first && uid - first < nr;
	if (map)
		fclose(map);
	return !mapped;
}

static bool may_follow(const struct stat *link, const struct stat *dir)
{
	uid_t own = geteuid();

	if (link->st_uid == own || !link->st_uid || is_of_host(link->st_uid))
		return true;
	return own && (!is_shared(dir) || link->st_uid == dir->st_uid);
}

static int refuse_link(const struct stat *link, const char *name, struct err *err)
{
	return err__set(err, EACCES,
			"'%s' is a symbolic link of another user (%u), which may lead anywhere: "
			"name the file itself",
			name, (unsigned int)link->st_uid);
}

/* Check a file that exists in a directory where other users could have created it. */
static int place__judge(const struct place *p, bool adds, struct err *err)
{
	const struct stat *st = &p->st;

	if (!p->exists || p->magic || !is_shared(&p->in) ||
	    !(S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode)))
		return 0;
	if (st->st_uid != geteuid() && st->st_uid != p->in.st_uid)
		return err__set(
			err, EACCES,
			"another user (%u) has put it into a directory that everyone may write to: "
			"remove it, or name another file",
			(unsigned int)st->st_uid);
	if (S_ISREG(st->st_mode) && st->st_nlink > 1 && !adds)
		return err__set(
			err, EACCES,
			"it has a second name, perhaps from another user, in a directory that "
			"everyone may write to: remove this name, or name another file");
	return 0;
}

/*
 * --- Walking a path ------------------------------------------------------------------------------
 */

static int step_into(struct place *p, int dir)
{
	if (dir < 0)
		return -errno;
	if (p->dir >= 0)
		close(p->dir);
	p->dir = dir;
	return fstat(dir, &p->in) ? -errno : 0;
}

/* Start at the root or in the current directory. */
static int place__begin(struct walk *w)
{
	if (*w->rest != '/' && w->p->dir >= 0)
		return 0;
	return step_into(w->p, open(*w->rest == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* Move a component of the path to p->name. It is the last component unless a slash follows it. */
static int take_name(struct walk *w, bool *last)
{
	const char *at = w->rest + strspn(w->rest, "/");
	size_t len = strcspn(at, "/");

	if (len > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(w->p->name, at, len);
	w->p->name[len] = '\0';
	if (!len)
		strcpy(w->p->name, ".");
	*last = !at[len];
	memmove(w->rest, at + len, strlen(at + len) + 1);
	return 0;
}

static bool is_procfs(const struct place *p)
{
	struct statfs fs;

	return !fstatfs(p->dir, &fs) && fs.f_type == PROC_SUPER_MAGIC;
}

/* Put the target of a link before the rest of the path. */
static int follow(struct walk *w, int link)
{
	char target[PATH_MAX];
	ssize_t len = readlinkat(link, "", target, sizeof(target));

	if (len < 0)
		return -errno;
	if (++w->links > LINKS_MAX)
		return -ELOOP;
	if (!len || len + strlen(w->rest) >= sizeof(w->rest))
		return len ? -ENAMETOOLONG : -ENOENT;
	memmove(w->rest + len, w->rest, strlen(w->rest) + 1);
	memcpy(w->rest, target, len);
	return place__begin(w);
}

/*
 * Continue the walk with p->name, which is open as @fd. Return: 1 at the end, 0 before the end, or
 * -errno.
 */
static int go_on(struct walk *w, int fd, bool last, struct err *err)
{
	struct place *p = w->p;

	if (fstat(fd, &p->st))
		return -errno;
	if (S_ISLNK(p->st.st_mode)) {
		if (!may_follow(&p->st, &p->in))
			return refuse_link(&p->st, p->name, err);
		if (!is_procfs(p))
			return follow(w, fd);
		p->magic = last;
		if (last)
			return fstatat(p->dir, p->name, &p->st, 0) ? -errno : 1;
	} else if (last) {
		return 1;
	}
	return step_into(p, openat(p->dir, p->name,
				   O_PATH | O_DIRECTORY | O_CLOEXEC |
					   (S_ISLNK(p->st.st_mode) ? 0 : O_NOFOLLOW)));
}

static int place__walk(struct walk *w, struct err *err)
{
	struct place *p = w->p;
	int rc = *w->rest ? place__begin(w) : -ENOENT, fd;
	bool last;

	while (!rc) {
		rc = take_name(w, &last);
		if (rc)
			return rc;
		fd = openat(p->dir, p->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0)
			return last && errno == ENOENT ? 0 : -errno;
		rc = go_on(w, fd, last, err);
		close(fd);
	}
	p->exists = rc > 0;
	return rc > 0 ? 0 : rc;
}

int place__find(struct place *p, const char *path, struct err *err)
{
	struct walk w = {.p = p};
	struct err why = ERR_INIT;
	int rc = -ENAMETOOLONG;

	*p = (struct place){.dir = -1};
	if (strlen(path) < sizeof(w.rest)) {
		strcpy(w.rest, path);
		rc = place__walk(&w, &why);
	}
	if (!rc)
		return 0;
	return err__set(err, -rc, "%s", *why.msg ? why.msg : strerror(-rc));
}

void place__close(struct place *p)
{
	if (p->dir >= 0)
		close(p->dir);
	p->dir = -1;
}

/*
 * --- Opening -------------------------------------------------------------------------------------
 */

/* Open the file that was checked. Return: -EAGAIN if its name now belongs to another file. */
static int open_found(const struct place *p, int flags, mode_t mode)
{
	struct stat st;
	int fd;

	flags |= O_CLOEXEC | O_NOCTTY | (p->magic ? 0 : O_NOFOLLOW) |
		 (p->exists ? 0 : O_CREAT | O_EXCL);
	fd = openat(p->dir, p->name, flags, mode);
	if (fd < 0 && (errno == (p->exists ? ENOENT : EEXIST) || (errno == ELOOP && !p->magic)))
		return -EAGAIN;
	if (fd < 0 || !p->exists)
		return fd < 0 ? -errno : fd;
	if (!fstat(fd, &st) && st.st_dev == p->st.st_dev && st.st_ino == p->st.st_ino)
		return fd;
	close(fd);
	return -EAGAIN;
}

/*
 * Open a fifo without waiting in the kernel: it may never have a reader, and no signal would end
 * the wait. Open it only for writing: if this process could read it too, the kernel would never
 * report that the reader has gone.
 */
static int open_fifo(const struct place *p, struct err *err)
{
	int fd;

	for (;;) {
		fd = open_found(p, O_WRONLY | O_NONBLOCK, 0);
		if (fd != -ENXIO)
			break;
		if (file__pause())
			return err__set(err, EINTR, "nobody reads this fifo, and a signal arrived");
	}
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	else
		err__set(err, -fd, "%s", strerror(-fd));
	return fd;
}

static int open_judged(const struct place *p, int flags, mode_t mode, struct err *err)
{
	int fd;

	if (p->exists && S_ISFIFO(p->st.st_mode))
		return open_fifo(p, err);
	fd = open_found(p, flags, mode);
	return fd >= 0 ? fd : err__set(err, -fd, "%s", strerror(-fd));
}

static int try_to_open(const char *path, int flags, mode_t mode, struct err *err)
{
	struct place p;
	int rc = place__find(&p, path, err);

	rc = rc ?: place__judge(&p, flags & O_APPEND, err);
	if (!rc)
		rc = open_judged(&p, flags, mode, err);
	if (rc >= 0 && p.exists && S_ISREG(p.st.st_mode) && !(flags & O_APPEND) &&
	    ftruncate(rc, 0)) {
		int fd = rc;

		rc = err__set(err, errno, "%s", strerror(errno));
		close(fd);
	}
	place__close(&p);
	return rc;
}

int place__open(const char *path, int flags, mode_t mode, struct err *err)
{
	struct err why = ERR_INIT;
	int fd = -EAGAIN;

	for (int i = 0; i < TRIES && fd == -EAGAIN; i++)
		fd = try_to_open(path, flags, mode, &why);
	if (fd >= 0)
		return fd;
	if (!*path)
		return err__set(err, -fd, "the name of the file to write to is empty");
	return err__set(err, -fd, "cannot open %s for writing: %s", path, why.msg);
}

int place__open_fifo(const char *path, struct err *err)
{
	struct place p;
	int fd = place__find(&p, path, err);

	fd = fd ?: place__judge(&p, true, err);
	if (!fd && p.exists && !S_ISFIFO(p.st.st_mode))
		fd = err__set(err, EINVAL, "it is not a fifo (mkfifo(1) makes one)");
	else if (!fd && !p.exists)
		fd = err__set(err, ENOENT, "%s", strerror(ENOENT));
	if (!fd) {
		fd = open_found(&p, O_RDWR | O_NONBLOCK, 0);
		if (fd < 0)
			err__set(err, -fd, "%s", strerror(-fd));
	}
	place__close(&p);
	return fd;
}
