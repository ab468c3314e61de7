/* Makes a system call about files fail. A seccomp filter turns these calls into SIGSYS; the handler fails one of them
 * and makes all others, with a sixth argument that the filter lets through. None of these calls has six arguments. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "faults.h"

enum { PASS = 0x61627574 }; /* the sixth argument */

enum {
	CHANGES = 1, /* files or folders */
	WAITS = 2,   /* may be interrupted */
	PARTS = 4,   /* may be done in part */
	OPENS = 8,   /* needs a free descriptor */
	ENDS = 16,   /* takes effect even if it reports a failure */
	ANY = 32     /* all calls */
};

static const struct {
	int number, traits;
} calls[] = {
    {SYS_write, CHANGES | WAITS | PARTS},
    {SYS_pwrite64, CHANGES | WAITS | PARTS},
    {SYS_writev, CHANGES | WAITS},
    {SYS_read, WAITS | PARTS},
    {SYS_pread64, WAITS | PARTS},
    {SYS_openat, WAITS | OPENS},
    {SYS_close, WAITS | ENDS},
    {SYS_fsync, CHANGES | WAITS},
    {SYS_fdatasync, CHANGES | WAITS},
    {SYS_ftruncate, CHANGES | WAITS},
    {SYS_truncate, CHANGES | WAITS},
    {SYS_fstat, 0},
    {SYS_newfstatat, 0},
    {SYS_getdents64, 0},
    {SYS_flock, WAITS},
    {SYS_pipe2, OPENS},
    {SYS_wait4, WAITS},
    {SYS_renameat, CHANGES},
    {SYS_renameat2, CHANGES},
    {SYS_mkdirat, CHANGES},
    {SYS_unlinkat, CHANGES},
#ifdef SYS_open
    {SYS_open, WAITS | OPENS},
    {SYS_stat, 0},
    {SYS_lstat, 0},
    {SYS_rename, CHANGES},
    {SYS_mkdir, CHANGES},
    {SYS_rmdir, CHANGES},
    {SYS_unlink, CHANGES},
    {SYS_poll, WAITS},
#endif
};

enum { CALLS = sizeof calls / sizeof *calls };

/* The registers of the interrupted thread: arguments and result. */
#if defined __x86_64__
static greg_t *argument(ucontext_t *context, int i)
{
	static const int registers[] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8};
	return &context->uc_mcontext.gregs[registers[i]];
}

static greg_t *result(ucontext_t *context)
{
	return &context->uc_mcontext.gregs[REG_RAX];
}
#elif defined __aarch64__
static unsigned long long *argument(ucontext_t *context, int i)
{
	return &context->uc_mcontext.regs[i];
}

static unsigned long long *result(ucontext_t *context)
{
	return &context->uc_mcontext.regs[0];
}
#endif

static int traits_of(int number, ucontext_t *context)
{
	int traits = ANY;
	for (int i = 0; i < CALLS; i++) {
		traits = calls[i].number == number ? ANY | calls[i].traits : traits;
	}
	const long flags = (long)(number == SYS_openat ? *argument(context, 2) : *argument(context, 1));
	const bool makes = (traits & OPENS) && number != SYS_pipe2 && (flags & (O_WRONLY | O_RDWR | O_CREAT));
	return makes ? traits | CHANGES : traits;
}

/* For each kind: traits that make a call a possible point, and the error of one that fails. */
static const struct {
	int traits, error;
} kinds[FAULT_KINDS] = {
    [FAULT_ENOSPC] = {CHANGES, ENOSPC},
    [FAULT_EIO] = {ANY, EIO},
    [FAULT_EINTR] = {WAITS, EINTR},
    [FAULT_SHORT] = {PARTS, 0},
    [FAULT_KILL] = {CHANGES, 0},
    [FAULT_EMFILE] = {OPENS, EMFILE},
    [FAULT_INT] = {ANY, 0},
    [FAULT_ORDER] = {0, 0},
};

static long make_call(int number, ucontext_t *context)
{
	const long made = syscall(number, *argument(context, 0), *argument(context, 1), *argument(context, 2),
	                          *argument(context, 3), *argument(context, 4), PASS);
	return made < 0 ? -errno : made;
}

/* --- the list of calls --- */

enum { PATH = 4096 };
static int list = -1; /* descriptor */

void faults_list_calls(const char *path)
{
	list = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
}

/* Gets the path of an open file or folder, or "." for AT_FDCWD. */
static const char *path_of(int descriptor, char path[PATH])
{
	char link[64];
	snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
	const ssize_t length = descriptor == AT_FDCWD ? -1 : readlink(link, path, PATH - 1);
	snprintf(path + (length > 0 ? length : 0), 2, "%s", length > 0 ? "" : ".");
	return path;
}

static void add_to_list(const char *what, const char *folder, const char *from, const char *to)
{
	char line[3 * PATH];
	const int length = snprintf(line, sizeof line, "%s\t%s\t%s\t%s\n", what, folder, from, to);
	syscall(SYS_write, list, line, (size_t)length, 0, 0, PASS);
}

/* Lists a call: its name, the folder or file of its descriptor, and its paths. */
static void list_call(int number, ucontext_t *context)
{
	char path[PATH];
	const int descriptor = (int)*argument(context, 0);
	const char *const first = (const char *)*argument(context, 0), *const second =
	                                                                   (const char *)*argument(context, 1);
	switch (number) {
	case SYS_write:
	case SYS_pwrite64:
	case SYS_writev:
	case SYS_ftruncate:
		add_to_list("write", path_of(descriptor, path), "", "");
		break;
	case SYS_fsync:
	case SYS_fdatasync:
		add_to_list("sync", path_of(descriptor, path), "", "");
		break;
	case SYS_renameat:
	case SYS_renameat2:
		add_to_list("rename", ".", second, (const char *)*argument(context, 3));
		break;
	case SYS_unlinkat:
		add_to_list("unlink", path_of(descriptor, path), second, "");
		break;
#ifdef SYS_open
	case SYS_rename:
		add_to_list("rename", ".", first, second);
		break;
	case SYS_unlink:
		add_to_list("unlink", ".", first, "");
		break;
#endif
	default:
		break;
	}
}

static void handle(int signal, siginfo_t *info, void *raw)
{
	ucontext_t *const context = raw;
	const int number = info->si_syscall, kept = errno, traits = traits_of(number, context);
	(void)signal;
	if (list >= 0) {
		list_call(number, context);
	}
	const bool due = (kinds[faults_kind()].traits & traits) && faults_due();
	const FaultKind kind = due ? faults_kind() : FAULT_NONE;
	if (kind == FAULT_KILL || kind == FAULT_INT) {
		kill(getpid(), kind == FAULT_KILL ? SIGKILL : SIGINT);
	}
	if (kind == FAULT_SHORT && *argument(context, 2) > 1) {
		*argument(context, 2) /= 2;
	}
	const int failure = kinds[kind].error;
	const long made = failure == 0 || (traits & ENDS) ? make_call(number, context) : 0;
	*result(context) = failure ? -failure : made;
	errno = kept;
}

void faults_trap_calls(void)
{
	struct sock_filter filter[CALLS + 6];
	int n = 0;
	const unsigned sixth = offsetof(struct seccomp_data, args[5]);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, sixth);
	filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PASS, CALLS + 1, 0);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	for (int i = 0; i < CALLS; i++) {
		filter[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i].number,
		                                           (unsigned char)(CALLS - i), 0);
	}
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP);
	const struct sock_fprog program = {(unsigned short)n, filter};
	const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART};
	if (sigaction(SIGSYS, &action, NULL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
		_exit(126);
	}
}
