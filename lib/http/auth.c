// SPDX-License-Identifier: GPL-2.0-only
#include "http/auth.h"

#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <crypt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/array.h"
#include "base/err.h"
#include "base/xalloc.h"
#include "http/web_config.h"

#define NS_PER_S 1000000000ULL
/* Some distributions have only CRYPT_OTHER, which lacks obsolete functions. */
#define CRYPT_LIBRARY "libcrypt.so.1"
#define CRYPT_OTHER "libcrypt.so.2"
#define CREDENTIALS_MAX 1024 /* in characters; a longer header Authorization is wrong */

/* Attempts of an address: ADDRESS_TRIES at first, and one more after each ADDRESS_NS. */
#define ADDRESS_TRIES 4
#define ADDRESS_NS (4 * NS_PER_S)
#define ADDRESSES 64 /* entries, indexed by last bits, which some addresses share */
#define KNOWN_TRIES 100 /* as ADDRESS_TRIES, for addresses of correct passwords */
#define KNOWN_NS NS_PER_S

/*
 * CPU time for hashes: BUDGET_NS at first, and in addition 1 / BUDGET_PART of the time that passes.
 * Each hash uses at least HASH_NS of it.
 */
#define BUDGET_NS ((int64_t)NS_PER_S / 2)
#define BUDGET_PART 8
#define HASH_NS (BUDGET_NS / 4)
#define FAILED_NS (60 * NS_PER_S) /* time since a failure in which an address counts as failed */

#define PLACES 4 /* limit of addresses that are remembered for each user */

LIBRARY_DECLARE(crypt_r)

/**
 * struct allowance - attempts that are left
 * @tries: number of attempts at time @at_ns
 */
struct allowance {
	int tries;
	uint64_t at_ns;
};

/**
 * struct sender - an address, or several addresses that share the entry
 * @failed_ns: time of the last wrong password from the address; 0 if there was none
 */
struct sender {
	struct allowance tries;
	uint64_t failed_ns;
};

/**
 * struct budget - CPU time for hashes
 * @left_ns: time that was left at time @at_ns; less than 0 if a hash took longer
 */
struct budget {
	int64_t left_ns;
	uint64_t at_ns;
};

/**
 * struct login - what is remembered of a user
 * @password: the last correct password, or NULL
 * @places: addresses that @password came from, the last one first; @wrong: attempts that are left
 *          for each address
 */
struct login {
	char *password;
	struct place {
		uint64_t address;
		struct allowance wrong;
	} places[PLACES];
	int nr_places;
};

/**
 * struct auth - state of authentication
 * @logins: one for each user of @config
 * @budgets: the first is for addresses that have not failed recently, the second for addresses that
 *           have
 * @data:   memory for crypt_r()
 */
struct auth {
	const struct web_config *config;
	struct login *logins;
	struct sender senders[ADDRESSES];
	struct budget budgets[2];
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

static int find_user(const struct web_config *c, const char *name)
{
	int user = c ? c->users.nr - 1 : -1;

	while (user >= 0 && strcmp(c->users.at[user].name, name) != 0)
		user--;
	return user;
}

static void auth__forget(struct login *l)
{
	if (l->password)
		explicit_bzero(l->password, strlen(l->password));
	free(l->password);
	*l = (struct login){.password = NULL};
}

static void forget_all(struct auth *a)
{
	for (int i = 0; a->config && i < a->config->users.nr; i++)
		auth__forget(&a->logins[i]);
	free(a->logins);
}

struct auth *auth__new(const struct web_config *config)
{
	struct auth *a = xcalloc(1, sizeof(*a));

	for (int i = 0; i < ADDRESSES; i++)
		a->senders[i].tries.tries = ADDRESS_TRIES;
	for (int i = 0; i < array__nr(a->budgets); i++)
		a->budgets[i].left_ns = BUDGET_NS;
	auth__set_config(a, config);
	return a;
}

void auth__set_config(struct auth *a, const struct web_config *config)
{
	struct login *logins = xcalloc(config->users.nr + 1, sizeof(*logins));

	for (int i = 0; i < config->users.nr; i++) {
		const struct web_user *u = &config->users.at[i];
		int was = find_user(a->config, u->name);

		if (was < 0 || strcmp(a->config->users.at[was].hash, u->hash) != 0)
			continue;
		logins[i] = a->logins[was];
		a->logins[was].password = NULL;
	}
	forget_all(a);
	a->config = config;
	a->logins = logins;
	if (config->users.nr && !a->data)
		a->data = xcalloc(1, sizeof(*a->data));
}

void auth__free(struct auth *a)
{
	if (!a)
		return;
	forget_all(a);
	if (a->data)
		explicit_bzero(a->data, sizeof(*a->data));
	free(a->data);
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

static void auth__fill(struct allowance *a, int most, uint64_t each_ns, uint64_t now_ns)
{
	uint64_t more = now_ns > a->at_ns ? (now_ns - a->at_ns) / each_ns : 0;

	if (!more)
		return;
	a->at_ns += more * each_ns;
	a->tries = more > (uint64_t)(most - a->tries) ? most : a->tries + (int)more;
}

static bool take_try(struct auth *a, uint64_t address, uint64_t now_ns)
{
	struct allowance *of = &a->senders[address % ADDRESSES].tries;

	auth__fill(of, ADDRESS_TRIES, ADDRESS_NS, now_ns);
	if (!of->tries)
		return false;
	of->tries--;
	return true;
}

/* Find the budget for an address. Addresses that fail repeatedly share a separate budget. */
static struct budget *find_budget(struct auth *a, uint64_t address, uint64_t now_ns)
{
	const struct sender *o = &a->senders[address % ADDRESSES];
	struct budget *p = &a->budgets[o->failed_ns && now_ns - o->failed_ns < FAILED_NS];
	uint64_t more_ns = now_ns > p->at_ns ? (now_ns - p->at_ns) / BUDGET_PART : 0;

	p->at_ns += more_ns * BUDGET_PART;
	p->left_ns = more_ns < (uint64_t)(BUDGET_NS - p->left_ns) ? p->left_ns + (int64_t)more_ns
								: BUDGET_NS;
	return p;
}

/*
 * Compare two texts in a time that does not depend on the place of a difference, so that timing
 * reveals nothing.
 */
static bool auth__same(const char *a, const char *b)
{
	size_t len = strlen(a), of_b = strlen(b);
	unsigned char differs = len != of_b;

	for (size_t i = 0; i < len; i++)
		differs |= (unsigned char)a[i] ^ (unsigned char)b[of_b ? i % of_b : 0];
	return !differs;
}

/*
 * Find the hash for a user. The password of an unknown user is checked against a real hash, so that
 * timing does not reveal which users exist. This hash is always the same for a name; it depends on
 * all hashes, so that clients cannot predict it.
 */
static const char *find_hash(const struct web_config *c, int user, const char *name)
{
	uint64_t sum = 0xcbf29ce484222325;

	if (user >= 0)
		return c->users.at[user].hash;
	for (; *name; name++)
		sum = (sum ^ (unsigned char)*name) * 0x100000001b3;
	for (const char *p = c->users.at[0].hash; *p; p++)
		sum = (sum ^ (unsigned char)*p) * 0x100000001b3;
	return c->users.at[(sum >> 32) % c->users.nr].hash;
}

/* Return: CPU time of this thread, which other programs do not affect. */
static int64_t used_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * (int64_t)NS_PER_S + t.tv_nsec;
}

static bool is_right(struct auth *a, const char *wanted, const char *password,
		     struct budget *budget)
{
	int64_t begin_ns = used_ns(), took_ns;
	const char *hash = lib_crypt_r(password, wanted, a->data);

	took_ns = used_ns() - begin_ns;
	budget->left_ns -= took_ns > HASH_NS ? took_ns : HASH_NS;
	return hash && *hash != '*' && auth__same(hash, wanted);
}

static struct place *auth__find_place(struct login *l, uint64_t address)
{
	for (int i = 0; i < l->nr_places; i++)
		if (l->places[i].address == address)
			return &l->places[i];
	return NULL;
}

static void add_place(struct login *l, uint64_t address, uint64_t now_ns)
{
	l->nr_places += l->nr_places < PLACES;
	memmove(&l->places[1], &l->places[0], (l->nr_places - 1) * sizeof(*l->places));
	l->places[0] = (struct place){address, {KNOWN_TRIES, now_ns}};
}

/* Check a password. No hash is needed for a password that was correct before. */
static enum auth_answer check_password(struct auth *a, int user, const char *name,
				     const char *password, uint64_t address, uint64_t now_ns)
{
	struct login *l = user < 0 ? NULL : &a->logins[user];
	struct budget *budget = find_budget(a, address, now_ns);

	if (l && l->password && auth__same(password, l->password))
		return AUTH_YES;
	if (budget->left_ns <= 0)
		return AUTH_WAIT;
	if (!is_right(a, find_hash(a->config, user, name), password, budget) || !l) {
		a->senders[address % ADDRESSES].failed_ns = now_ns;
		return AUTH_NO;
	}
	budget->left_ns += HASH_NS;
	auth__forget(l);
	l->password = xstrdup(password);
	return AUTH_YES;
}

static enum auth_answer auth__check(struct auth *a, const char *name, const char *password,
				   uint64_t address, uint64_t now_ns)
{
	int user = find_user(a->config, name);
	struct login *l = user < 0 ? NULL : &a->logins[user];
	struct place *place = l ? auth__find_place(l, address) : NULL;
	enum auth_answer answer;

	/*
	 * A scraper with a remembered password never waits, unless its address also sends very many
	 * wrong passwords.
	 */
	if (place) {
		auth__fill(&place->wrong, KNOWN_TRIES, KNOWN_NS, now_ns);
		if (!place->wrong.tries)
			return AUTH_WAIT;
		if (auth__same(password, l->password))
			return AUTH_YES;
		place->wrong.tries--;
	}
	if (!take_try(a, address, now_ns))
		return AUTH_WAIT;
	answer = check_password(a, user, name, password, address, now_ns);
	if (answer == AUTH_YES) {
		/* A correct password does not use up an attempt. */
		a->senders[address % ADDRESSES].tries.tries++;
		if (!auth__find_place(l, address))
			add_place(l, address, now_ns);
	}
	return answer;
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
	/* The name ends at the first colon. A NUL byte would hide the rest. */
	if (len >= 0 && !memchr(credentials, 0, len)) {
		credentials[len] = '\0';
		colon = strchr(credentials, ':');
		if (colon) {
			*colon = '\0';
			answer = auth__check(a, credentials, colon + 1, address, now_ns);
		}
	}
	explicit_bzero(credentials, sizeof(credentials));
	return answer;
}

#endif
