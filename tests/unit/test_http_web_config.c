// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "http/libraries.h"
#include "http/web_config.h"
#include "unit.h"

#if HTTP_IS_BUILT

#define HASH "$2y$05$FyEWQ0o/krQItBqZkrhnMOy4hAONSTxe5zvdW5vx2fdQqUNykTLcO"

static struct err err;

static int parse(struct web_config *c, const char *text)
{
	err = (struct err)ERR_INIT;
	ck_assert_int_eq(web_config__load_library(&err), 0);
	return web_config__parse(c, "/etc/tma/web.yml", text, strlen(text), &err);
}

START_TEST(users_and_certificate_are_read)
{
	struct web_config c;

	ck_assert_int_eq(parse(&c, "tls_server_config:\n  cert_file: a.pem\n  key_file: /b.key\n"
				   "basic_auth_users:\n  me: " HASH "\n  'you': \"" HASH "\"\n"
				   "http_server_config: {http2: false}\n"), 0);
	ck_assert_int_eq(c.users.nr, 2);
	ck_assert_str_eq(c.users.at[1].name, "you");
	ck_assert_str_eq(c.users.at[0].hash, HASH);
	ck_assert_str_eq(c.cert_file, "/etc/tma/a.pem");
	ck_assert_str_eq(c.key_file, "/b.key");
	web_config__free(&c);
}
END_TEST

START_TEST(an_empty_file_has_no_users)
{
	static const char *const texts[] = {"", "# a remark\n", "---\n", "basic_auth_users:\n", "{}"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct web_config c;

		ck_assert_int_eq(parse(&c, texts[i]), 0);
		ck_assert_int_eq(c.users.nr, 0);
		ck_assert_ptr_null(c.cert_file);
		web_config__free(&c);
	}
}
END_TEST

START_TEST(unknown_lines_are_errors_with_their_number)
{
	static const struct wrong_text {
		const char *text, *words;
	} wrong[] = {
		{"\nrate_limit: {}\n", "web.yml:2: the sections are tls_server_config"},
		{"basic_auth_users:\n  me: secret\n", "web.yml:2: expected a bcrypt hash"},
		{"basic_auth_users:\n  a: " HASH "\n  a: " HASH "\n", "web.yml:3: there is a second 'a'"},
		{"basic_auth_users:\n  'a:b': " HASH "\n", "has no colon"},
		{"basic_auth_users:\n  a: $2y$15$" "FyEWQ0o/krQItBqZkrhnMOy4hAONSTxe5zvdW5vx2fdQqUNykTLcO\n",
		 "more than 14"},
		{"basic_auth_users:\n  a: $2y$03$" "FyEWQ0o/krQItBqZkrhnMOy4hAONSTxe5zvdW5vx2fdQqUNykTLcO\n",
		 "web.yml:2: the cost of the hash is less than 4"},
		{"tls_server_config:\n  cert_file: a\n", "needs both cert_file and key_file"},
		{"tls_server_config:\n  client_ca_file: a\n", "not 'client_ca_file'"},
		{"tls_server_config: a\n", "names and values below"},
		{"- a\n", "names and values"},
		{"basic_auth_users: {a: &x " HASH ", b: *x}\n", "alias"},
		{"a: [\n", "web.yml"},
		{"{}\n---\n{}\n", "second document"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct web_config c;

		ck_assert_int_eq(parse(&c, wrong[i].text), -EINVAL);
		ck_assert_msg(strstr(err.msg, wrong[i].words), "'%s' has no '%s'", err.msg,
			      wrong[i].words);
		web_config__free(&c);
	}
}
END_TEST

TMA_TEST_MAIN(http_web_config, users_and_certificate_are_read, an_empty_file_has_no_users,
	      unknown_lines_are_errors_with_their_number)

#else

int main(void)
{
	puts("SKIP http_web_config: libyaml's headers are missing");
	return 77;
}

#endif
