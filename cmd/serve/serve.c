// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tma serve" measures the computer, and serves the counts over HTTP as "tma stat --format=prom"
 * prints them.
 *
 * There are two processes, which share only a text. One process measures, and replaces the text
 * with each row. The other is the program that the user started: it reads the text and serves it.
 * So clients cannot do anything to the counters, and a row does not wait for a scrape. If the
 * measurement ends, the server restarts it.
 */
#include "cmd.h"
#include "http/libraries.h"

#if HTTP_IS_BUILT

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <subcmd/parse-options.h>

#include "base/err.h"
#include "base/file.h"
#include "base/num.h"
#include "base/pages.h"
#include "base/shared_text.h"
#include "count/clock.h"
#include "http/server.h"
#include "http/web_config.h"
#include "options.h"
#include "run/metric_names.h"
#include "run/run.h"
#include "serve/config.h"
#include "serve/measure.h"
#include "serve/service.h"

#define DEFAULT_WHERE "127.0.0.1:9847"
#define DEFAULT_INTERVAL 15000
#define INTERVAL_MIN 10
#define INTERVAL_MAX 3600000
#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)
#define START_TICK_MS 20
#define TICK_MS 1000
#define LATE_ROWS 3		      /* a text is current for this many intervals ... */
#define LATE_NS (5 * NS_PER_S)	      /* ... and for this additional time */
#define AGAIN_FIRST_NS NS_PER_S	      /* pause before the first restart; it then doubles */
#define AGAIN_MOST_NS (60 * NS_PER_S) /* longest pause */
#define FIRST_NS (60 * NS_PER_S)      /* additional time for the first row */
#define END_NS (5 * NS_PER_S)	      /* time to end after SIGTERM; then SIGKILL */

/**
 * struct measuring - the process that measures
 * @pid, @status: pid, or 0 without a process; its exit status, from waitpid()
 * @number, @seen_ns: number of the text that was read last, and when it was first read
 * @has_begun: the counters are open
 * @has_row, @ever: this process has written a row; any process has
 * @again_ns, @pause_ns: time of the next restart; pause before the last restart
 * @hangs_ns: when the next row was first found to be late, or 0
 * @lost_ns, @restarts: see struct serve_published
 * @is_ending: the server ends, so the process is not restarted
 * @online: the CPUs that were online when the process began
 */
struct measuring {
	pid_t pid;
	int status;
	struct shared_text text;
	uint64_t number, seen_ns, again_ns, pause_ns, hangs_ns, ended_ns, lost_ns, restarts;
	bool has_begun, has_row, ever, is_ending;
	char online[256];
};

/**
 * struct serve - the server
 * @ended_by: the signal that ends the server, or 0
 * @refused, @told_ns: requests with wrong credentials up to the last message about them; its time
 * @fed_ns: when the watchdog last got a message
 */
struct serve {
	const char *where, *web_config, *interval_text, *level, *metrics, *most_text, *cgroups_text;
	struct serve_wish wish;
	struct sb names;
	uint64_t watchdog_ns, fed_ns, refused, told_ns;
	int signals, ended_by;
	struct listening listening;
	struct web_config *config;
	struct server *server;
	struct measuring measuring;
	bool is_ready;
};

/* --- The measurement ------------------------------------------------------------------------ */

/*
 * Turn a child into the measuring process. It has no socket, no client and no secret of the server;
 * but if TLS was used before a restart, the TLS library's memory may still have parts of a key.
 */
static _Noreturn void become_measurement(struct serve *s, pid_t server)
{
	const struct serve_published to = {
		.text = &s->measuring.text,
		.restarts = s->measuring.restarts,
		.lost_ns = s->measuring.lost_ns,
	};
	sigset_t none;
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != server)
		_exit(STATUS_FAILED);
	/* Signals from a terminal are meant for the server, which then ends this process. */
	setpgid(0, 0);
	closefrom(STDERR_FILENO + 1);
	server__forget(s->server);
	serve_config__drop(&s->config);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	status = serve_measure(&s->wish, &to);
	fflush(NULL);
	_exit(status);
}

static int begin_measuring(struct serve *s, struct err *err)
{
	struct measuring *m = &s->measuring;
	pid_t server = getpid();
	int rc = shared_text__new(&m->text, err);

	if (rc)
		return rc;
	serve_measure__read_online(m->online, sizeof(m->online));
	m->number = 0;
	m->has_begun = m->has_row = false;
	m->hangs_ns = 0;
	m->seen_ns = clock__now_ns();
	fflush(NULL);
	m->pid = fork();
	if (!m->pid)
		become_measurement(s, server);
	if (m->pid < 0) {
		m->pid = 0;
		shared_text__free(&m->text);
		return err__set(err, errno, "cannot start the measuring process: %s",
				strerror(errno));
	}
	if (s->server)
		server__set_text(s->server, &m->text);
	return 0;
}

static void forget_text(struct serve *s)
{
	if (s->server)
		server__set_text(s->server, NULL);
	shared_text__free(&s->measuring.text);
}

static void begin_again(struct serve *s)
{
	struct measuring *m = &s->measuring;
	struct err err = ERR_INIT;
	uint64_t now_ns = clock__now_ns();

	m->restarts++;
	m->lost_ns += now_ns - m->ended_ns;
	m->ended_ns = now_ns;
	if (!begin_measuring(s, &err))
		return;
	say_err(&err);
	m->again_ns = now_ns + AGAIN_MOST_NS;
}

static void say_ended(const struct measuring *m)
{
	int signo = WTERMSIG(m->status);

	if (WIFSIGNALED(m->status))
		say("the measurement was killed by signal %d (%s): it restarts in %" PRIu64 " s",
		    signo, strsignal(signo), m->pause_ns / NS_PER_S);
	else
		say("the measurement ended with status %d: it restarts in %" PRIu64 " s",
		    WEXITSTATUS(m->status), m->pause_ns / NS_PER_S);
}

static void look_for_row(struct serve *s, uint64_t now_ns)
{
	struct measuring *m = &s->measuring;
	uint64_t number = m->pid ? shared_text__number(&m->text) : 0;

	if (!number || number == m->number)
		return;
	m->number = number;
	m->seen_ns = now_ns;
	/* The first text, with the number 2, is empty: it means that the counters are open. */
	m->has_begun = true;
	if (number > 3) {
		if (!m->ever)
			pages__give_back();
		m->has_row = m->ever = true;
		m->pause_ns = 0;
	}
}

/* Handle the end of the process: restart it, unless no process has ever written a row. */
static void take_end(struct serve *s)
{
	struct measuring *m = &s->measuring;

	if (!m->pid || waitpid(m->pid, &m->status, WNOHANG) != m->pid)
		return;
	look_for_row(s, clock__now_ns());
	m->pid = 0;
	m->ended_ns = m->ever ? m->seen_ns : clock__now_ns();
	forget_text(s);
	if (!m->ever || m->is_ending || s->ended_by)
		return;
	m->pause_ns = m->has_row || !m->pause_ns ? AGAIN_FIRST_NS : m->pause_ns * 2;
	if (m->pause_ns > AGAIN_MOST_NS)
		m->pause_ns = AGAIN_MOST_NS;
	m->again_ns = clock__now_ns() + m->pause_ns;
	say_ended(m);
}

static void end_measuring(struct serve *s)
{
	static const struct timespec pause = {.tv_nsec = 10 * NS_PER_MS};
	struct measuring *m = &s->measuring;
	uint64_t end_ns = clock__now_ns() + END_NS;

	m->is_ending = true;
	if (m->pid)
		kill(m->pid, SIGTERM);
	while (m->pid && clock__now_ns() < end_ns) {
		take_end(s);
		if (m->pid)
			nanosleep(&pause, NULL);
	}
	if (m->pid) {
		kill(m->pid, SIGKILL);
		waitpid(m->pid, NULL, 0);
		m->pid = 0;
	}
	forget_text(s);
}

/* --- Regular checks ------------------------------------------------------------------------ */

static uint64_t find_late_ns(const struct serve *s)
{
	return LATE_ROWS * s->wish.interval_ms * NS_PER_MS + LATE_NS;
}

/* Return: whether the last row is recent, or the first row is not late yet. */
static bool is_alive(const struct serve *s, uint64_t now_ns)
{
	const struct measuring *m = &s->measuring;

	return m->pid && now_ns - m->seen_ns <= find_late_ns(s);
}

/*
 * Kill a measurement whose row is late. First wait once more for as long, since both processes may
 * have been stopped for a while. The measurement is then restarted like any that ends.
 */
static void look_for_hang(struct serve *s, uint64_t now_ns)
{
	struct measuring *m = &s->measuring;
	uint64_t late_ns = find_late_ns(s) + (m->has_row ? 0 : FIRST_NS);

	if (!m->pid || now_ns - m->seen_ns <= late_ns) {
		m->hangs_ns = 0;
	} else if (!m->hangs_ns) {
		m->hangs_ns = now_ns;
		say("the measurement hangs: there was no row for "
		    "%" PRIu64 " s, and it is killed if there is none within %" PRIu64 " s",
		    (now_ns - m->seen_ns) / NS_PER_S, late_ns / NS_PER_S);
	} else if (now_ns - m->hangs_ns > late_ns) {
		kill(m->pid, SIGKILL);
	}
}

static const char *find_why_not(const struct serve *s, uint64_t now_ns)
{
	const struct measuring *m = &s->measuring;

	if (!m->pid)
		return "The measurement has ended; it restarts.\n";
	if (!m->has_row)
		return "There is no row yet.\n";
	return is_alive(s, now_ns) ? NULL : "The last row is too old.\n";
}

/* Restart if other CPUs come online: errors are known only for CPUs of the start. */
static void look_for_cpus(struct serve *s)
{
	struct measuring *m = &s->measuring;
	char online[sizeof(m->online)];

	if (!s->wish.error || !m->pid || !m->has_row)
		return;
	serve_measure__read_online(online, sizeof(online));
	if (!strcmp(online, m->online))
		return;
	say("CPUs %s are online, no longer %s: the measurement restarts", online, m->online);
	strcpy(m->online, online);
	kill(m->pid, SIGTERM);
}

static void say_refused(struct serve *s, uint64_t now_ns)
{
	uint64_t refused = server__answered(s->server, SERVER_UNAUTHORIZED) +
			   server__answered(s->server, SERVER_BUSY);

	if (refused == s->refused || now_ns - s->told_ns < 60 * NS_PER_S)
		return;
	say("%" PRIu64 " request%s had no user or a wrong password", refused - s->refused,
	    refused - s->refused == 1 ? "" : "s");
	s->refused = refused;
	s->told_ns = now_ns;
}

static void tell_service(struct serve *s, uint64_t now_ns)
{
	if (!s->is_ready && s->measuring.has_begun) {
		s->is_ready = true;
		service__say(&s->listening, s->config->cert, s->wish.interval_ms);
		service__tell("READY=1\nSTATUS=Measuring");
	}
	if (s->watchdog_ns && is_alive(s, now_ns) && now_ns - s->fed_ns >= s->watchdog_ns) {
		s->fed_ns = now_ns;
		service__tell("WATCHDOG=1");
	}
}

static void look_around(struct serve *s, uint64_t now_ns)
{
	look_for_row(s, now_ns);
	look_for_hang(s, now_ns);
	look_for_cpus(s);
	if (!s->measuring.pid && s->measuring.ever && now_ns >= s->measuring.again_ns)
		begin_again(s);
	server__set_fresh(s->server, find_why_not(s, now_ns));
	say_refused(s, now_ns);
	tell_service(s, now_ns);
}

/* --- The web config ------------------------------------------------------------------------- */

/* On SIGHUP, read users and the certificate again; if this fails, keep the old ones. */
static void reload(struct serve *s)
{
	struct web_config *config;
	struct err err = ERR_INIT;
	int rc = serve_config__load(s->web_config, &config, &err);

	rc = rc ?: serve_config__keep_closed(s->web_config, s->config, config, &err);
	rc = rc ?: server__set_config(s->server, config, &err);
	if (rc) {
		say_err(&err);
		say("users and certificate are unchanged");
		serve_config__drop(&config);
		return;
	}
	serve_config__drop(&s->config);
	s->config = config;
	if (s->web_config)
		say("%s was read again", s->web_config);
}

/* --- The main loop ------------------------------------------------------------------------- */

static int start_server(struct serve *s, struct err *err)
{
	static const char about[] =
		"<!DOCTYPE html>\n<html lang=\"en\"><head><title>tma</title></head><body>\n"
		"<h1>tma</h1>\n<p>Top-down Microarchitecture Analysis of this computer.</p>\n<ul>\n"
		"<li><a href=\"/metrics\">/metrics</a>: counters, for Prometheus</li>\n"
		"<li><a href=\"/healthz\">/healthz</a>: whether it is measured</li>\n"
		"</ul>\n<p>tma " TMA_VERSION "; man tma-serve</p>\n</body></html>\n";
	int rc = server__load(err);

	rc = rc ?: server__new(&s->server, s->listening.fd, s->config, about, err);
	if (!rc)
		server__set_text(s->server, &s->measuring.text);
	return rc;
}

static int open_signals(struct serve *s, struct err *err)
{
	static const int taken[] = {SIGTERM, SIGINT, SIGQUIT, SIGALRM, SIGHUP, SIGUSR1, SIGCHLD};
	sigset_t set;

	signals__ignore(SIGPIPE);
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		sigaddset(&set, taken[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	s->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->signals < 0 ? err__set(err, errno, "signalfd: %s", strerror(errno)) : 0;
}

static void take_signals(struct serve *s)
{
	struct signalfd_siginfo info;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGHUP)
			reload(s);
		else if (info.ssi_signo == SIGCHLD)
			take_end(s);
		else if (info.ssi_signo == SIGUSR1)
			say("SIGUSR1: the counts so far are those of /metrics");
		else
			s->ended_by = info.ssi_signo;
	}
}

static bool goes_on(const struct serve *s)
{
	return !s->ended_by && (s->measuring.pid || s->measuring.ever);
}

/* Return: the time between two checks, in ms: short at the start, later at most a second. */
static int tick_of(const struct serve *s)
{
	uint64_t half_ms = s->watchdog_ns / NS_PER_MS / 2;

	if (!s->is_ready && s->measuring.pid)
		return START_TICK_MS;
	return half_ms && half_ms < TICK_MS ? (int)half_ms : TICK_MS;
}

static void loop(struct serve *s)
{
	uint64_t looked_ns = 0;

	while (goes_on(s)) {
		struct pollfd fds[] = {{.fd = server__fd(s->server), .events = POLLIN},
				       {.fd = s->signals, .events = POLLIN}};
		int timeout = server__timeout_ms(s->server), tick = tick_of(s);
		uint64_t now_ns;

		poll(fds, 2, timeout < 0 || timeout > tick ? tick : timeout);
		if (fds[1].revents)
			take_signals(s);
		now_ns = clock__now_ns();
		/* Check before each answer: else the answer could be a second old. */
		if (fds[0].revents || now_ns - looked_ns >= tick * NS_PER_MS / 2) {
			looked_ns = now_ns;
			look_around(s, now_ns);
		}
		server__run(s->server, now_ns);
	}
}

static int serve__run(struct serve *s, struct err *err)
{
	int rc = serve_config__load(s->web_config, &s->config, err), signo;

	if (rc)
		return say_usage(err);
	rc = service__listen(&s->listening, s->where ?: DEFAULT_WHERE, s->where, err);
	if (rc)
		return rc == -EINVAL || rc == -ERANGE ? say_usage(err) : say_err(err);
	rc = open_signals(s, err) ?: begin_measuring(s, err);
	if (rc)
		return say_err(err);
	rc = start_server(s, err);
	if (rc)
		return rc == -EINVAL ? say_usage(err) : say_err(err);
	serve_config__warn(s->web_config, s->config, &s->listening);
	loop(s);
	if (s->ended_by) {
		service__tell("STOPPING=1");
		return 0;
	}
	/* If a measurement ended by itself, it has printed why. */
	if (!WIFSIGNALED(s->measuring.status))
		return WEXITSTATUS(s->measuring.status) ?: STATUS_FAILED;
	signo = WTERMSIG(s->measuring.status);
	say("the measurement was killed by signal %d (%s) before its first row", signo,
	    strsignal(signo));
	return 128 + signo;
}

static int read_level(struct serve *s, struct err *err)
{
	s->wish.topdown = !s->metrics || s->level;
	if (s->level && !strcmp(s->level, "max"))
		s->wish.td_level = TD_LEVEL_MAX;
	else if (s->level)
		return num__parse_u64("--td-level", s->level, 0, INT_MAX, &s->wish.td_level, err);
	return 0;
}

static int read_metrics(struct serve *s, struct err *err)
{
	int rc = 0;

	if (s->metrics && !*s->metrics)
		rc = err__set(err, EINVAL, "-M needs the names of metrics or metric groups");
	else if (s->metrics)
		rc = metric_names__add(&s->names, host_asked(), s->metrics, err);
	s->wish.metrics = sb__str(&s->names);
	return rc;
}

static int serve__check(struct serve *s, int argc, const char **argv, struct err *err)
{
	uint64_t most = 0;
	int rc = 0;

	s->wish.interval_ms = DEFAULT_INTERVAL;
	if (argc)
		return err__set(err, EINVAL,
				"'%s': tma serve measures the whole machine and runs no command",
				argv[0]);
	if (s->most_text && s->cgroups_text)
		return err__set(err, EINVAL, "--top-cgroups and --cgroups cannot be combined");
	if ((s->most_text || s->cgroups_text) && s->metrics && !s->level)
		return err__set(err, EINVAL,
				"%s counts the tree in cgroups, but -M replaces the tree: add "
				"--td-level",
				s->most_text ? "--top-cgroups" : "--cgroups");
	if (s->most_text)
		rc = num__parse_u64("--top-cgroups", s->most_text, 1, TOP_CGROUPS_MAX, &most, err);
	s->wish.cgroups = most;
	if (s->cgroups_text)
		rc = serve_config__read_cgroups(s->cgroups_text, &s->wish, err);
	if (!rc && s->interval_text)
		rc = num__parse_u64("-I, in ms", s->interval_text, INTERVAL_MIN, INTERVAL_MAX,
				    &s->wish.interval_ms, err);
	return rc ?: read_level(s, err) ?: read_metrics(s, err);
}

int cmd_serve(int argc, const char **argv)
{
	static const char *const usage[] = {"tma serve [<options>]", NULL};
	struct serve s = {.signals = -1, .listening.fd = -1, .measuring.text.fd = -1};
	const struct option options[] = {
		OPT_GROUP("Where"),
		OPT_STRING(0, "listen", &s.where, "where",
			   "listen at ADDRESS:PORT or unix:PATH (" DEFAULT_WHERE ")"),
		OPT_STRING(0, "web-config", &s.web_config, "file",
			   "users and certificate, as for Prometheus' exporters"),
		OPT_GROUP("What"),
		OPT_STRING('I', "interval-print", &s.interval_text, "ms",
			   "measure a row every MS milliseconds (15000)"),
		OPT_STRING(0, "td-level", &s.level, "level",
			   "levels of the TopDown tree, or max (1)"),
		OPT_STRING('M', "metrics", &s.metrics, "names", "these metrics and metric groups"),
		OPT_STRING(0, "cputype", &s.wish.cputype, "core|atom",
			   "on a hybrid machine, only cores of this type"),
		OPT_STRING(0, "top-cgroups", &s.most_text, "n",
			   "also the tree of the n cgroups with most CPU time, and of the rest"),
		OPT_STRING(0, "cgroups", &s.cgroups_text, "name,...",
			   "also the tree of these cgroups, and of the rest"),
		OPT_TABLES(),
		OPT_METRICS_FILE(),
		OPT_GROUP("How"),
		OPT_BOOLEAN(0, "error", &s.wish.error, "also the errors of estimates"),
		OPT_BOOLEAN(0, "prom-ratios", &s.wish.ratios, "also ratios of the TopDown tree"),
		OPT_END()};
	struct err err = ERR_INIT;
	int status;

	argc = options__parse(argc, argv, options, usage, 0);
	if (serve__check(&s, argc, argv, &err))
		return say_usage(&err);
	s.watchdog_ns = service__watchdog_ns();
	status = serve__run(&s, &err);
	server__free(s.server);
	/* Otherwise, end_measuring() would pass a text to a server that no longer exists. */
	s.server = NULL;
	end_measuring(&s);
	listening__close(&s.listening);
	serve_config__drop(&s.config);
	sb__free(&s.names);
	return status;
}

#else

int cmd_serve(int argc, const char **argv)
{
	(void)argc;
	(void)argv;
	say("this tma was built without libmicrohttpd, libyaml or zlib, and cannot serve");
	return STATUS_FAILED;
}

#endif
