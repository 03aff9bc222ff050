// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts from clients of tma serve, and from its file of users. The first byte chooses one: the
 * headers Accept and Accept-Encoding, the header Authorization, the text of a measurement, or a
 * file of --web-config. Only the right password is accepted. All users in a file that is accepted
 * have hashes.
 */
#include "fuzz.h"

#include "base/sb.h"
#include "http/auth.h"
#include "http/exposition.h"
#include "http/libraries.h"
#include "http/web_config.h"

#if HTTP_IS_BUILT

static struct web_user user = {
	(char *)"u", (char *)"$2y$04$abcdefghijklmnopqrstuuGaZDDJ9nGNyYwFzMTcbMSyfU5sbtFjS"};
static struct web_config users = {.users = {.at = &user, .nr = 1}};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct err err = ERR_INIT;

	(void)argc;
	(void)argv;
	fuzz_check(!auth__load(&err) && !gzip__load(&err) && !web_config__load_library(&err), "%s",
		   err.msg);
	return 0;
}

static void try_password(const char *text)
{
	struct auth *a = auth__new(&users);

	fuzz_check(auth__ask(a, text, 1, 1) != AUTH_YES);
	auth__free(a);
}

static void try_text(const char *text)
{
	struct sb to = SB_INIT, packed = SB_INIT;

	open_metrics__put(text, &to);
	fuzz_check(to.len >= strlen("# EOF\n") &&
		   !strcmp(to.buf + to.len - strlen("# EOF\n"), "# EOF\n"));
	gzip__put(to.buf, to.len, &packed);
	fuzz_check(packed.len > 10);
	sb__free(&to);
	sb__free(&packed);
}

static void try_config(const char *text, size_t len)
{
	struct web_config c;
	struct err err = ERR_INIT;
	int rc = web_config__parse(&c, "dir/web.yml", text, len, &err);

	fuzz_check(!rc || *err.msg);
	for (int i = 0; !rc && i < c.users.nr; i++)
		fuzz_check(strlen(c.users.at[i].hash) == 60 && !strchr(c.users.at[i].name, ':'));
	fuzz_check(rc || !c.cert_file == !c.key_file);
	web_config__free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text;

	if (!size)
		return 0;
	text = strndup((const char *)data + 1, size - 1);
	switch (*data % 4) {
	case 0:
		accepts__open_metrics(text);
		accepts__gzip(text);
		break;
	case 1:
		try_password(text);
		break;
	case 2:
		try_text(text);
		break;
	default:
		try_config((const char *)data + 1, size - 1);
	}
	free(text);
	return 0;
}

#else

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}

#endif
