// SPDX-License-Identifier: GPL-2.0-only
/* The lines of "tma test" for programs: each check with its result, and the reason. */
#include <string.h>
#include <sys/utsname.h>

#include "base/auto.h"
#include "base/json.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "cmd.h"
#include "machine/machine.h"
#include "run/host.h"
#include "simulated.h"
#include "test/test.h"

#define RESULT_LEN 5 /* columns of "ok", "no" and so on, which precede the name of a check */

static bool begins_check(const char *line)
{
	return !strncmp(line, "ok   ", RESULT_LEN) || !strncmp(line, "no   ", RESULT_LEN) ||
	       !strncmp(line, "     ", RESULT_LEN);
}

/* Find the end of a check. The reason in it may have several lines. */
static const char *end_of(const char *line)
{
	const char *end = line + strcspn(line, "\n");

	while (*end && end[1] && !begins_check(end + 1))
		end += 1 + strcspn(end + 1, "\n");
	return end;
}

/* Put a check. Its line looks like "ok   kernel adds: independent additions: retiring 80.0 %". */
static void put_check(struct json *j, const char *line, int len)
{
	auto_text text = xstrndup(line, len);
	auto_text result = xstrndup(text, RESULT_LEN);
	char *name = len > RESULT_LEN ? text + RESULT_LEN : text + len;
	char *detail = strstr(name, ": ");

	if (detail)
		*detail = '\0';
	json__open(j, NULL, '{');
	json__text(j, "check", name);
	json__text(j, "result", *text__trim(result) ? text__trim(result) : "not-checked");
	json__text(j, "detail", detail ? detail + 2 : "");
	json__close(j, '}');
}

void test_log__print_json(const struct test_log *log, const struct host *host, int status,
			  struct sb *out)
{
	struct json j = JSON_INIT(out, JSON_COMPACT);
	struct utsname name;

	uname(&name);
	json__open(&j, NULL, '{');
	json__int(&j, "schema", 1);
	json__text(&j, "type", "test");
	json__text(&j, "version", tma_version());
	json__text(&j, "kernel", name.release);
	json__text(&j, "cpuid", host__cpuid(host));
	json__text(&j, "simulated", simulated__machine() ?: "");
	json__int(&j, "status", status);
	json__open(&j, "checks", '[');
	for (const char *line = sb__str(&log->lines), *end; *line; line = end + !!*end) {
		end = end_of(line);
		put_check(&j, line, end - line);
	}
	json__close(&j, ']');
	json__close(&j, '}');
}
