/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of --web-config: who may ask, and the certificate, in the form of Prometheus' exporters
 * (exporter-toolkit). In comes a file, out go texts; each word that is not understood is an error
 * with its line, as a wish for more safety that is passed over would be a hole.
 */
#ifndef TMA_HTTP_WEB_CONFIG_H
#define TMA_HTTP_WEB_CONFIG_H

#include <stddef.h>

#include "base/vec.h"

struct err;

/**
 * struct web_user - one of basic_auth_users
 * @hash: of the password, by bcrypt: "$2y$10$..."
 */
struct web_user {
	char *name, *hash;
};

/**
 * struct web_config - what such a file says
 * @cert_file, @key_file: paths, beside the file where they are relative; NULL without TLS
 * @cert, @key: what these files hold; NULL without TLS
 */
struct web_config {
	VEC(struct web_user) users;
	char *cert_file, *key_file, *cert, *key;
};

/** web_config__load_library() - load what reads YAML, before the others. 0 or -ELIBACC. */
int web_config__load_library(struct err *err);
/**
 * web_config__parse() - read the text of such a file
 * @path: what it is called in messages; paths in it are relative to its directory
 * @text, @len: need not end with a 0
 * @c:    filled; web_config__free() it, whatever is returned
 *
 * Return: 0, or -EINVAL with "PATH:LINE: what is wrong".
 */
int web_config__parse(struct web_config *c, const char *path, const char *text, size_t len,
		      struct err *err);
/** web_config__load() - read the file, and those that it names. Return: 0 or -errno. */
int web_config__load(struct web_config *c, const char *path, struct err *err);
/** web_config__free() - release it; the key is wiped. */
void web_config__free(struct web_config *c);

#endif
