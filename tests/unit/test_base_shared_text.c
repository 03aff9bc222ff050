// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/shared_text.h"
#include "unit.h"

START_TEST(a_text_is_replaced)
{
	struct err err = ERR_INIT;
	struct shared_text t;
	struct sb got = SB_INIT;

	ck_assert_int_eq(shared_text__new(&t, &err), 0);
	shared_text__get(&t, &got);
	ck_assert_str_eq(sb__str(&got), "");
	ck_assert_int_eq(shared_text__put(&t, "a long text", 11), 0);
	shared_text__put(&t, "short", 5);
	ck_assert_uint_eq(shared_text__get(&t, &got), shared_text__number(&t));
	ck_assert_str_eq(sb__str(&got), "short");
	ck_assert_int_lt(shared_text__put(&t, "", SHARED_TEXT_MAX + 1), 0);
	sb__free(&got);
	shared_text__free(&t);
}
END_TEST

START_TEST(a_reader_cannot_write)
{
	struct err err = ERR_INIT;
	struct shared_text t;

	ck_assert_int_eq(shared_text__new(&t, &err), 0);
	ck_assert_ptr_eq(mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, t.fd, 0), MAP_FAILED);
	ck_assert_int_eq(write(t.fd, "x", 1), -1);
	shared_text__free(&t);
}
END_TEST

#define ROUNDS 20000
#define LEN 3000

/* A writer that never pauses, and a reader: the reader gets a complete text or none. */
START_TEST(what_is_read_is_one_text)
{
	struct err err = ERR_INIT;
	struct shared_text t;
	struct sb got = SB_INIT;
	char text[LEN];
	pid_t writer;

	ck_assert_int_eq(shared_text__new(&t, &err), 0);
	writer = fork();
	if (!writer) {
		for (int i = 0; i < ROUNDS; i++) {
			memset(text, 'a' + i % 26, sizeof(text));
			shared_text__put(&t, text, 1 + i % LEN);
		}
		_exit(0);
	}
	while (!waitpid(writer, NULL, WNOHANG)) {
		shared_text__get(&t, &got);
		for (size_t i = 1; i < got.len; i++)
			ck_assert_int_eq(got.buf[i], got.buf[0]);
	}
	shared_text__get(&t, &got);
	ck_assert_uint_eq(got.len, 1 + (ROUNDS - 1) % LEN);
	sb__free(&got);
	shared_text__free(&t);
}
END_TEST

TMA_TEST_MAIN(base_shared_text, a_text_is_replaced, a_reader_cannot_write, what_is_read_is_one_text)
