// SPDX-License-Identifier: GPL-2.0-only
#include "count/bpf_library.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/library.h"
#include "base/xalloc.h"

#if BPF_IS_BUILT

#define BPF_LIBRARY "libbpf.so.1"
#define BPF_PACKAGE "libbpf1"
#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

#define BPF_DEFINE(call) __typeof__(call) *lib_##call;
BPF_FUNCTIONS(BPF_DEFINE)

/* The first message of libbpf about a failure, which explains the kernel's errno. */
static char first_message[256];

static int keep_first_message(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level != LIBBPF_WARN || *first_message)
		return 0;
	vsnprintf(first_message, sizeof(first_message), fmt, ap);
	first_message[strcspn(first_message, "\n")] = '\0';
	return 0;
}

static int bpf_library__explain(int code, const char *what, struct err *err)
{
	/* The ELF library of libbpf reports a lack of memory with an errno of its own. */
	if (code == ENOMEM || strstr(first_message, "out of memory"))
		xchecked(NULL);
	err__set(err, code, "%s: %s", what, strerror(code));
	return *first_message ? err__append(err, "\n%s", first_message) : -code;
}

/* Creating a small map shows whether the kernel lets this user create any. */
static int try_map(struct err *err)
{
	int fd = lib_bpf_map_create(BPF_MAP_TYPE_ARRAY, "tma_try", sizeof(__u32), sizeof(__u32), 1,
				    NULL);

	if (fd >= 0) {
		close(fd);
		return 0;
	}
	if (fd == -EPERM)
		return err__set(err, EPERM,
				"no permission to load BPF programs\nWhat helps: run tma as root, or "
				"with CAP_BPF and CAP_PERFMON (setcap cap_bpf,cap_perfmon+ep on its "
				"file)");
	if (fd == -ENOSYS)
		return err__set(err, ENOTSUP, "this kernel has no bpf(2): it is built without "
					      "CONFIG_BPF_SYSCALL, or a container hides it");
	return bpf_library__explain(-fd, "BPF maps cannot be made", err);
}

static int bpf_library__load_once(struct err *err)
{
	static const struct library_call calls[] = { BPF_FUNCTIONS(LIBRARY_CALL){ NULL } };
	int rc = library__load(BPF_LIBRARY, BPF_PACKAGE, calls, err);

	if (rc)
		return rc;
	lib_libbpf_set_print(keep_first_message);
	rc = try_map(err);
	if (!rc && access(KERNEL_BTF, R_OK))
		return err__set(err, ENOTSUP,
				"BPF counters need the types of the kernel (BTF), and there is no "
				KERNEL_BTF ": this kernel is built without CONFIG_DEBUG_INFO_BTF");
	return rc;
}

int bpf_library__load(struct err *err)
{
	static bool loaded;
	int rc;

	if (*bpf_code__missing)
		return err__set(err, ENOTSUP,
				"this tma was built without BPF counters, as %s was missing then: "
				"install it (scripts/setup does), and build again",
				bpf_code__missing);
	rc = loaded ? 0 : bpf_library__load_once(err);
	loaded |= !rc;
	return rc;
}

struct bpf_object *bpf_object__begin(enum bpf_code_name name, struct err *err)
{
	const struct bpf_code *code = &bpf_code[name];
	struct bpf_object *object;

	*first_message = '\0';
	object = lib_bpf_object__open_mem(code->bytes, code->size, NULL);
	if (!object)
		bpf_library__explain(errno, "libbpf cannot read the BPF programs of tma", err);
	return object;
}

int bpf_object__give_map(struct bpf_object *object, const char *name, int fd, struct err *err)
{
	int rc = lib_bpf_map__reuse_fd(lib_bpf_object__find_map_by_name(object, name), fd);

	return rc ? bpf_library__explain(-rc, "a BPF map cannot be shared", err) : 0;
}

void bpf_object__size_map(struct bpf_object *object, const char *name, unsigned int nr)
{
	lib_bpf_map__set_max_entries(lib_bpf_object__find_map_by_name(object, name), nr);
}

int bpf_object__map_fd(struct bpf_object *object, const char *name)
{
	return lib_bpf_map__fd(lib_bpf_object__find_map_by_name(object, name));
}

int bpf_object__aim(struct bpf_object *object, const char *program, int fd, const char *name,
		    struct err *err)
{
	int rc = lib_bpf_program__set_attach_target(
		lib_bpf_object__find_program_by_name(object, program), fd, name);

	return rc ? bpf_library__explain(-rc, "a BPF program cannot be followed", err) : 0;
}

int bpf_object__finish(struct bpf_object *object, struct err *err)
{
	int rc = lib_bpf_object__load(object);

	return rc ? bpf_library__explain(-rc, "the kernel refuses a BPF program of tma", err) : 0;
}

struct bpf_link *bpf_object__attach(struct bpf_object *object, const char *program,
				    struct err *err)
{
	struct bpf_link *link =
		lib_bpf_program__attach(lib_bpf_object__find_program_by_name(object, program));

	if (link)
		return link;
	if (errno == E2BIG)
		err__set(err, E2BIG,
			 "the kernel lets at most 38 BPF programs run with another one: too many "
			 "count the same");
	else
		bpf_library__explain(errno, "a BPF program cannot be attached", err);
	return NULL;
}

#else

int bpf_library__load(struct err *err)
{
	return err__set(err, ENOTSUP,
			"this tma was built without BPF counters, as libbpf-dev was missing then: "
			"install it (scripts/setup does), and build again");
}

#endif
