/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Read the file of --web-config with users and certificate, in the form of Prometheus' exporters
 * (exporter-toolkit). An unknown word is an error, reported with its line, since a security setting
 * that is silently ignored would leave a hole.
 */
#ifndef TMA_HTTP_WEB_CONFIG_H
#define TMA_HTTP_WEB_CONFIG_H

#include <stddef.h>

#include "base/vec.h"

struct err;

/**
 * struct web_user - an entry of basic_auth_users
 * @hash: bcrypt hash of the password: "$2y$10$..."
 */
struct web_user {
	char *name, *hash;
};

/**
 * struct web_config - contents of the file
 * @cert_file, @key_file: paths; the file's directory completes relative paths; NULL without TLS
 * @cert, @key: contents of @cert_file and @key_file; NULL without TLS
 */
struct web_config {
	VEC(struct web_user) users;
	char *cert_file, *key_file, *cert, *key;
};

/** web_config__load_library() - load the YAML library; call it first. Return: 0 or -ELIBACC. */
int web_config__load_library(struct err *err);
/**
 * web_config__parse() - parse the text of a web config
 * @path: name of the file in messages; paths in the text are relative to its directory
 * @text, @len: the text, without a NUL byte at its end
 * @c:    filled; release it with web_config__free(), also after a failure
 *
 * Return: 0, or -EINVAL with "PATH:LINE: what is wrong".
 */
int web_config__parse(struct web_config *c, const char *path, const char *text, size_t len,
		      struct err *err);
/** web_config__load() - read a web config, its certificate and its key. Return: 0 or -errno. */
int web_config__load(struct web_config *c, const char *path, struct err *err);
/** web_config__free() - release a configuration; the key is wiped. */
void web_config__free(struct web_config *c);

#endif
