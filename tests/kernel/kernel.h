/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Replaces the kernel's headers when tests/kernel/build compiles files of arch/x86/events as part
 * of a program. There is one CPU at a time, without interrupts and MSRs. The kernel's own code
 * decides about events and counters; code that would access hardware does nothing.
 */
#ifndef TMA_KERNEL_H
#define TMA_KERNEL_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CONFIG_64BIT 1
#define CONFIG_CPU_SUP_AMD 1
#define CONFIG_CPU_SUP_INTEL 1
#define CONFIG_PERF_EVENTS 1
#define CONFIG_X86_64 1
#define IS_ENABLED(option) 0
#define __LITTLE_ENDIAN_BITFIELD 1
#define HAVE_STATIC_CALL 1

#include <asm/cpufeatures.h>
#include <asm/msr-index.h>
#include <asm/perf_regs.h>

/* --- Types --------------------------------------------------------------------------------- */

typedef uint8_t u8, __u8;
typedef uint16_t u16, __u16;
typedef uint32_t u32, __u32, __le32, gfp_t;
typedef unsigned long long u64, __u64;
typedef int8_t s8, __s8;
typedef int16_t s16, __s16;
typedef int32_t s32, __s32;
typedef long long s64, __s64, ktime_t;
typedef long ssize_t, loff_t;
typedef unsigned short umode_t;
typedef int pid_t;
typedef unsigned long kernel_ulong_t, phys_addr_t;

#define S8_MAX 127
#define U32_MAX UINT_MAX
#define U64_MAX ULLONG_MAX

typedef struct {
	int counter;
} atomic_t, refcount_t, raw_spinlock_t, spinlock_t;

typedef struct {
	long counter;
} local_t, local64_t, atomic64_t, atomic_long_t;

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next;
};

struct hlist_head {
	struct hlist_node *first;
};

struct mutex {
	int held;
};

/* linux/sched.h and linux/perf_regs.h */
enum {
	perf_invalid_context = -1,
	perf_hw_context,
	perf_sw_context,
};

struct perf_regs {
	u64 abi;
	struct pt_regs *regs;
};
#define PERF_REG_EXTENDED_MASK (~((1ULL << 32) - 1))

struct static_key {
	bool on;
};

/* Types whose members nothing uses. */
struct rb_node {
};
struct rb_root {
};
struct callback_head {
};
struct irq_work {
};
struct hrtimer {
};
struct path {
};
struct ftrace_ops {
};
struct kobject {
};
struct rlimit {
};
typedef struct {
} wait_queue_head_t;
typedef struct pt_regs bpf_user_pt_regs_t;
#define rcu_head callback_head

struct xregs_state {
	u8 bytes[1024];
};
struct fxregs_state {
	u8 bytes[512];
};
struct xstate_header {
	u64 xfeatures, xcomp_bv;
};
struct lbr_entry {
	u64 from, to, info;
};
struct arch_lbr_state {
	u64 lbr_ctl, lbr_depth, ler_from, ler_to, ler_info;
	struct lbr_entry entries[];
};

struct pt_regs {
	unsigned long ip, cs, ss, sp, bp, flags;
	unsigned long ax, bx, cx, dx, si, di, r8, r9, r10, r11, r12, r13, r14, r15, orig_ax;
};

struct attribute {
	const char *name;
	umode_t mode;
};

struct attribute_group {
	const char *name;
	umode_t (*is_visible)(struct kobject *, struct attribute *, int);
	struct attribute **attrs;
};

struct device {
	struct kobject kobj;
	void *driver_data;
};

struct device_attribute {
	struct attribute attr;
	ssize_t (*show)(struct device *, struct device_attribute *, char *);
	ssize_t (*store)(struct device *, struct device_attribute *, const char *, size_t);
};

struct cpumask {
	unsigned long bits[1];
};
typedef struct cpumask cpumask_t, *cpumask_var_t;

struct x86_cpu_id {
	u16 vendor, family, model, steppings, feature, flags;
	kernel_ulong_t driver_data;
};
#define X86_VENDOR_ANY 0xffff
#define X86_FAMILY_ANY 0
#define X86_MODEL_ANY 0
#define X86_STEPPING_ANY 0
#define X86_FEATURE_ANY 0

struct cpuinfo_x86 {
	union {
		struct {
			u8 x86_model, x86, x86_vendor, x86_reserved;
		};
		u32 x86_vfm;
	};
	u8 x86_stepping;
	u32 microcode;
	int cpuid_level;
};
#define X86_VENDOR_INTEL 0
#define X86_VENDOR_AMD 2
#define X86_VENDOR_CENTAUR 5
#define X86_VENDOR_HYGON 9
#define X86_VENDOR_ZHAOXIN 10

struct task_struct {
	void *mm;
	unsigned int sched_migrated;
};

struct mm_struct {
	struct {
		atomic_t perf_rdpmc_allowed;
		void *ldt;
	} context;
};

struct module;
struct perf_event;
struct seq_file;
struct kvm_pmu {
	u64 pebs_enable, global_ctrl, ds_area, pebs_data_cfg;
	u64 host_cross_mapped_mask;
};

struct notifier_block;

struct insn {
	int length;
};

/* --- Words of the compiler and of the build -------------------------------------------------- */

#define __always_inline inline
#define __init
#define __initconst
#define __initdata
#define __exit
#define __percpu
#define __read_mostly
#define __ro_after_init
#define __ref
#define __user
#define __force
#define __maybe_unused
#define __used
#define __packed __attribute__((packed))
#define __aligned(n) __attribute__((aligned(n)))
#define __counted_by(member)
#define __cacheline_aligned
#define ____cacheline_aligned
#define noinline
#define notrace
#define asmlinkage
#define fallthrough __attribute__((fallthrough))
#define likely(x) (x)
#define unlikely(x) (x)
#define barrier()
#define READ_ONCE(x) (x)
#define WRITE_ONCE(x, value) ((x) = (value))
#define static_assert _Static_assert
#define BUILD_BUG_ON(x)
#define BUG_ON(x) ((x) ? abort() : (void)0)
#define WARN_ON(x)                                  \
	({                                          \
		bool is_so_ = (x);                  \
		if (is_so_)                         \
			kernel_warns(#x, __func__); \
		is_so_;                             \
	})
#define WARN_ON_ONCE(x) WARN_ON(x)
#define WARN_ONCE(x, ...) WARN_ON(x)
#define WARN(x, ...) WARN_ON(x)
#define EXPORT_SYMBOL(x)
#define EXPORT_SYMBOL_GPL(x)
#define EXPORT_PER_CPU_SYMBOL_GPL(x)
#define EXPORT_SYMBOL_FOR_KVM(x)
#define NOKPROBE_SYMBOL(x)
#define MODULE_LICENSE(x)
#define module_param(...)
#define late_initcall(fn)
#define device_initcall(fn)
#define subsys_initcall(fn)  \
	int run_##fn(void)   \
	{                    \
		return fn(); \
	}
#define early_initcall(fn)   \
	int run_##fn(void)   \
	{                    \
		return fn(); \
	}
#define pr_cont(...)
#define pr_info(...)
#define pr_warn(...)
#define pr_warn_once(...)
#define pr_info_once(...)
#define pr_err(...)
#define pr_debug(...)
#define printk(...)
#define printk_once(...)
#define KERN_INFO
#define KERN_ERR
#define KERN_WARNING
#define KERN_CONT
#define FW_BUG

void kernel_warns(const char *what, const char *where);

/* --- Numbers and bits --------------------------------------------------------------------------
 */

#define BITS_PER_LONG 64
#define BITS_PER_BYTE 8
#define BIT(n) (1UL << (n))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK(high, low) ((~0UL << (low)) & (~0UL >> (63 - (high))))
#define GENMASK_ULL(high, low) GENMASK(high, low)
#define BITS_TO_LONGS(n) (((n) + 63) / 64)
#define DECLARE_BITMAP(name, bits) unsigned long name[BITS_TO_LONGS(bits)]
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define HWEIGHT(n) __builtin_constant_p_or_count(n)
#define __builtin_constant_p_or_count(n)                                                  \
	(HW8(n) + HW8((n) >> 8) + HW8((n) >> 16) + HW8((n) >> 24) + HW8((u64)(n) >> 32) + \
	 HW8((u64)(n) >> 40) + HW8((u64)(n) >> 48) + HW8((u64)(n) >> 56))
#define HW8(n)                                                                               \
	(HW1(n, 0) + HW1(n, 1) + HW1(n, 2) + HW1(n, 3) + HW1(n, 4) + HW1(n, 5) + HW1(n, 6) + \
	 HW1(n, 7))
#define HW1(n, bit) ((int)(((u64)(n) >> (bit)) & 1))
#define hweight64(n) __builtin_popcountll(n)
#define hweight32(n) __builtin_popcount(n)
#define hweight_long(n) __builtin_popcountl(n)
#define __fls(n) (63 - __builtin_clzl(n))
#define fls64(n) ((n) ? 64 - __builtin_clzll(n) : 0)
#define fls(n) ((n) ? 32 - __builtin_clz(n) : 0)
#define __ffs64(n) __builtin_ctzll(n)
#define __ffs(n) __builtin_ctzl(n)
#define ffs(n) __builtin_ffs(n)
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp_t(type, x, low, high) min_t(type, max_t(type, x, low), high)
#define swap(a, b)                          \
	({                                  \
		__typeof__(a) other_ = (a); \
		(a) = (b);                  \
		(b) = other_;               \
	})
#define roundup(n, to) ((((n) + (to)-1) / (to)) * (to))
#define div_u64(a, b) ((a) / (b))
#define DIV_ROUND_UP_ULL(a, b) (((a) + (b)-1) / (b))
#define do_div(a, b) ((a) /= (b))
#define array_index_nospec(i, size) (i)
#define container_of(p, type, member) ((type *)((char *)(p)-offsetof(type, member)))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
#define offsetofend(type, member) (offsetof(type, member) + sizeof_field(type, member))
#define struct_size(p, member, n) (sizeof(*(p)) + (n) * sizeof(*(p)->member))
#define __stringify(x...) #x

static inline bool test_bit(long n, const unsigned long *bits)
{
	return bits[n / 64] >> n % 64 & 1;
}

static inline void __set_bit(long n, unsigned long *bits)
{
	bits[n / 64] |= 1UL << n % 64;
}

static inline void __clear_bit(long n, unsigned long *bits)
{
	bits[n / 64] &= ~(1UL << n % 64);
}

static inline bool __test_and_clear_bit(long n, unsigned long *bits)
{
	bool was = test_bit(n, bits);

	__clear_bit(n, bits);
	return was;
}

static inline bool __test_and_set_bit(long n, unsigned long *bits)
{
	bool was = test_bit(n, bits);

	__set_bit(n, bits);
	return was;
}

#define set_bit __set_bit
#define clear_bit __clear_bit
#define test_and_clear_bit __test_and_clear_bit
#define test_and_set_bit __test_and_set_bit
#define __assign_bit(n, bits, on) ((on) ? __set_bit(n, bits) : __clear_bit(n, bits))

static inline int find_next_bit(const unsigned long *bits, long end, long n)
{
	while (n < end && !test_bit(n, bits))
		n++;
	return n < end ? n : end;
}

static inline int find_next_zero_bit(const unsigned long *bits, long end, long n)
{
	while (n < end && test_bit(n, bits))
		n++;
	return n < end ? n : end;
}

static inline int find_last_bit(const unsigned long *bits, long end)
{
	long n = end;

	while (n > 0 && !test_bit(n - 1, bits))
		n--;
	return n ? n - 1 : end;
}

#define find_first_bit(bits, end) find_next_bit(bits, end, 0)
#define find_first_zero_bit(bits, end) find_next_zero_bit(bits, end, 0)
#define for_each_set_bit(n, bits, end)                       \
	for ((n) = find_next_bit(bits, end, 0); (n) < (end); \
	     (n) = find_next_bit(bits, end, (n) + 1))
#define for_each_set_bit_from(n, bits, end)                  \
	for ((n) = find_next_bit(bits, end, n); (n) < (end); \
	     (n) = find_next_bit(bits, end, (n) + 1))
#define bitmap_zero(bits, n) memset(bits, 0, BITS_TO_LONGS(n) * 8)
#define bitmap_empty(bits, n) (find_first_bit(bits, n) == (n))
#define bitmap_weight(bits, n) hweight64(*(bits)&GENMASK((n)-1, 0))
#define bitmap_copy(to, from, n) memcpy(to, from, BITS_TO_LONGS(n) * 8)
#define bitmap_or(to, a, b, n) (*(to) = *(a) | *(b))
#define bitmap_and(to, a, b, n) (*(to) = *(a) & *(b))

/* --- Lists, counters and locks of a single thread
 * ------------------------------------------------------ */

#define LIST_HEAD_INIT(name)     \
	{                        \
		&(name), &(name) \
	}
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)
#define list_entry(p, type, member) container_of(p, type, member)
#define list_entry_is_head(e, head, member) (&(e)->member == (head))
#define list_for_each_entry(e, head, member)                                                     \
	for ((e) = container_of((head)->next, __typeof__(*(e)), member); &(e)->member != (head); \
	     (e) = container_of((e)->member.next, __typeof__(*(e)), member))

static inline void INIT_LIST_HEAD(struct list_head *l)
{
	l->next = l->prev = l;
}

static inline void list_add_tail(struct list_head *e, struct list_head *head)
{
	e->prev = head->prev;
	e->next = head;
	head->prev->next = e;
	head->prev = e;
}

static inline bool list_empty(const struct list_head *l)
{
	return l->next == l;
}

#define ATOMIC_INIT(n) \
	{              \
		n      \
	}
#define atomic_read(a) ((a)->counter)
#define atomic_set(a, n) ((a)->counter = (n))
#define atomic_inc(a) ((void)++(a)->counter)
#define atomic_dec(a) ((void)--(a)->counter)
#define atomic_inc_return(a) (++(a)->counter)
#define atomic_dec_and_test(a) (--(a)->counter == 0)
#define atomic_inc_not_zero(a) ((a)->counter ? ++(a)->counter : 0)
#define atomic_dec_and_mutex_lock(a, lock) (--(a)->counter == 0)
#define local64_read(a) ((a)->counter)
#define local64_set(a, n) ((a)->counter = (n))
#define local64_add(n, a) ((a)->counter += (n))
#define local64_sub(n, a) ((a)->counter -= (n))
#define local64_try_cmpxchg(a, old, new) ((a)->counter = (new), true)
#define local64_cmpxchg(a, old, new) ((a)->counter = (new), (old))
#define local64_xchg(a, new) ((a)->counter = (new))
#define cmpxchg(p, old, new)                  \
	({                                    \
		__typeof__(*(p)) was_ = *(p); \
		if (was_ == (old))            \
			*(p) = (new);         \
		was_;                         \
	})
#define try_cmpxchg(p, old, new) (*(p) = (new), true)

#define DEFINE_MUTEX(name) struct mutex name
#define DEFINE_RAW_SPINLOCK(name) raw_spinlock_t name
#define mutex_lock(l) ((void)(l))
#define mutex_unlock(l) ((void)(l))
#define raw_spin_lock_init(l) ((void)(l))
#define raw_spin_lock(l) ((void)(l))
#define raw_spin_unlock(l) ((void)(l))
#define raw_spin_lock_irqsave(l, flags) ((void)((flags) = 0))
#define raw_spin_unlock_irqrestore(l, flags) ((void)(flags))
#define guard(kind) kernel_nothing
#define scoped_guard(kind, ...) if (1)
#define local_irq_save(flags) ((flags) = 0)
#define local_irq_restore(flags) ((void)(flags))
#define irqs_disabled() true
#define in_nmi() false
#define preempt_disable()
#define preempt_enable()
#define cpus_read_lock()
#define cpus_read_unlock()
#define rcu_read_lock()
#define rcu_read_unlock()
#define smp_mb()
#define smp_wmb()
#define lockdep_assert_irqs_disabled()
#define lockdep_assert_cpus_held()
#define mmap_assert_write_locked(mm)
#define might_sleep()
#define cpu_relax()

/* --- CPUs: 0 and 1 are threads of one core, 2 is a core of its own (the E-core of a hybrid)
 * --------- */

#define NR_CPUS 3
#define nr_cpu_ids NR_CPUS
#define PERCPU __attribute__((section("percpu")))
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name
#define DECLARE_PER_CPU_PAGE_ALIGNED(type, name) DECLARE_PER_CPU(type, name)
#define DECLARE_PER_CPU_ALIGNED(type, name) DECLARE_PER_CPU(type, name)
#define DEFINE_PER_CPU(type, name) __typeof__(type) name PERCPU
#define DEFINE_PER_CPU_PAGE_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DEFINE_PER_CPU_ALIGNED(type, name) DEFINE_PER_CPU(type, name)

extern int kernel_cpu;
extern long kernel_percpu[NR_CPUS];
extern int nr_kernel_cpus;

#define per_cpu_ptr(p, cpu) ((__typeof__(p))((char *)(p) + kernel_percpu[cpu]))
#define per_cpu(name, cpu) (*per_cpu_ptr(&(name), cpu))
#define this_cpu_ptr(p) per_cpu_ptr(p, kernel_cpu)
#define raw_cpu_ptr(p) this_cpu_ptr(p)
#define this_cpu_read(x) (*this_cpu_ptr(&(x)))
#define this_cpu_write(x, n) (*this_cpu_ptr(&(x)) = (n))
#define this_cpu_add(x, n) (*this_cpu_ptr(&(x)) += (n))
#define this_cpu_inc(x) this_cpu_add(x, 1)
#define this_cpu_dec(x) this_cpu_add(x, -1)
#define __this_cpu_read this_cpu_read
#define __this_cpu_write this_cpu_write
#define __this_cpu_sub(x, n) this_cpu_add(x, -(n))
#define __this_cpu_inc this_cpu_inc
#define get_cpu() kernel_cpu
#define put_cpu()
#define smp_processor_id() kernel_cpu
#define raw_smp_processor_id() kernel_cpu
#define cpu_to_node(cpu) 0
#define numa_node_id() 0
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < nr_kernel_cpus; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)
#define for_each_cpu(cpu, mask) for_each_set_bit(cpu, (mask)->bits, NR_CPUS)
#define for_each_cpu_and(cpu, a, b) for_each_set_bit(cpu, (a)->bits, NR_CPUS)
#define cpumask_test_cpu(cpu, mask) test_bit(cpu, (mask)->bits)
#define cpumask_set_cpu(cpu, mask) __set_bit(cpu, (mask)->bits)
#define cpumask_clear_cpu(cpu, mask) __clear_bit(cpu, (mask)->bits)
#define cpumask_empty(mask) (!(mask)->bits[0])
#define cpumask_first(mask) find_first_bit((mask)->bits, NR_CPUS)
#define cpumask_of(cpu) (&kernel_cpumask_of[cpu])
#define cpu_online_mask (&kernel_online)
#define topology_sibling_cpumask(cpu) (&kernel_siblings[cpu])
#define topology_max_smt_threads() kernel_smt_threads
#define topology_core_id(cpu) ((cpu) / 2)
#define topology_logical_package_id(cpu) 0
#define topology_amd_node_id(cpu) 0

extern struct cpumask kernel_siblings[NR_CPUS], kernel_cpumask_of[NR_CPUS], kernel_online;
extern int kernel_smt_threads;

extern struct cpuinfo_x86 boot_cpu_data, kernel_cpu_data[NR_CPUS];
bool kernel_has_feature(int feature);
#define cpu_data(cpu) (kernel_cpu_data[cpu])
#define boot_cpu_has(feature) kernel_has_feature(feature)
#define this_cpu_has(feature) kernel_has_feature(feature)
#define cpu_has(c, feature) kernel_has_feature(feature)
#define cpu_feature_enabled(feature) kernel_has_feature(feature)
#define static_cpu_has(feature) kernel_has_feature(feature)
#define setup_clear_cpu_cap(feature)
#define setup_force_cpu_cap(feature)
#define clear_cpu_cap(c, feature)
#define set_cpu_cap(c, feature)

/* --- Registers
 * ------------------------------------------------------------------------------------- */

void cpuid_count(u32 leaf, u32 sub, u32 *a, u32 *b, u32 *c, u32 *d);
#define cpuid(leaf, a, b, c, d) cpuid_count(leaf, 0, (u32 *)(a), (u32 *)(b), (u32 *)(c), (u32 *)(d))
u32 cpuid_eax(u32 leaf);
u32 cpuid_ebx(u32 leaf);
u64 kernel_rdmsr(u32 msr);
int kernel_wrmsr(u32 msr, u64 value);
#define rdmsrl(msr, value) ((void)((value) = kernel_rdmsr(msr)))
#define rdmsrl_safe(msr, p) (*(p) = kernel_rdmsr(msr), 0)
#define rdmsr_safe(msr, low, high) (*(low) = *(high) = 0)
#define wrmsrl(msr, value) ((void)kernel_wrmsr(msr, value))
#define wrmsr(msr, low, high) ((void)kernel_wrmsr(msr, low))
#define wrmsrl_safe(msr, value) kernel_wrmsr(msr, value)
#define wrmsr_safe(msr, low, high) kernel_wrmsr(msr, low)
#define rdpmcl(counter, value) ((void)((value) = 0))
#define native_write_msr(...)
#define apic_write(reg, value)
#define apic_read(reg) 0
#define CR4_PCE 0

/* --- Static keys and calls: plain variables and pointers
 * ---------------------------------------------- */

struct static_key_false {
	bool on;
};
struct static_key_true {
	bool on;
};
#define DEFINE_STATIC_KEY_FALSE(name) struct static_key_false name
#define DEFINE_STATIC_KEY_TRUE(name) struct static_key_true name = {true}
#define DECLARE_STATIC_KEY_FALSE(name) extern struct static_key_false name
#define static_branch_unlikely(key) ((key)->on)
#define static_branch_likely(key) ((key)->on)
#define static_branch_enable(key) ((key)->on = true)
#define static_branch_disable(key) ((key)->on = false)
#define static_branch_inc(key) ((key)->on = true)
#define static_branch_dec(key) ((key)->on = false)
#define static_branch_enable_cpuslocked(key) static_branch_enable(key)
#define static_branch_inc_cpuslocked(key) static_branch_inc(key)
#define static_branch_dec_cpuslocked(key) static_branch_dec(key)

long kernel_nothing();
#define __static_call_return0 kernel_nothing
#define DEFINE_STATIC_CALL_NULL(name, fn) __typeof__(fn) *name##_call = (void *)kernel_nothing
#define DEFINE_STATIC_CALL_RET0(name, fn) DEFINE_STATIC_CALL_NULL(name, fn)
#define DEFINE_STATIC_CALL(name, fn) __typeof__(fn) *name##_call = fn
#define DECLARE_STATIC_CALL(name, fn) extern __typeof__(fn) *name##_call
#define static_call_update(name, fn) \
	(name##_call = (fn) ? (__typeof__(name##_call))(fn) : (void *)kernel_nothing)
#define static_call(name) (name##_call)
#define static_call_cond(name) (name##_call)
#define static_call_query(name) (name##_call)

/* --- The rest
 * ------------------------------------------------------------------------------------- */

#define GFP_KERNEL 0
#define __GFP_ZERO 0
#define __GFP_NOWARN 0
#define PAGE_NONE 0
#define PAGE_KERNEL 0
typedef int pgprot_t;
#define __alloc_pages_node(node, flags, order) calloc(PAGE_SIZE, 1 << (order))
#define page_address(page) (page)
#define get_cpu_entry_area(cpu) (&kernel_entry_areas[cpu])
#define PAGE_SIZE 4096
#define PAGE_SHIFT 12
#define kzalloc(size, flags) calloc(1, size)
#define kzalloc_node(size, flags, node) calloc(1, size)
#define kcalloc(n, size, flags) calloc(n, size)
#define kmalloc(size, flags) malloc(size)
#define kmalloc_array(n, size, flags) calloc(n, size)
#define kfree(p) free((void *)(p))
#define kstrdup(text, flags) strdup(text)
#define kmemdup(p, size, flags) memcpy(malloc(size), p, size)
#define IS_ERR(p) ((unsigned long)(p) >= (unsigned long)-4095)
#define PTR_ERR(p) ((long)(p))
#define ERR_PTR(e) ((void *)(long)(e))

#define E2BIG 7
#define EACCES 13
#define EBUSY 16
#define EINVAL 22
#define EIO 5
#define ENODEV 19
#define ENOENT 2
#define ENOMEM 12
#define ENOSPC 28
#define ENXIO 6
#define EOPNOTSUPP 95
#define EPERM 1
#define ENOTSUPP 524

#define EAGAIN 11
#define ENODATA 61

#define S_IRUGO 0444
#define S_IRUSR 0400
#define S_IWUSR 0200
#define __ATTR(n, m, s, t)                                             \
	{                                                              \
		.attr = {.name = #n, .mode = m}, .show = s, .store = t \
	}
#define __ATTR_RO(n) __ATTR(n, 0444, n##_show, NULL)
#define DEVICE_ATTR(n, m, s, t) struct device_attribute dev_attr_##n = __ATTR(n, m, s, t)
#define DEVICE_ATTR_RO(n) DEVICE_ATTR(n, 0444, n##_show, NULL)
#define DEVICE_ATTR_RW(n) DEVICE_ATTR(n, 0644, n##_show, n##_store)
#define DEVICE_STRING_ATTR_RO(n, m, text)     \
	struct {                              \
		struct device_attribute attr; \
	} dev_attr_##n = {{.attr = {.name = #n}}}
#define __ATTRIBUTE_GROUPS(n) static const struct attribute_group *n##_groups[] = {&n##_group, NULL}
#define ATTRIBUTE_GROUPS(n)                                                   \
	static const struct attribute_group n##_group = {.attrs = n##_attrs}; \
	__ATTRIBUTE_GROUPS(n)
#define sysfs_emit sprintf
#define dev_get_drvdata(dev) ((dev)->driver_data)
#define kobj_to_dev(k) container_of(k, struct device, kobj)

typedef int (*nmi_handler_t)(unsigned int, struct pt_regs *);
#define NMI_LOCAL 0
#define NMI_DONE 0
#define NMI_HANDLED 1
#define register_nmi_handler(...) 0
#define unregister_nmi_handler(...)
#define sched_clock() 0ULL
#define jiffies 0UL
#define HZ 250
#define perf_paranoid_kernel() 0
extern bool kernel_is_capable;
#define capable(x) true
#define perfmon_capable() kernel_is_capable
#define CAP_SYS_ADMIN 21
#define reserve_perfctr_nmi(x) true
#define release_perfctr_nmi(x)
#define reserve_evntsel_nmi(x) true
#define release_evntsel_nmi(x)
#define cpuhp_setup_state(state, name, start, stop) kernel_hotplug(start)
#define cpuhp_remove_state(state)
int kernel_hotplug(int (*start)(unsigned int));
void hardlockup_detector_perf_stop(void);
#define task_pt_regs(t) NULL
#define current ((struct task_struct *)NULL)
#define user_mode(regs) true
#define BAD_APICID 0xffff
#define ATOMIC64_INIT(n) \
	{                \
		n        \
	}
#define CALLER_ADDR0 0
#define __sched_clock_offset 0
#define inc_irq_stat(x)
#define cr4_update_pce NULL
#define DR_GLOBAL_ENABLE_MASK 0xaa
#define __KERNEL_CS 0x10
#define __USER_CS 0x33
#define X86_VM_MASK 0
#define XSAVE_ALIGNMENT 64
#define CPU_DEBUG_STORE

#include <asm/intel_ds.h>

struct cpu_entry_area {
	struct debug_store cpu_debug_store;
	struct debug_store_buffers cpu_debug_buffers;
};
extern struct cpu_entry_area kernel_entry_areas[NR_CPUS];

#endif
