/* SPDX-License-Identifier: GPL-2.0-only */
/* The --web-config of "tma serve": who may read the metrics, and how. */
#ifndef TMA_CMD_SERVE_CONFIG_H
#define TMA_CMD_SERVE_CONFIG_H

struct err;
struct listening;
struct web_config;

/**
 * serve_config__load() - read the configuration, and load the libraries that it needs
 * @path:   of the file, or NULL without one: then everybody may read
 * @config: set on success; release it with serve_config__drop()
 *
 * Return: 0 or -errno.
 */
int serve_config__load(const char *path, struct web_config **config, struct err *err);
/**
 * serve_config__keep_closed() - refuse a new configuration that opens to everybody what was
 * protected
 *
 * An empty or truncated file is probably being written, and not meant to do that. Return: 0 or
 * -EINVAL.
 */
int serve_config__keep_closed(const char *path, const struct web_config *before,
			      const struct web_config *now, struct err *err);
/**
 * serve_config__warn() - warn where anyone may read the metrics, or passwords are sent unencrypted
 */
void serve_config__warn(const char *path, const struct web_config *config,
			const struct listening *l);
/** serve_config__drop() - release the configuration, and set it to NULL. */
void serve_config__drop(struct web_config **config);

struct serve_wish;
/**
 * serve_config__read_cgroups() - read the list of --cgroups
 * @text: names relative to the mount of cgroups, separated by commas; a leading slash is dropped
 * @wish: cgroup_names and cgroups are set
 *
 * A cgroup inside another one of the list is refused, as its tasks would be counted twice. Return:
 * 0 or -EINVAL.
 */
int serve_config__read_cgroups(const char *text, struct serve_wish *wish, struct err *err);

#endif
