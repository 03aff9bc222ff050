/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by all unit tests: one suite, Check's runner, and a summary that tests/run adds up. */
#ifndef TMA_TESTS_UNIT_H
#define TMA_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>

/* A hanging test is ended before tests/run ends the whole program. */
#define UNIT_TIMEOUT_S 600

/**
 * TMA_TEST_MAIN() - define main() of a test file
 * @name: name of the suite, an identifier
 * ...:   names of its tests, which START_TEST() defines
 *
 * It prints Check's summary. The exit status is not 0 if a test failed.
 */
#define TMA_TEST_MAIN(name, ...)                                                                   \
	int main(void)                                                                             \
	{                                                                                          \
		const TTest *const tests[] = { __VA_ARGS__ };                                      \
		Suite *suite = suite_create(#name);                                                \
		TCase *tcase = tcase_create(#name);                                                \
		SRunner *runner;                                                                   \
		int failed;                                                                        \
                                                                                                   \
		for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)                        \
			tcase_add_test(tcase, tests[i]);                                           \
		tcase_set_timeout(tcase, UNIT_TIMEOUT_S);                                          \
		suite_add_tcase(suite, tcase);                                                     \
		runner = srunner_create(suite);                                                    \
		srunner_run_all(runner, CK_ENV);                                                   \
		failed = srunner_ntests_failed(runner);                                            \
		srunner_free(runner);                                                              \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;                                       \
	}

#endif
