/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BPF programs in the kernel: libbpf, which is loaded only if a run needs BPF programs, and tma's
 * own programs in lib/count/bpf, which clang compiled when tma was built.
 */
#ifndef TMA_COUNT_BPF_LIBRARY_H
#define TMA_COUNT_BPF_LIBRARY_H

#include <stddef.h>
#include <linux/types.h>

#include "count/bpf/settings.h"

struct err;

/* tma can be built without libbpf's headers, but then has no BPF counters. */
#if __has_include(<bpf/bpf.h>) && __has_include(<bpf/btf.h>) && __has_include(<bpf/libbpf.h>)
#define BPF_IS_BUILT 1
#else
#define BPF_IS_BUILT 0
#endif

/* tma's own programs; each is in an object of its own with its maps. */
enum bpf_code_name {
	BPF_LEADER,
	BPF_FOLLOWER,
	BPF_TASKS,
	BPF_PROGRAM,
	BPF_NR_CODE,
};

/** struct bpf_code - an object file, as clang compiled it */
struct bpf_code {
	const unsigned char *bytes;
	size_t size;
};

/*
 * The Makefile generates these variables: all objects, and the name of the tool that was missing to
 * compile them (such as "clang"), or "".
 */
extern const struct bpf_code bpf_code[BPF_NR_CODE];
extern const char bpf_code__missing[];

/**
 * bpf_library__load() - load libbpf and check that BPF programs can run
 *
 * Return: 0; -ENOTSUP if tma was built without BPF programs, or the kernel has no BPF or no BTF;
 * -EPERM if the user lacks the rights; -ELIBACC without libbpf.
 */
int bpf_library__load(struct err *err);

#if BPF_IS_BUILT

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

/* All functions of libbpf that are used; each is called as lib_NAME() once it is loaded. */
#define BPF_FUNCTIONS(of)                                                                          \
	of(bpf_link__destroy)                                                                      \
	of(bpf_link__fd)                                                                           \
	of(bpf_link_get_fd_by_id)                                                                  \
	of(bpf_map__fd)                                                                            \
	of(bpf_map__reuse_fd)                                                                      \
	of(bpf_map__set_max_entries)                                                               \
	of(bpf_map_create)                                                                         \
	of(bpf_map_delete_elem)                                                                    \
	of(bpf_map_get_fd_by_id)                                                                   \
	of(bpf_map_get_next_key)                                                                   \
	of(bpf_map_lookup_elem)                                                                    \
	of(bpf_map_update_elem)                                                                    \
	of(bpf_obj_get)                                                                            \
	of(bpf_obj_get_info_by_fd)                                                                 \
	of(bpf_obj_pin)                                                                            \
	of(bpf_object__close)                                                                      \
	of(bpf_object__find_map_by_name)                                                           \
	of(bpf_object__find_program_by_name)                                                       \
	of(bpf_object__load)                                                                       \
	of(bpf_object__open_mem)                                                                   \
	of(bpf_prog_get_fd_by_id)                                                                  \
	of(bpf_prog_test_run_opts)                                                                 \
	of(bpf_program__attach)                                                                    \
	of(bpf_program__fd)                                                                        \
	of(bpf_program__set_attach_target)                                                         \
	of(btf__free)                                                                              \
	of(btf__load_from_kernel_by_id)                                                            \
	of(btf__name_by_offset)                                                                    \
	of(btf__type_by_id)                                                                        \
	of(libbpf_num_possible_cpus)                                                               \
	of(libbpf_set_print)

#define BPF_DECLARE(call) extern __typeof__(call) *lib_##call;
BPF_FUNCTIONS(BPF_DECLARE)
#undef BPF_DECLARE

/**
 * bpf_object__begin() - open one of tma's objects, which can be changed before it is loaded
 *
 * Return: the object, for bpf_object__close(); NULL with @err.
 */
struct bpf_object *bpf_object__begin(enum bpf_code_name name, struct err *err);
/** bpf_object__give_map() - let an object use an existing map. Return: 0 or -errno. */
int bpf_object__give_map(struct bpf_object *object, const char *name, int fd, struct err *err);
/** bpf_object__size_map() - set the number of elements of a map. */
void bpf_object__size_map(struct bpf_object *object, const char *name, unsigned int nr);
/** bpf_object__map_fd() - return the descriptor of a map of a loaded object. */
int bpf_object__map_fd(struct bpf_object *object, const char *name);
/** bpf_object__aim() - choose what a program attaches to: function @name of the BPF program @fd. */
int bpf_object__aim(struct bpf_object *object, const char *program, int fd, const char *name,
		    struct err *err);
/** bpf_object__finish() - load an object into the kernel. Return: 0 or -errno. */
int bpf_object__finish(struct bpf_object *object, struct err *err);
/**
 * bpf_object__attach() - attach a program to the place that its section names. Return: NULL with
 * @err.
 */
struct bpf_link *bpf_object__attach(struct bpf_object *object, const char *program,
				    struct err *err);

#endif

#endif
