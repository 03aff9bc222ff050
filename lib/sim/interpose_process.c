// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answer a program that forks, executes and waits. A program that has opened simulated events, or
 * has called tma_sim_observe() (sim/observe.h), is an observer, and programs that it executes are
 * its workloads. A workload must run as without this library, so the variables of the library are
 * removed from its environment. A shell or a wrapper that only starts the observer passes the
 * variables on.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/announce.h"
#include "base/auto.h"
#include "base/sb.h"
#include "base/text.h"
#include "base/vec.h"
#include "sim/announced.h"
#include "sim/child.h"
#include "sim/clock.h"
#include "sim/interpose.h"
#include "sim/observe.h"
#include "sim/raw.h"
#include "sim/sim.h"
#include "sim/tree.h"

INTERPOSE pid_t fork(void)
{
	pid_t caller = raw_gettid(), pid;
	int number;

	if (!sim.on)
		return NEXT(fork)();
	SIM_HOLD();
	number = child__reserve();
	announced__prepare(number);
	interpose__hold_sigchld();
	pid = NEXT(fork)();
	if (!pid) {
		announced__become(number);
		child__become(number);
		thread__inherit(caller, raw_gettid());
		sim__forget_buffers();
		interpose__release_sigchld();
	} else {
		child__started(number, pid);
		/* Events of the child are counted in this process. */
		if (pid > 0)
			thread__inherit(caller, pid);
	}
	return pid;
}

/*
 * A child of vfork() shares this memory and could not be distinguished from its parent; POSIX
 * allows fork() in its place.
 */
INTERPOSE pid_t vfork(void)
{
	return fork();
}

struct strings {
	char **at;
	int nr, cap;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Find out whether a path is this program: perf executes itself to record, and then needs the
 * machine as well.
 */
static bool is_same_program(const char *path)
{
	char self[PATH_MAX];
	long n = RAW(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", self, sizeof(self) - 1);

	self[n > 0 ? n : 0] = '\0';
	return !strcmp(base_name(self), base_name(path));
}

/* The program has called tma_sim_observe(), perhaps before opening an event. */
static bool observes;

INTERPOSE void tma_sim_observe(void)
{
	observes = sim.on;
	interpose__pass_source(false);
}

/*
 * Find out whether a program that is executed is a workload. A program with TMA_REGIONS measures
 * its own regions, and needs the machine.
 */
static bool is_workload(const char *path)
{
	return sim.on && (observes || (child__is_observed() && !is_same_program(path))) &&
	       !getenv("TMA_REGIONS");
}

/*
 * Remove this library from LD_PRELOAD. Return: "LD_PRELOAD=...", or "" if nothing is left; NULL if
 * memory runs out.
 */
static char *other_preloads(const char *value)
{
	auto_text copy = strdup(value);
	struct sb sb = SB_INIT;
	char *save = NULL;

	if (!copy)
		return NULL;
	for (char *at = strtok_r(copy, ": ", &save); at; at = strtok_r(NULL, ": ", &save))
		if (strcmp(at, interpose__source()) &&
		    strcmp(base_name(at), base_name(interpose__library())))
			sb__printf(&sb, "%s%s", sb.len ? ":" : "LD_PRELOAD=", at);
	return sb__detach(&sb);
}

/*
 * Make an environment without the variables of the simulated machine. One variable is added: it
 * names the file in which child @number announces its places.
 *
 * Return: the environment; NULL if memory runs out.
 */
static char **clean_environment(char *const *env, int number)
{
	struct strings clean = { .at = NULL };
	const char *cpuid = getenv(INTERPOSE_CPUID);
	char *places = announced__variable(number);

	if (places && vec__push(&clean, places)) {
		free(places);
		goto no_memory;
	}

	for (; env && *env; env++) {
		char *entry = *env;

		if (text__has_prefix(entry, "TMA_MACHINE=") ||
		    text__has_prefix(entry, "TMA_SIM_") ||
		    text__has_prefix(entry, ANNOUNCE_VARIABLE "="))
			continue;
		if (cpuid && text__has_prefix(entry, "PERF_CPUID=") && !strcmp(entry + 11, cpuid))
			continue;
		if (text__has_prefix(entry, "LD_PRELOAD="))
			entry = other_preloads(entry + 11);
		if (!entry)
			goto no_memory;
		if (*entry && vec__push(&clean, entry))
			goto no_memory;
	}
	if (!vec__push(&clean, NULL))
		return clean.at;
no_memory:
	free(clean.at);
	return NULL;
}

static int execute(const char *path, char *const *argv, char *const *env, bool search)
{
	bool cleans = is_workload(path);
	char **clean = cleans ? clean_environment(env, ANNOUNCED_SELF) : NULL;
	char *const *use = clean ? clean : env;
	int rc, error;

	if (cleans && !clean) {
		errno = ENOMEM;
		return -1;
	}
	if (sim.on)
		child__executing();
	/* The executed program may preload this library from the descriptor. */
	if (observes && !cleans)
		interpose__pass_source(true);
	rc = search ? NEXT(execvpe)(path, argv, use) : NEXT(execve)(path, argv, use);
	error = errno;
	if (sim.on)
		child__not_executed();
	if (observes)
		interpose__pass_source(false);
	free(clean);
	errno = error;
	return rc;
}

INTERPOSE int execve(const char *path, char *const argv[], char *const env[])
{
	return execute(path, argv, env, false);
}

INTERPOSE int execv(const char *path, char *const argv[])
{
	return execute(path, argv, environ, false);
}

INTERPOSE int execvp(const char *file, char *const argv[])
{
	return execute(file, argv, environ, true);
}

INTERPOSE int execvpe(const char *file, char *const argv[], char *const env[])
{
	return execute(file, argv, env, true);
}

/*
 * Collect the arguments up to NULL. @env: set to the environment, which follows the arguments,
 * unless NULL. If memory runs out, the list is empty.
 */
static struct strings interpose_process__gather(const char *first, va_list ap, char ***env)
{
	struct strings argv = { .at = NULL };
	char *arg = (char *)first;
	int rc = 0;

	for (; arg; arg = va_arg(ap, char *))
		rc = rc ? rc : vec__push(&argv, arg);
	if (rc || vec__push(&argv, NULL))
		vec__free(&argv);
	if (env)
		*env = va_arg(ap, char **);
	return argv;
}

#define DEFINE_EXECL(name, search, in_arguments)                                       \
	INTERPOSE int name(const char *path, const char *arg, ...)                     \
	{                                                                              \
		char **env = environ;                                                  \
		struct strings argv;                                                   \
		va_list ap;                                                            \
		int rc;                                                                \
		va_start(ap, arg);                                                     \
		argv = interpose_process__gather(arg, ap, in_arguments ? &env : NULL); \
		va_end(ap);                                                            \
		rc = argv.at ? execute(path, argv.at, env, search) : -1;               \
		free(argv.at);                                                         \
		return rc;                                                             \
	}
DEFINE_EXECL(execl, false, false)
DEFINE_EXECL(execlp, true, false)
DEFINE_EXECL(execle, false, true)

static int spawn(__typeof__(&posix_spawn) next, pid_t *pid, const char *path,
		 const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attr,
		 char *const *argv, char *const *env)
{
	bool cleans = is_workload(path);
	char **clean = NULL;
	pid_t own = -1;
	int rc, number;

	if (!sim.on)
		return next(pid, path, actions, attr, argv, env);
	sim__lock();
	number = child__reserve();
	announced__prepare(number);
	clean = cleans ? clean_environment(env, number) : NULL;
	rc = cleans && !clean ? ENOMEM
			      : next(&own, path, actions, attr, argv, clean ? clean : env);
	child__started(number, rc ? -1 : own);
	sim__unlock();
	if (!rc && pid)
		*pid = own;
	/* If the first text is the variable of places, announced__variable() allocated it. */
	if (clean && *clean && text__has_prefix(*clean, ANNOUNCE_VARIABLE "="))
		free(*clean);
	free(clean);
	return rc;
}

INTERPOSE int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
			  const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	return spawn(NEXT(posix_spawn), pid, path, actions, attr, argv, env);
}

INTERPOSE int posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			   const posix_spawnattr_t *attr, char *const argv[], char *const env[])
{
	return spawn(NEXT(posix_spawnp), pid, file, actions, attr, argv, env);
}

/*
 * Replaces system(), which would execute the shell without calling functions of this library. The
 * command has the environment of a workload.
 */
INTERPOSE int system(const char *command)
{
	char **clean = observes ? clean_environment(environ, ANNOUNCED_NOBODY) : NULL;
	char **own = environ;
	int rc, error;

	if (observes && !clean) {
		errno = ENOMEM;
		return -1;
	}
	environ = clean ? clean : own;
	rc = NEXT(system)(command);
	error = errno;
	environ = own;
	free(clean);
	errno = error;
	return rc;
}

/*
 * With a stepped clock the end of a child takes a step, and only calls that wait report it. Whether
 * a call with WNOHANG reports it would depend on the real speed of the child.
 */
static long before_wait(idtype_t type, id_t id, int options)
{
	siginfo_t info;
	long rc;

	if (!clock__is_stepped() || !child__is_observed() || !child__any_running())
		return 0;
	if (options & WNOHANG) {
		struct sim_child *child = type == P_PID ? child__find(id) : NULL;

		return child && !child->ended ? -EAGAIN : 0;
	}
	rc = raw_syscall(SYS_waitid, type, id, (long)&info, WEXITED | WNOWAIT, 0, 0);
	if (!rc)
		child__see_ends();
	interpose__let_children_end();
	return rc == -EINTR ? rc : 0;
}

static pid_t wait_for(pid_t pid, int *status, int options, struct rusage *usage)
{
	struct rusage own;
	int own_status = 0;
	long rc = before_wait(pid > 0 ? P_PID : P_ALL, pid > 0 ? pid : 0, options);

	if (rc)
		return rc == -EAGAIN ? 0 : interpose__result(rc);
	rc = RAW(SYS_wait4, pid, &own_status, options, &own);
	if (rc > 0) {
		if (WIFEXITED(own_status) || WIFSIGNALED(own_status))
			child__reaped(rc, &own);
		if (status)
			*status = own_status;
		if (usage)
			*usage = own;
	}
	return interpose__result(rc);
}

INTERPOSE pid_t wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	return sim.on ? wait_for(pid, status, options, usage)
		      : NEXT(wait4)(pid, status, options, usage);
}

INTERPOSE pid_t wait3(int *status, int options, struct rusage *usage)
{
	return wait4(-1, status, options, usage);
}

INTERPOSE pid_t waitpid(pid_t pid, int *status, int options)
{
	return sim.on ? wait_for(pid, status, options, NULL) : NEXT(waitpid)(pid, status, options);
}

INTERPOSE pid_t wait(int *status)
{
	return waitpid(-1, status, 0);
}

INTERPOSE int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	siginfo_t own = { .si_pid = 0 };
	struct rusage usage;
	long rc;

	if (!sim.on)
		return NEXT(waitid)(type, id, info, options);
	rc = options & WEXITED ? before_wait(type, id, options) : 0;
	if (!rc)
		rc = raw_syscall(SYS_waitid, type, id, (long)&own, options, (long)&usage, 0);
	else if (rc == -EAGAIN)
		rc = 0;
	if (!rc && own.si_pid && !(options & WNOWAIT) &&
	    (own.si_code == CLD_EXITED || own.si_code == CLD_KILLED || own.si_code == CLD_DUMPED))
		child__reaped(own.si_pid, &usage);
	if (!rc && info)
		*info = own;
	return interpose__result(rc);
}

/*
 * Remove the directory of the machine's files before a signal ends the program. A program that
 * catches a signal often sends it to itself again, and then ends without exit handlers. Only the
 * kernel knows for certain which signals end a process. A directory that is removed too early is
 * written again.
 */
static void before_signal(int signal)
{
	struct sigaction action;

	if (sim.on && signal > 0 && signal != SIGCHLD && signal != SIGCONT && signal != SIGSTOP &&
	    signal != SIGTSTP && !sigaction(signal, NULL, &action) &&
	    action.sa_handler == SIG_DFL) {
		sim__tell_truth();
		tree__remove();
	}
}

INTERPOSE int kill(pid_t pid, int signal)
{
	if (pid == getpid())
		before_signal(signal);
	else if (interpose__is_stepped())
		child__signalled(pid, signal);
	return interpose__result(RAW(SYS_kill, pid, signal, 0, 0));
}

INTERPOSE int raise(int signal)
{
	before_signal(signal);
	return NEXT(raise)(signal);
}

INTERPOSE _Noreturn void _exit(int status)
{
	sim__tell_truth();
	tree__remove();
	for (;;)
		RAW(SYS_exit_group, status, 0, 0, 0);
}

INTERPOSE _Noreturn void _Exit(int status)
{
	_exit(status);
}
