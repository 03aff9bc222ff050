/* SPDX-License-Identifier: GPL-2.0-only */
/* The --web-config of "tma serve": who may read the metrics, and how. */
#ifndef TMA_CMD_SERVE_CONFIG_H
#define TMA_CMD_SERVE_CONFIG_H

struct err;
struct listening;
struct web_config;

/**
 * serve_config__load() - read it, and load the libraries that it needs
 * @path:   of the file, or NULL for none: everybody may read
 * @config: set on success; serve_config__drop() it
 *
 * Return: 0 or -errno.
 */
int serve_config__load(const char *path, struct web_config **config, struct err *err);
/**
 * serve_config__keep_closed() - refuse to open to everybody what was not
 *
 * A file that is empty or cut off, because somebody is writing it, is no wish to do so.
 * Return: 0 or -EINVAL.
 */
int serve_config__keep_closed(const char *path, const struct web_config *before,
			      const struct web_config *now, struct err *err);
/** serve_config__warn() - warn where others than this computer's users may read, or passwords. */
void serve_config__warn(const char *path, const struct web_config *config,
			const struct listening *l);
/** serve_config__drop() - release it, and set it to NULL. */
void serve_config__drop(struct web_config **config);

struct serve_wish;
/**
 * serve_config__read_cgroups() - read the list of --cgroups
 * @text: names below where cgroups are mounted, with commas; a slash before one is dropped
 * @wish: cgroup_names and cgroups are set
 *
 * None may be in another one of them, as its tasks would be counted twice. Return: 0 or -EINVAL.
 */
int serve_config__read_cgroups(const char *text, struct serve_wish *wish, struct err *err);

#endif
