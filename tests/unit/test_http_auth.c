// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "http/auth.h"
#include "http/libraries.h"
#include "http/web_config.h"
#include "unit.h"

#if HTTP_IS_BUILT

#define S 1000000000ULL
#define RIGHT "Basic b3RoZXI6c2Vjb25k" /* other:second */
#define WRONG "Basic b3RoZXI6c2Vjb25l"
/*
 * Hashes that take 256 and 16 times as long as the other user's. They fit no password that is
 * tried.
 */
#define SLOW "$2y$13$bI60h65zPzKONlvz/RgIT.kzp2YrDrL35P/sOzC6CT/gSCvqeDEcm"
#define SLOW_16 "$2y$09$bI60h65zPzKONlvz/RgIT.kzp2YrDrL35P/sOzC6CT/gSCvqeDEcm"
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

START_TEST(correct_credentials_are_accepted)
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

START_TEST(malformed_credentials_are_refused)
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

START_TEST(attempts_are_few_and_renewed)
{
	struct web_config c;
	struct auth *a = begin(&c);

	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_WAIT);
	/* A correct password is remembered, and other addresses have their own attempts. */
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	ck_assert_int_eq(auth__ask(a, WRONG, 2, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, 6 * S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, 6 * S), AUTH_WAIT);
	auth__free(a);
}
END_TEST

START_TEST(a_known_address_does_not_help_others) /* R61 */
{
	struct web_config c;
	struct auth *a = begin(&c);

	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	/* If no attempts are left, other addresses are refused even with the correct password. */
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(auth__ask(a, WRONG, 2, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, RIGHT, 2, S), AUTH_WAIT);
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	ck_assert_int_eq(auth__ask(a, RIGHT, 2, 6 * S), AUTH_YES);
	/*
	 * The password is remembered for four addresses. When a fifth follows, the first one needs
	 * an attempt again.
	 */
	for (int i = 3; i < 6; i++)
		ck_assert_int_eq(auth__ask(a, RIGHT, i, 6 * S), AUTH_YES);
	for (int i = 0; i < 4; i++)
		ck_assert_int_ne(auth__ask(a, WRONG, 1, 6 * S), AUTH_YES);
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, 6 * S), AUTH_WAIT);
	/*
	 * The number of guesses is also limited at an address that has sent the correct password.
	 */
	for (int i = 0; i < 100; i++)
		ck_assert_int_ne(auth__ask(a, WRONG, 5, 6 * S), AUTH_YES);
	ck_assert_int_eq(auth__ask(a, RIGHT, 5, 6 * S), AUTH_WAIT);
	ck_assert_int_eq(auth__ask(a, RIGHT, 5, 8 * S), AUTH_YES);
	auth__free(a);
}
END_TEST

START_TEST(failing_addresses_use_a_separate_budget) /* R61 */
{
	struct web_config c;
	struct auth *a = begin(&c);

	/*
	 * No address is known. First all checks that are allowed at a time fail, and later all that
	 * have become allowed since.
	 */
	for (int address = 10; address < 14; address++)
		ck_assert_int_eq(auth__ask(a, WRONG, address, S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 14, S), AUTH_WAIT);
	for (int address = 10; address < 14; address++)
		ck_assert_int_eq(auth__ask(a, WRONG, address, 9 * S), AUTH_NO);
	ck_assert_int_eq(auth__ask(a, WRONG, 10, 9 * S), AUTH_WAIT);
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, 9 * S), AUTH_YES);
	auth__free(a);
}
END_TEST

START_TEST(hashes_take_a_part_of_the_time) /* R61 */
{
	/* Each check takes at least a quarter of a second. */
	struct web_user slow = {(char *)"other", (char *)SLOW};
	struct web_config c = {.users = {.at = &slow, .nr = 1}};
	struct err err = ERR_INIT;
	struct auth *a;

	ck_assert_int_eq(auth__load(&err), 0);
	a = auth__new(&c);
	ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_NO);
	for (int i = 2; i < 4; i++)
		auth__ask(a, WRONG, i, S);
	ck_assert_int_eq(auth__ask(a, WRONG, 4, S), AUTH_WAIT);
	ck_assert_int_eq(auth__ask(a, WRONG, 5, S + S / 100), AUTH_WAIT);
	ck_assert_int_eq(auth__ask(a, WRONG, 6, 10000 * S), AUTH_NO);
	auth__free(a);
}
END_TEST

START_TEST(a_new_config_keeps_users_with_the_same_hash)
{
	struct web_user users[] = {{(char *)"new", (char *)SLOW}, user};
	struct web_user changed = {(char *)"other", (char *)SLOW};
	struct web_config c, more = {.users = {.at = users, .nr = 2}};
	struct web_config other = {.users = {.at = &changed, .nr = 1}};
	struct auth *a = begin(&c);

	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(auth__ask(a, WRONG, 1, S), AUTH_NO);
	auth__set_config(a, &more);
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_YES);
	/* Once the hash has changed, the old password is refused like any other. */
	auth__set_config(a, &other);
	ck_assert_int_eq(auth__ask(a, RIGHT, 1, S), AUTH_WAIT);
	auth__free(a);
}
END_TEST

START_TEST(timing_does_not_reveal_users)
{
	struct web_user users[] = {user, {(char *)"slow", (char *)SLOW_16}};
	struct web_config c = {.users = {.at = users, .nr = 2}};
	/* Names "a" to "h", which no user has. */
	static const char *const nobody[] = {"Basic YTph", "Basic Yjph", "Basic Yzph", "Basic ZDph",
					     "Basic ZTph", "Basic Zjph", "Basic Zzph", "Basic aDph"};
	struct err err = ERR_INIT;
	struct auth *a;
	int slow = 0;

	ck_assert_int_eq(auth__load(&err), 0);
	a = auth__new(&c);
	for (int i = 0; i < 8; i++) {
		clock_t begin = clock(), between;

		ck_assert_int_eq(auth__ask(a, nobody[i], i, (i + 1) * 60 * S), AUTH_NO);
		between = clock();
		ck_assert_int_eq(auth__ask(a, WRONG, i + 8, (i + 1) * 60 * S), AUTH_NO);
		slow += between - begin > 4 * (clock() - between);
	}
	ck_assert_int_gt(slow, 0);
	ck_assert_int_lt(slow, 8);
	auth__free(a);
}
END_TEST

START_TEST(without_users_everything_is_allowed)
{
	struct web_config c = {.cert = NULL};
	struct auth *a = auth__new(&c);

	ck_assert_int_eq(auth__ask(a, NULL, 1, S), AUTH_YES);
	auth__free(a);
}
END_TEST

TMA_TEST_MAIN(http_auth, correct_credentials_are_accepted, malformed_credentials_are_refused,
	      attempts_are_few_and_renewed, a_known_address_does_not_help_others,
	      failing_addresses_use_a_separate_budget, hashes_take_a_part_of_the_time,
	      a_new_config_keeps_users_with_the_same_hash, timing_does_not_reveal_users,
	      without_users_everything_is_allowed)

#else

int main(void)
{
	puts("SKIP http_auth: headers are missing");
	return 77;
}

#endif
