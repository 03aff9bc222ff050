/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * System calls that always reach the kernel. The library replaces libc's wrappers of system calls
 * in the program, and is called before anything is set up. So its own calls must not use these
 * wrappers.
 */
#ifndef TMA_SIM_RAW_H
#define TMA_SIM_RAW_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>

struct rusage;
struct pollfd;

/** raw_syscall() - make a system call. Return: the kernel's result, -errno for a failure. */
#if defined(__x86_64__)
static inline long raw_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
static inline long raw_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}
#else
#error "the simulated machine makes system calls of x86-64 and arm64 only"
#endif

#define RAW(nr, a, b, c, d) raw_syscall(nr, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/** raw_failed() - find out whether the result of a system call is an error. */
static inline bool raw_failed(long ret)
{
	return ret < 0 && ret >= -4095;
}

/** raw_gettid() - get the id of the calling thread. */
static inline pid_t raw_gettid(void)
{
	return RAW(SYS_gettid, 0, 0, 0, 0);
}

/** raw_clock() - read a clock of the kernel, in ns; 0 if it cannot be read. */
static inline uint64_t raw_clock(clockid_t id)
{
	struct timespec ts = { 0 };

	if (RAW(SYS_clock_gettime, id, &ts, 0, 0))
		return 0;
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

/** raw_read_file() - read the start of a real file, as a string. Return: its length or -errno. */
static inline long raw_read_file(const char *path, char *buf, size_t size)
{
	long fd = RAW(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0), len;

	buf[0] = '\0';
	if (fd < 0)
		return fd;
	len = RAW(SYS_read, fd, buf, size - 1, 0);
	RAW(SYS_close, fd, 0, 0, 0);
	buf[len > 0 ? len : 0] = '\0';
	return len;
}

#endif
