// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "http/auth.h"
#include "http/libraries.h"
#include "http/web_config.h"
#include "unit.h"

#if HTTP_IS_BUILT

#define S 1000000000ULL
#define RIGHT "Basic b3RoZXI6c2Vjb25k" /* other:second */
#define WRONG "Basic b3RoZXI6c2Vjb25l"
#define NOBODY "Basic bm9ib2R5OnNlY29uZA=="

static struct web_user user = {
	(char *)"other", (char *)"$2y$05$bI60h65zPzKONlvz/RgIT.kzp2YrDrL35P/sOzC6CT/gSCvqeDEcm"};

static struct auth *begin(struct web_config *c)
{
	struct err err = ERR_INIT;

	*c = (struct web_config){.users = {.at = &user, .nr = 1}};
	ck_assert_int_eq(auth__load(&err), 0);
	return auth__new(c);
}

START_TEST(who_is_right_may)
{
	struct web_config c;
	struct auth *a = begin(&c);

	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	ck_assert_int_eq(auth__ask(a, "basic   b3RoZXI6c2Vjb25k", 1, S), AUTH_YES);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, NOBODY, 1, S), AUTH_NO);
	auth__free(a);
}
END_TEST

START_TEST(what_is_no_credentials_is_refused)
{
	static const char *const texts[] = {"", "Basic", "Basic ", "Bearer b3RoZXI6c2Vjb25k",
					    "Basic b3RoZXI6c2Vjb25k=", "Basic !", "Basic b3RoZXI",
					    "Basic b3RoZXI6AGE=", "b3RoZXI6c2Vjb25k"};
	struct web_config c;
	struct auth *a = begin(&c);
	char lengthy[5000] = "Basic ";

	memset(lengthy + 6, 'A', sizeof(lengthy) - 7);
	ck_assert_int_eq(auth__ask(a, NULL, 1, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, lengthy, 1, S), AUTH_NO);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		ck_assert_int_eq(auth__ask(a, texts[i], 1, S), AUTH_NO);
	auth__free(a);
}
END_TEST

START_TEST(tries_are_few_and_come_back)
{
	struct web_config c;
	struct auth *a = begin(&c);

	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_WAIT);
	/* Who was right is remembered, and another address has tries of its own. */
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(auth__ask(a, WRONG, 2, S), AUTH_NO);
	/* All addresses together have used up theirs. */
	ck_assert_int_eq(auth__ask(a, WRONG, 3, S), AUTH_WAIT);
	ck_assert_int_eq(auth__ask(a, WRONG, 3, 2 * S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, 6 * S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, 6 * S), AUTH_WAIT);
	auth__free(a);
}
END_TEST

START_TEST(without_users_everybody_may)
{
	struct web_config c = {.cert = NULL};
	struct auth *a = auth__new(&c);

	ck_assert_int_eq(auth__ask(a, NULL, 1, S), AUTH_YES);
	auth__free(a);
}
END_TEST

TMA_TEST_MAIN(http_auth, who_is_right_may, what_is_no_credentials_is_refused,
	      tries_are_few_and_come_back, without_users_everybody_may)

#else

int main(void)
{
	puts("SKIP http_auth: headers are missing");
	return 77;
}

#endif
