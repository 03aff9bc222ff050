/* SPDX-License-Identifier: GPL-2.0-only */
/* The configuration file of "tma serve", after --web-config: who may read the metrics, and how. */
#ifndef TMA_CMD_SERVE_CONFIG_H
#define TMA_CMD_SERVE_CONFIG_H

struct err;
struct listening;
struct web_config;

/**
 * serve_config__load() - read the configuration, and load the libraries that it needs
 * @path:   the file; NULL without a configuration, so that everybody may read
 * @config: set on success; release it with serve_config__drop()
 *
 * Return: 0 or -errno.
 */
int serve_config__load(const char *path, struct web_config **config, struct err *err);
/**
 * serve_config__keep_closed() - refuse a new configuration that lets everybody read what was
 * protected
 *
 * Such a file may be empty or truncated because it is just being written. Return: 0 or -EINVAL.
 */
int serve_config__keep_closed(const char *path, const struct web_config *before,
			      const struct web_config *now, struct err *err);
/**
 * serve_config__warn() - warn if everybody may read the metrics, or passwords are sent unencrypted
 */
void serve_config__warn(const char *path, const struct web_config *config,
			const struct listening *l);
/** serve_config__drop() - release the configuration, and set it to NULL. */
void serve_config__drop(struct web_config **config);

struct serve_wish;
/**
 * serve_config__read_cgroups() - read the list of --cgroups
 * @text: names relative to the mount point of cgroups, separated by commas; a leading slash is
 *        dropped
 * @wish: its cgroup_names and cgroups are set
 *
 * A cgroup inside another cgroup of the list is refused, since its tasks would be counted twice.
 * Return: 0 or -EINVAL.
 */
int serve_config__read_cgroups(const char *text, struct serve_wish *wish, struct err *err);

#endif
