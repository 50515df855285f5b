/* Starts a bot's program again and again in one cell: argv is the program, the environment is its own.

1. bubblewrap makes the cell and executes this as its first process. Descriptor 0 is a socket with the referee's starts, 1 is
   one for reports, 2 is the log of this process.
2. A message on 0 with one descriptor brings the filter of system calls, once. A message with three starts the program with
   these as its stdin, stdout and stderr. The end of 0 ends this process at any time, and the kernel ends everything in the cell
   with it. (bubblewrap's own parent may have ended before this process could ask for a signal at its parent's death.)
3. For each start, a process is made in fresh namespaces for processes, IPC and the host name. It gives up all capabilities, starts
   the program as its only child, and ends after it with its status, or 128 + n for signal n. When it ends, or is killed, the
   kernel ends everything in its namespace. So nothing that has run is left when the next program starts.
4. A security module may forbid new namespaces in here, or they may be used up. Then this process does itself what point 3 says,
   and ends: the program has the namespaces of the cell, which serves for this one only. The report says so.
5. Reports are two numbers of 32 bits. READY comes first, before the filter and the limits are set. BEGUN comes when the program is executed; its value is 1 if it has namespaces of its own.
   FAILED, before it, has the error of execve, or of what comes before. ENDED comes last, with the status of wait(2), also if the
   first process of the namespace was killed before it could report. The referee finds the processes itself, as children.
6. The program inherits limits, the user and the read-only files from this process. It can reach neither this process nor its
   descriptors: its number is in another namespace, and all descriptors are closed when a program is executed.

There is no C library, so the file has 2 kB. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

enum { READY = 1, BEGUN, FAILED, ENDED };
enum { STARTS, REPORTS, STREAMS = 3, SIGNALLED = 128, FILTER_SIZE = 65536 };
#define FRESH (CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS)

typedef unsigned long word;

/* Room for the descriptors of a message. */
typedef union { struct cmsghdr header; char bytes[CMSG_SPACE(STREAMS * sizeof(int))]; } rights;

__attribute__((used)) static const char source[] = "source " SOURCE;
/* Aligned to the largest page: the writable segment has no bytes in the file. Before 6.7 (585a018627b4), Linux kills a program if
   such a segment begins within a page that is not in the file either. */
static uint8_t filter[FILTER_SIZE] __attribute__((aligned(65536)));
static struct sock_fprog program_of_filter;
static char **arguments, **environment;

static long call(long number, word a, word b, word c, word d, word e) {
#if defined(__x86_64__)
    register word r10 __asm__("r10") = d, r8 __asm__("r8") = e;
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register word x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    register word x3 __asm__("x3") = d, x4 __asm__("x4") = e;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
    return x0;
#else
#error "this kind of machine has no list of system calls either"
#endif
}

__attribute__((noreturn)) static void leave(int status) {
    for (;;) call(SYS_exit_group, status, 0, 0, 0, 0);
}

/* Another process; the flags say how they differ. No flag shares memory. */
static long fork_with(word flags) {
    return call(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
}

static void report(int32_t kind, int32_t value) {
    int32_t numbers[2] = {kind, value};
    if (call(SYS_write, REPORTS, (word)numbers, sizeof numbers, 0, 0) < 0) leave(1);
}

/* The status of a child after its end. If the referee ends before, leave. */
static int status_of(long pid) {
    int status = 0;
    struct pollfd ends[] = {{STARTS, 0, 0}, {call(SYS_pidfd_open, pid, 0, 0, 0, 0), POLLIN, 0}};
    if (ends[1].fd < 0) leave(1);
    while (call(SYS_ppoll, (word)ends, 2, 0, 0, 0) == -EINTR) {}
    if (ends[0].revents) leave(1);
    while (call(SYS_wait4, pid, (word)&status, 0, 0, 0) == -EINTR) {}
    call(SYS_close, ends[1].fd, 0, 0, 0, 0);
    return status;
}

/* The number of descriptors in the next message, which are stored; leaves at the end of the starts, and if some were lost. */
static int next_message(int *fds) {
    char byte;
    struct iovec part = {&byte, 1};
    rights passed = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed};
    message.msg_controllen = CMSG_LEN(STREAMS * sizeof(int));  /* `sizeof passed` has room for one more */
    long got;
    while ((got = call(SYS_recvmsg, STARTS, (word)&message, MSG_CMSG_CLOEXEC, 0, 0)) == -EINTR) {}
    if (got <= 0 || message.msg_flags & MSG_CTRUNC || passed.header.cmsg_len < CMSG_LEN(sizeof(int))) leave(0);
    int count = (passed.header.cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (int i = 0; i < count; i++) fds[i] = ((int *)CMSG_DATA(&passed.header))[i];
    return count;
}

static void close_all(const int *fds, int count) {
    for (int i = 0; i < count; i++) call(SYS_close, fds[i], 0, 0, 0, 0);
}

static void give_up_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct none[2] = {{0, 0, 0}, {0, 0, 0}};
    call(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    call(SYS_prctl, PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0);  /* bubblewrap has dropped the others */
    call(SYS_prctl, PR_CAPBSET_DROP, CAP_SETPCAP, 0, 0, 0);
    if (call(SYS_capset, (word)&header, (word)none, 0, 0, 0) < 0) leave(1);
}

/* Become the program. */
__attribute__((noreturn)) static void execute(const int *streams) {
    int reports = call(SYS_fcntl, REPORTS, F_DUPFD_CLOEXEC, STREAMS, 0, 0);
    long error = 0;
    for (int i = 0; i < STREAMS && error >= 0; i++) error = call(SYS_dup3, streams[i], i, 0, 0, 0);
    if (error >= 0) error = call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (error >= 0) error = call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (word)&program_of_filter, 0, 0);
    if (error >= 0) error = call(SYS_execve, (word)arguments[0], (word)arguments, (word)environment, 0, 0);
    int32_t failed[2] = {FAILED, -error};
    call(SYS_write, reports, (word)failed, sizeof failed, 0, 0);  /* the filter has no sendmsg */
    leave(1);
}

/* The first process of the program's namespace (points 3 and 4). */
__attribute__((noreturn)) static void watch(const int *streams, int is_fresh) {
    give_up_capabilities();
    long program = fork_with(CLONE_VFORK);  /* returns when the program is executed or has failed */
    if (program == 0) execute(streams);
    close_all(streams, STREAMS);
    report(program < 0 ? FAILED : BEGUN, program < 0 ? -program : is_fresh);
    if (program < 0) leave(1);
    int status = status_of(program);
    if (!is_fresh) report(ENDED, status);
    leave(WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status));
}

static void start(const int *streams) {
    long watcher = fork_with(FRESH);
    if (watcher <= 0) watch(streams, watcher == 0);
    close_all(streams, STREAMS);
    report(ENDED, status_of(watcher));
}

__attribute__((used, noreturn)) static void serve(word *stack) {
    int fds[STREAMS];
    arguments = (char **)(stack + 2);  /* stack[0] is their number; they begin with this program's own name */
    environment = arguments + stack[0];
    call(SYS_close_range, STREAMS, ~0U, 0, 0, 0);
    call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    report(READY, 0);
    for (;;) {
        int count = next_message(fds);
        if (count == STREAMS) {
            start(fds);
            continue;
        }
        if (count != 1) leave(1);
        long size = call(SYS_pread64, fds[0], (word)filter, sizeof filter, 0, 0);
        program_of_filter.filter = (struct sock_filter *)filter;
        program_of_filter.len = size > 0 ? size / sizeof(struct sock_filter) : 0;  /* none is refused by the kernel */
        close_all(fds, 1);
    }
}

#if defined(__x86_64__)
__asm__(".text\n.globl _start\n_start: xor %ebp, %ebp\nmov %rsp, %rdi\nand $-16, %rsp\ncall serve");
#else
__asm__(".text\n.globl _start\n_start: mov x29, 0\nmov x0, sp\nbl serve");
#endif
