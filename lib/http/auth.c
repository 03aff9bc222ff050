// SPDX-License-Identifier: GPL-2.0-only
#include "http/auth.h"

#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <crypt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/err.h"
#include "base/xalloc.h"
#include "http/web_config.h"

#define NS_PER_S 1000000000ULL
/* Of the second, some distributions have left out what nobody uses. */
#define CRYPT_LIBRARY "libcrypt.so.1"
#define CRYPT_OTHER "libcrypt.so.2"
#define CREDENTIALS_MAX 1024 /* letters of "Basic ...": what is longer is wrong */

/* Looks at passwords: so many at once, and one more each time so many seconds have passed. */
#define ALL_TRIES 8
#define ALL_NS (NS_PER_S / 2)
#define ADDRESS_TRIES 4
#define ADDRESS_NS (4 * NS_PER_S)
#define ADDRESSES 64 /* by their last bits: neighbours have one in common */

LIBRARY_DECLARE(crypt_r)

/**
 * struct allowance - tries that are left
 * @tries: at @at_ns
 */
struct allowance {
	int tries;
	uint64_t at_ns;
};

/**
 * struct auth - who may ask
 * @known: for each user the password that was right, or NULL
 * @data:  of crypt_r()
 */
struct auth {
	const struct web_config *config;
	char **known;
	struct allowance all, of[ADDRESSES];
	struct crypt_data *data;
};

int auth__load(struct err *err)
{
	static const struct library_call calls[] = {LIBRARY_CALL(crypt_r){NULL, NULL}};

	if (!library__load(CRYPT_OTHER, "", calls, err))
		return 0;
	*err = (struct err)ERR_INIT;
	return library__load(CRYPT_LIBRARY, "libcrypt1", calls, err);
}

struct auth *auth__new(const struct web_config *config)
{
	struct auth *a = xcalloc(1, sizeof(*a));

	a->config = config;
	a->known = xcalloc(config->users.nr + 1, sizeof(*a->known));
	if (config->users.nr)
		a->data = xcalloc(1, sizeof(*a->data));
	a->all.tries = ALL_TRIES;
	for (int i = 0; i < ADDRESSES; i++)
		a->of[i].tries = ADDRESS_TRIES;
	return a;
}

static void forget(char *password)
{
	if (password)
		explicit_bzero(password, strlen(password));
	free(password);
}

void auth__free(struct auth *a)
{
	if (!a)
		return;
	for (int i = 0; i < a->config->users.nr; i++)
		forget(a->known[i]);
	if (a->data)
		explicit_bzero(a->data, sizeof(*a->data));
	free(a->data);
	free(a->known);
	free(a);
}

static int digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? at - digits : -1;
}

int base64__decode(const char *text, char *to)
{
	size_t len = strcspn(text, "=");
	unsigned int bits = 0, nr = 0;
	int n = 0;

	if ((text[len] && (len + strlen(text + len)) % 4) || strspn(text + len, "=") > 2 ||
	    text[len + strspn(text + len, "=")] || len % 4 == 1)
		return -1;
	for (size_t i = 0; i < len; i++) {
		int value = digit(text[i]);

		if (value < 0)
			return -1;
		bits = bits << 6 | (unsigned int)value;
		nr += 6;
		if (nr >= 8) {
			nr -= 8;
			to[n++] = bits >> nr & 0xff;
		}
	}
	return n;
}

static void fill(struct allowance *a, int most, uint64_t each_ns, uint64_t now_ns)
{
	uint64_t more = now_ns > a->at_ns ? (now_ns - a->at_ns) / each_ns : 0;

	if (!more)
		return;
	a->at_ns += more * each_ns;
	a->tries = more > (uint64_t)(most - a->tries) ? most : a->tries + (int)more;
}

static bool take_try(struct auth *a, uint64_t address, uint64_t now_ns)
{
	struct allowance *of = &a->of[address % ADDRESSES];

	fill(&a->all, ALL_TRIES, ALL_NS, now_ns);
	fill(of, ADDRESS_TRIES, ADDRESS_NS, now_ns);
	if (!a->all.tries || !of->tries)
		return false;
	a->all.tries--;
	of->tries--;
	return true;
}

/* A try that was right is none that counts. */
static void give_back(struct auth *a, uint64_t address)
{
	a->all.tries++;
	a->of[address % ADDRESSES].tries++;
}

/* Takes as long whatever is different, so that the time tells nothing. */
static bool same(const char *a, const char *b)
{
	size_t len = strlen(a), of_b = strlen(b);
	unsigned char differs = len != of_b;

	for (size_t i = 0; i < len; i++)
		differs |= (unsigned char)a[i] ^ (unsigned char)b[of_b ? i % of_b : 0];
	return !differs;
}

/*
 * Who is no user is looked at as if it were the first one, so that the time does not tell who is
 * one.
 */
static bool is_right(struct auth *a, int user, const char *password)
{
	const struct web_user *u = &a->config->users.at[user < 0 ? 0 : user];
	const char *hash = lib_crypt_r(password, u->hash, a->data);
	bool right = hash && *hash != '*' && same(hash, u->hash);

	return right && user >= 0;
}

static enum auth_answer look(struct auth *a, const char *name, const char *password,
			     uint64_t address, uint64_t now_ns)
{
	const struct web_config *c = a->config;
	int user = c->users.nr - 1;

	while (user >= 0 && strcmp(c->users.at[user].name, name) != 0)
		user--;
	if (user >= 0 && a->known[user] && same(password, a->known[user]))
		return AUTH_YES;
	if (!take_try(a, address, now_ns))
		return AUTH_WAIT;
	if (!is_right(a, user, password))
		return AUTH_NO;
	give_back(a, address);
	forget(a->known[user]);
	a->known[user] = xstrdup(password);
	return AUTH_YES;
}

enum auth_answer auth__ask(struct auth *a, const char *authorization, uint64_t address,
			   uint64_t now_ns)
{
	char credentials[CREDENTIALS_MAX], *colon;
	enum auth_answer answer = AUTH_NO;
	int len;

	if (!a->config->users.nr)
		return AUTH_YES;
	if (!authorization || strlen(authorization) >= sizeof(credentials) ||
	    strncasecmp(authorization, "Basic ", 6) != 0)
		return AUTH_NO;
	authorization += 6;
	len = base64__decode(authorization + strspn(authorization, " "), credentials);
	/* The name ends at the first colon; a byte 0 would hide what is behind it. */
	if (len >= 0 && !memchr(credentials, 0, len)) {
		credentials[len] = '\0';
		colon = strchr(credentials, ':');
		if (colon) {
			*colon = '\0';
			answer = look(a, credentials, colon + 1, address, now_ns);
		}
	}
	explicit_bzero(credentials, sizeof(credentials));
	return answer;
}

#endif
