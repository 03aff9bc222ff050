/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Check credentials of requests: basic authentication (RFC 7617), with passwords hashed by bcrypt.
 *
 * Checking a hash is slow by design. So correct passwords are remembered, with the addresses that
 * they came from, and checks are limited: each address has a number of attempts, and all checks
 * together have a limit of CPU time. Half of this time is reserved for addresses that have not
 * failed recently. So a client that tries passwords gets few attempts, and does not affect
 * remembered users.
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
	AUTH_NO,   /* missing or wrong credentials */
	AUTH_WAIT, /* too many attempts: nothing was checked */
};

/**
 * auth__load() - load the library for hashes; required if there are users. Return: 0 or -ELIBACC.
 */
int auth__load(struct err *err);
/**
 * auth__new() - begin without remembered users
 * @config: must stay valid as long as the result
 *
 * Return: a state to release with auth__free().
 */
struct auth *auth__new(const struct web_config *config);
/**
 * auth__set_config() - replace the users
 * @config: must stay valid as long as @a; replaces the previous config, which may be released then
 *
 * A user whose hash has not changed is still remembered.
 */
void auth__set_config(struct auth *a, const struct web_config *config);
/** auth__free() - release the state, and wipe remembered passwords; NULL is allowed. */
void auth__free(struct auth *a);
/**
 * auth__ask() - check the credentials of a request
 * @authorization: the request's header Authorization, or NULL
 * @address: a number for the client's address; equal addresses have equal numbers
 * @now_ns:  time of a clock that never runs backwards
 *
 * Return: AUTH_YES if the password is correct, or if no users are configured.
 */
enum auth_answer auth__ask(struct auth *a, const char *authorization, uint64_t address,
			   uint64_t now_ns);
/**
 * base64__decode() - decode a text in base64
 * @to: has room for as many bytes as @text has characters
 *
 * Return: the number of bytes; -1 if the text is not base64.
 */
int base64__decode(const char *text, char *to);

#endif
