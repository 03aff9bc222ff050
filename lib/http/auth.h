/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether who asks may have an answer: basic authentication (RFC 7617), with passwords hashed by
 * bcrypt.
 *
 * A look at a password is made to be slow. So who was right is remembered, with the addresses that
 * came from, and looks are limited: in number for each address, and in time for all of them, half
 * of which is for addresses that have not failed of late. Whoever tries passwords gets few tries,
 * and those who are remembered do not notice.
 */
#ifndef TMA_HTTP_AUTH_H
#define TMA_HTTP_AUTH_H

#include <stddef.h>
#include <stdint.h>

struct auth;
struct err;
struct web_config;

enum auth_answer {
	AUTH_YES,
	AUTH_NO,   /* no credentials, or wrong ones */
	AUTH_WAIT, /* there were too many tries: nothing was looked at */
};

/** auth__load() - load what looks at passwords, before there are users. Return: 0 or -ELIBACC. */
int auth__load(struct err *err);
/** auth__new() - begin with nobody remembered. @config: must outlive it. auth__free() it. */
struct auth *auth__new(const struct web_config *config);
/**
 * auth__use() - from now on ask for other users
 * @config: must outlive it
 *
 * Who was right is remembered still, where the hash is the same; the config before is not needed
 * any more.
 */
void auth__use(struct auth *a, const struct web_config *config);
/** auth__free() - release it, and wipe what was remembered; NULL is allowed. */
void auth__free(struct auth *a);
/**
 * auth__ask() - look at what was sent
 * @authorization: the header of that name, or NULL
 * @address: number of who asks, the same for the same address
 * @now_ns:  a clock that never runs backwards
 *
 * Return: AUTH_YES where there are no users.
 */
enum auth_answer auth__ask(struct auth *a, const char *authorization, uint64_t address,
			   uint64_t now_ns);
/**
 * base64__decode() - read a text in base64
 * @to: has room for as many bytes as @text has letters
 *
 * Return: how many bytes it is; -1 where it is no base64.
 */
int base64__decode(const char *text, char *to);

#endif
