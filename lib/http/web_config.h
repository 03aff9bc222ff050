/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read the file of --web-config with users and certificate, in the form of Prometheus' exporters
 * (exporter-toolkit). Each unknown word is an error with its line, since to ignore a setting for
 * security would leave a hole.
 */
#ifndef TMA_HTTP_WEB_CONFIG_H
#define TMA_HTTP_WEB_CONFIG_H

#include <stddef.h>

#include "base/vec.h"

struct err;

/**
 * struct web_user - one of basic_auth_users
 * @hash: bcrypt hash of the password: "$2y$10$..."
 */
struct web_user {
	char *name, *hash;
};

/**
 * struct web_config - contents of the file
 * @cert_file, @key_file: paths, relative ones completed with the file's directory; NULL without TLS
 * @cert, @key: contents of these files; NULL without TLS
 */
struct web_config {
	VEC(struct web_user) users;
	char *cert_file, *key_file, *cert, *key;
};

/**
 * web_config__load_library() - load the YAML library, before other calls. Return: 0 or -ELIBACC.
 */
int web_config__load_library(struct err *err);
/**
 * web_config__parse() - parse the text of such a file
 * @path: its name in messages; paths in it are relative to its directory
 * @text, @len: the text, which need not be NUL-terminated
 * @c:    filled; in any case release it with web_config__free()
 *
 * Return: 0, or -EINVAL with "PATH:LINE: what is wrong".
 */
int web_config__parse(struct web_config *c, const char *path, const char *text, size_t len,
		      struct err *err);
/** web_config__load() - read the file and those that it names. Return: 0 or -errno. */
int web_config__load(struct web_config *c, const char *path, struct err *err);
/** web_config__free() - release a configuration; the key is wiped. */
void web_config__free(struct web_config *c);

#endif
