// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bytes that a client sends to a server through a socket; libmicrohttpd, as installed, reads them.
 * The first byte chooses: a server with users (bit 0), in how many parts the bytes are sent (bits 1
 * and 2), and whether the client then closes its side (bit 3). Numbers are only in answers for
 * /metrics, and only with a password if there are users. A correct request is still answered later.
 */
#include "fuzz.h"

#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/sb.h"
#include "base/shared_text.h"
#include "http/auth.h"
#include "http/server.h"
#include "http/web_config.h"

#define SECRET "tma_slots_total{metric=\"total\"} 4711\n"
#define ABOUT "the page of /"
#define RIGHT "GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
#define NS_PER_MS 1000000
#define STILL 3	    /* after this many checks without new data, nothing more is expected */
#define LOOKS 2000 /* at most */

static struct web_user user = {
	(char *)"u", (char *)"$2y$04$abcdefghijklmnopqrstuuGaZDDJ9nGNyYwFzMTcbMSyfU5sbtFjS"};
static struct web_config open_to_all, users = {.users = {.at = &user, .nr = 1}};
static struct shared_text text = {.fd = -1};
static uint64_t now_ns = 1;

/* A server and its address, a name that is not in a file system. */
static struct asked {
	struct server *server;
	struct sockaddr_un name;
	socklen_t name_len;
} all, some;

static void begin(struct asked *a, const struct web_config *config)
{
	struct err err = ERR_INIT;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	a->name.sun_family = AF_UNIX;
	a->name_len = sizeof(a->name);
	/* If no name is given, the kernel chooses one. */
	fuzz_check(fd >= 0 && !bind(fd, (void *)&a->name, sizeof(sa_family_t)) && !listen(fd, 8));
	fuzz_check(!getsockname(fd, (void *)&a->name, &a->name_len));
	fuzz_check(!server__new(&a->server, fd, config, ABOUT, &err), "%s", err.msg);
	server__set_text(a->server, &text);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct err err = ERR_INIT;

	(void)argc;
	(void)argv;
	fuzz_check(!server__load(&err) && !auth__load(&err) && !shared_text__new(&text, &err), "%s",
		   err.msg);
	shared_text__put(&text, SECRET, strlen(SECRET));
	begin(&all, &open_to_all);
	begin(&some, &users);
	return 0;
}

static int connect_to(const struct asked *a)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	fuzz_check(fd >= 0 && !connect(fd, (const void *)&a->name, a->name_len), "%d", errno);
	return fd;
}

/*
 * Let the server work, and read its output until there is no more. Return: whether the connection
 * is still open.
 */
static bool listen_to(struct asked *a, int fd, struct sb *answer)
{
	char part[4096];
	ssize_t len;

	for (int still = 0, looks = 0; still < STILL && looks < LOOKS; still++, looks++) {
		server__run(a->server, now_ns);
		while ((len = read(fd, part, sizeof(part))) > 0) {
			sb__add(answer, part, len);
			still = 0;
		}
		if (!len || (errno != EAGAIN && errno != EWOULDBLOCK))
			return false;
	}
	return true;
}

/* Send the bytes in this many parts. The server may not read all of them. */
static void ask(struct asked *a, const char *request, size_t len, int parts, bool ends,
		struct sb *answer)
{
	int fd = connect_to(a);
	bool goes_on = true;

	for (int i = 0; i < parts && goes_on; i++) {
		size_t from = len * i / parts, to = len * (i + 1) / parts;

		while (from < to && goes_on) {
			ssize_t sent = send(fd, request + from, to - from, MSG_NOSIGNAL);

			if (sent < 0 && errno != EAGAIN)
				break;
			from += sent > 0 ? sent : 0;
			goes_on = listen_to(a, fd, answer);
			if (sent < 0)
				break;
		}
	}
	if (ends && goes_on && !shutdown(fd, SHUT_WR))
		listen_to(a, fd, answer);
	close(fd);
	now_ns += NS_PER_MS;
	server__run(a->server, now_ns);
}

static bool has(const char *text_of, const char *word)
{
	return strstr(text_of, word);
}

static void try_right(void)
{
	struct sb answer = SB_INIT;

	ask(&all, RIGHT, strlen(RIGHT), 1, false, &answer);
	fuzz_check(has(sb__str(&answer), "HTTP/1.1 200 ") && has(sb__str(&answer), SECRET), "%s",
		   sb__str(&answer));
	sb__clear(&answer);
	ask(&some, RIGHT, strlen(RIGHT), 1, false, &answer);
	fuzz_check(has(sb__str(&answer), "HTTP/1.1 401 "), "%s", sb__str(&answer));
	sb__free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sb answer = SB_INIT;
	bool by_users;
	char *request;

	if (!size)
		return 0;
	by_users = *data & 1;
	request = fuzz__text(data + 1, size - 1);
	ask(by_users ? &some : &all, request, size - 1, 1 << (*data >> 1 & 3), *data & 8, &answer);
	/* After a zero byte, the rest of the answer would not be searched. */
	for (size_t i = 0; i < answer.len; i++)
		answer.buf[i] = answer.buf[i] ? answer.buf[i] : ' ';
	fuzz_check(!by_users || (!has(sb__str(&answer), " 200 OK") &&
				 !has(sb__str(&answer), "4711") && !has(sb__str(&answer), ABOUT)),
		   "%s", sb__str(&answer));
	fuzz_check(!has(sb__str(&answer), "4711") || memmem(data, size, "/metrics", 8), "%s",
		   sb__str(&answer));
	try_right();
	free(request);
	sb__free(&answer);
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
