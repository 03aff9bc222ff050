// SPDX-License-Identifier: GPL-2.0-only
#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "http/auth.h"
#include "http/listening.h"
#include "http/web_config.h"
#include "machine/cgroup_pick.h"
#include "serve/config.h"
#include "serve/measure.h"

void serve_config__drop(struct web_config **config)
{
	if (*config)
		web_config__free(*config);
	free(*config);
	*config = NULL;
}

int serve_config__load(const char *path, struct web_config **config, struct err *err)
{
	int rc = 0;

	*config = xcalloc(1, sizeof(**config));
	if (path)
		rc = web_config__load_library(err) ?: web_config__load(*config, path, err);
	if (!rc && (*config)->users.nr)
		rc = auth__load(err);
	if (rc)
		serve_config__drop(config);
	return rc;
}

int serve_config__keep_closed(const char *path, const struct web_config *before,
			      const struct web_config *now, struct err *err)
{
	static const char words[] = "%s no longer has %s: restart tma to serve without";

	if (before->users.nr && !now->users.nr)
		return err__set(err, EINVAL, words, path, "users");
	if (before->cert && !now->cert)
		return err__set(err, EINVAL, words, path, "a certificate");
	return 0;
}

void serve_config__warn(const char *path, const struct web_config *config,
			const struct listening *l)
{
	const char *name = sb__str(&l->name);

	if (path && !config->users.nr)
		say("warning: %s has no users: anyone who can reach %s can read the metrics", path,
		    name);
	else if (!l->is_local && !config->users.nr)
		say("warning: anyone who can reach %s can read the metrics; --web-config sets "
		    "users and passwords",
		    name);
	else if (!l->is_local && !config->cert)
		say("warning: passwords reach %s unencrypted; tls_server_config in the "
		    "--web-config file sets a certificate",
		    name);
}

/* Return: whether a cgroup is the other cgroup, or inside it. */
static bool is_in(const char *name, const char *other)
{
	size_t len = strlen(other);

	return !strncmp(name, other, len) && (!name[len] || name[len] == '/');
}

/* Return: whether a path is free of ".", ".." and empty parts. */
static bool is_plain(const char *name)
{
	char *copy = xstrdup(name), *rest = copy, *part;
	bool plain = true;

	while ((part = strsep(&rest, "/")))
		plain &= *part && strcmp(part, ".") && strcmp(part, "..");
	free(copy);
	return plain;
}

static int check_cgroups(const char *const *names, int nr, struct err *err)
{
	for (int i = 0; i < nr; i++) {
		if (!is_plain(names[i]) || !strcmp(names[i], CGROUP_OTHER))
			return err__set(err, EINVAL, "--cgroups: '%s' is not the name of a cgroup",
					names[i]);
		for (int j = 0; j < nr; j++)
			if (i != j && is_in(names[i], names[j]))
				return err__set(err, EINVAL,
						"--cgroups: %s is in %s, and its tasks would be "
						"counted twice",
						names[i], names[j]);
	}
	return nr <= CGROUPS_MAX ? 0
				 : err__set(err, EINVAL, "--cgroups: %d names, more than %d", nr,
					    CGROUPS_MAX);
}

int serve_config__read_cgroups(const char *text, struct serve_wish *wish, struct err *err)
{
	/* The names are kept until the program ends, like the program's options. */
	static VEC(const char *) names;
	char *rest = xstrdup(text), *name;

	while ((name = strsep(&rest, ","))) {
		size_t len = strlen(name);

		while (len && name[len - 1] == '/')
			name[--len] = '\0';
		vec__push(&names, name + strspn(name, "/"));
	}
	wish->cgroup_names = names.at;
	wish->cgroups = names.nr;
	return check_cgroups(names.at, names.nr, err);
}

#endif
