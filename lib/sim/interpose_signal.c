// SPDX-License-Identifier: GPL-2.0-only
/*
 * Handle the signal of the RDPMC instruction, which traps: SIGSEGV on a CPU, SIGILL in an emulator.
 * Any other SIGSEGV or SIGILL is handled as without this library. On other architectures there is
 * no such instruction, and no signal is caught.
 */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "base/array.h"
#include "sim/interpose.h"
#include "sim/raw.h"
#include "sim/sim.h"

#define RDPMC_SIZE 2

/* A signal that RDPMC can cause, and the program's own action for it. */
struct trap {
	int signal;
	struct sigaction program;
};

static struct trap traps[] = { { .signal = SIGSEGV }, { .signal = SIGILL } };
static bool caught;

static struct trap *find_trap(int signal)
{
	return array__first(trap, traps, trap->signal == signal);
}

#if SIM_HAS_RDPMC
/* With any other si_code, memory at the instruction may be unreadable. */
static bool is_rdpmc(const siginfo_t *info, const unsigned char *code)
{
	if (info->si_signo == SIGSEGV ? info->si_code != SI_KERNEL : info->si_code <= 0)
		return false;
	return code[0] == 0x0f && code[1] == 0x33;
}

/*
 * Emulate RDPMC. Taking the lock is safe: this library executes no RDPMC while it holds the lock.
 * So the thread does not hold the lock, unless a signal handler of the program has interrupted the
 * library to read counters.
 */
static bool emulate(const siginfo_t *info, ucontext_t *context)
{
	greg_t *regs = context->uc_mcontext.gregs;
	uint64_t value = 0;

	if (!is_rdpmc(info, (const unsigned char *)regs[REG_RIP]))
		return false;
	SIM_HOLD();
	if (!sim__rdpmc(regs[REG_RCX], &value))
		return false;
	regs[REG_RAX] = value & UINT32_MAX;
	regs[REG_RDX] = value >> 32;
	regs[REG_RIP] += RDPMC_SIZE;
	return true;
}

#else
static bool emulate(const siginfo_t *info, ucontext_t *context)
{
	(void)info, (void)context;
	return false;
}
#endif

/*
 * End the program by the signal: an instruction will fault again; a signal that was sent is sent
 * again.
 */
static void die_of(const siginfo_t *info)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	int signal = info->si_signo;

	NEXT(sigaction)(signal, &action, NULL);
	if (info->si_code <= 0)
		RAW(SYS_tgkill, RAW(SYS_getpid, 0, 0, 0, 0), raw_gettid(), signal,
		    0);
}

/*
 * Set the signal mask that the program's action asks for. The kernel restores the old mask when the
 * handler of this library returns.
 */
static void set_mask_for(const struct sigaction *action, int signal)
{
	unsigned long mask, own = 1UL << (signal - 1);

	memcpy(&mask, &action->sa_mask, sizeof(mask));
	RAW(SYS_rt_sigprocmask, SIG_BLOCK, &mask, NULL, SIGNALS_SIZE);
	if (action->sa_flags & SA_NODEFER)
		RAW(SYS_rt_sigprocmask, SIG_UNBLOCK, &own, NULL, SIGNALS_SIZE);
}

static void pass_on(siginfo_t *info, void *context)
{
	struct trap *trap = find_trap(info->si_signo);
	struct sigaction action = trap->program;

	/* A fault cannot be ignored. */
	if (action.sa_handler == SIG_IGN && info->si_code <= 0)
		return;
	if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN) {
		die_of(info);
		return;
	}
	if (action.sa_flags & SA_RESETHAND)
		trap->program = (struct sigaction){ .sa_handler = SIG_DFL };
	set_mask_for(&action, info->si_signo);
	if (action.sa_flags & SA_SIGINFO)
		action.sa_sigaction(info->si_signo, info, context);
	else
		action.sa_handler(info->si_signo);
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
	int error = errno;

	(void)signal;
	if (!emulate(info, context))
		pass_on(info, context);
	errno = error;
}

void interpose__catch_rdpmc(void)
{
	struct sigaction action = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	if (caught)
		return;
	for (int i = 0; i < array__nr(traps); i++)
		NEXT(sigaction)(traps[i].signal, &action, &traps[i].program);
	caught = true;
}

/*
 * Remove the signals of RDPMC from a mask: an instruction whose signal is blocked ends the program.
 */
static void keep_open(sigset_t *mask)
{
	for (int i = 0; sim.on && i < array__nr(traps); i++)
		sigdelset(mask, traps[i].signal);
}

INTERPOSE int sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	struct trap *trap = caught ? find_trap(signal) : NULL;
	struct sigaction open, before;

	if (action) {
		open = *action;
		keep_open(&open.sa_mask);
	}
	if (!trap)
		return NEXT(sigaction)(signal, action ? &open : NULL, old);
	before = trap->program;
	if (action)
		trap->program = *action;
	if (old)
		*old = before;
	return 0;
}

INTERPOSE __sighandler_t signal(int number, __sighandler_t handler)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART }, old;

	if (!caught || !find_trap(number))
		return NEXT(signal)(number, handler);
	sigaction(number, &action, &old);
	return old.sa_handler;
}

#define DEFINE_MASK(name)                                                                          \
	INTERPOSE int name(int how, const sigset_t *mask, sigset_t *old)                           \
	{                                                                                          \
		sigset_t open;                                                                     \
		if (!mask || how == SIG_UNBLOCK)                                                   \
			return NEXT(name)(how, mask, old);                                         \
		open = *mask;                                                                      \
		keep_open(&open);                                                                  \
		return NEXT(name)(how, &open, old);                                                \
	}
DEFINE_MASK(pthread_sigmask)
DEFINE_MASK(sigprocmask)
