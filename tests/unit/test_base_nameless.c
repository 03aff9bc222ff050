// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "base/auto.h"
#include "base/nameless.h"
#include "base/sb.h"
#include "unit.h"

/* Return: the text with names removed; valid until the next call. */
static const char *cleaned(const struct nameless *n, const char *text)
{
	static char shown[500];
	auto_free(sb) out = SB_INIT;

	nameless__clean(n, text, &out);
	ck_assert_uint_lt(out.len, sizeof(shown));
	strcpy(shown, sb__str(&out));
	return shown;
}

START_TEST(names_are_left_out_as_whole_words)
{
	auto_free(nameless) n = NAMELESS_INIT;

	nameless__add(&n, "alice", "(user)");
	nameless__add(&n, "vega.example.org", "(host)");
	ck_assert_str_eq(cleaned(&n, "alice"), "(user)");
	ck_assert_str_eq(cleaned(&n, "by Alice's: alice, (alice) and alice."),
			 "by (user)'s: (user), ((user)) and (user).");
	ck_assert_str_eq(cleaned(&n, "malice alice2 my-alice alice-2"),
			 "malice alice2 my-alice alice-2");
	ck_assert_str_eq(cleaned(&n, "on vega.example.org: no counter"), "on (host): no counter");
	ck_assert_str_eq(cleaned(&n, "6.12.1-vega.example.org"), "6.12.1-vega.example.org");
}
END_TEST

/* A user's name can be any word, so it is only removed next to a character such as '@'. */
START_TEST(words_of_the_program_stay)
{
	auto_free(nameless) n = NAMELESS_INIT;
	auto_free(sb) out = SB_INIT;

	nameless__add_quoted(&n, "ok", "(user)");
	nameless__clean(&n, "ok   events: 'ok', ok@host, ~ok, ok/tables and an ok one", &out);
	ck_assert_str_eq(sb__str(&out), "ok   events: '(user)', (user)@host, ~(user), (user) and an ok one");
}
END_TEST

START_TEST(an_empty_text_is_not_a_name)
{
	auto_free(nameless) n = NAMELESS_INIT;

	nameless__add(&n, NULL, "(user)");
	nameless__add(&n, "", "(user)");
	nameless__add(&n, "/", "(path)");
	ck_assert_int_eq(n.words.nr, 0);
	ck_assert_str_eq(cleaned(&n, "cgroups: / a / b"), "cgroups: / a / b");
	ck_assert_str_eq(cleaned(&n, ""), "");
}
END_TEST

START_TEST(paths_are_left_out_to_their_end)
{
	auto_free(nameless) n = NAMELESS_INIT;

	nameless__add(&n, "/home/al ice", "(path)");
	nameless__add(&n, "my tables", "(path)");
	ck_assert_str_eq(cleaned(&n, "/home/al ice/work/secret.json:3: wrong"), "(path):3: wrong");
	ck_assert_str_eq(cleaned(&n, "my tables/secret/a.json: wrong"), "(path): wrong");
	ck_assert_str_eq(cleaned(&n, "(/srv/secret/x), '/mnt/y' /z"), "((path)), '(path)' (path)");
	ck_assert_str_eq(cleaned(&n, "5/7 a/b"), "5/7 a/b");
}
END_TEST

START_TEST(the_longest_word_is_taken)
{
	auto_free(nameless) n = NAMELESS_INIT;

	nameless__add(&n, "vega", "(host)");
	nameless__add(&n, "vega plus", "(path)");
	ck_assert_str_eq(cleaned(&n, "vega plus vega"), "(path) (host)");
}
END_TEST

START_TEST(paths_of_the_kernel_stay_without_cgroups)
{
	auto_free(nameless) n = NAMELESS_INIT;

	ck_assert_str_eq(cleaned(&n, "/sys/devices/cpu/type /proc/stat /dev/cpu /dev"),
			 "/sys/devices/cpu/type /proc/stat /dev/cpu /dev");
	ck_assert_str_eq(cleaned(&n, "/system/secret /developer"), "(path) (path)");
	ck_assert_str_eq(cleaned(&n, "/sys/fs/cgroup/secret/part: gone; /sys/fs/cgroup/"),
			 "/sys/fs/cgroup/(cgroup): gone; /sys/fs/cgroup/");
}
END_TEST

TMA_TEST_MAIN(nameless, names_are_left_out_as_whole_words, words_of_the_program_stay,
	      an_empty_text_is_not_a_name,
	      paths_are_left_out_to_their_end, the_longest_word_is_taken,
	      paths_of_the_kernel_stay_without_cgroups)
