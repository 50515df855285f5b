/* Other processes: a victim that the test started, the cell's init, the referee. */
#include "attack.h"
#include <asm/sockios.h>
#include <linux/ioprio.h>
#include <linux/kcmp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#define VICTIM number("victim")

ATTACK(kill) { return kill(VICTIM, SIGUSR1); }

ATTACK(kill_everybody) { return kill(-1, 0); }

ATTACK(kill_parent) { return kill(getppid(), 0); }

ATTACK(kill_group) { return kill(0, 0); }

ATTACK(tgkill) { return syscall(SYS_tgkill, VICTIM, VICTIM, SIGUSR1); }

ATTACK(tkill) { return syscall(SYS_tkill, VICTIM, SIGUSR1); }

ATTACK(sigqueue) { return sigqueue(VICTIM, SIGUSR1, (union sigval){0}); }

ATTACK(stop) { return kill(VICTIM, SIGSTOP); }

ATTACK(pidfd_signal) {
    int fd = syscall(SYS_pidfd_open, VICTIM, 0);
    return fd < 0 ? -1 : syscall(SYS_pidfd_send_signal, fd, SIGUSR1, 0, 0);
}

ATTACK(pidfd_take_descriptor) {
    int fd = syscall(SYS_pidfd_open, VICTIM, 0);
    return fd < 0 ? -1 : syscall(SYS_pidfd_getfd, fd, 1, 0);
}

/* Has the kernel send a signal to another process when there is something to read: immediately, in its own socket pair. */
static long signal_by_pair(int (*own)(int)) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || own(pair[0]) || fcntl(pair[0], F_SETFL, O_ASYNC))
        return -1;
    return write(pair[1], "x", 1);
}

static int own_by_number(int fd) { return fcntl(fd, F_SETOWN, VICTIM); }

static int own_by_kind(int fd) {
    struct f_owner_ex owner = {F_OWNER_PID, VICTIM};
    return fcntl(fd, F_SETOWN_EX, &owner);
}

static int own_by_ioctl(int fd) {
    int victim = VICTIM;
    return ioctl(fd, FIOSETOWN, &victim);
}

ATTACK(sigio) { return signal_by_pair(own_by_number); }

ATTACK(sigio_extended) { return signal_by_pair(own_by_kind); }

ATTACK(sigio_ioctl) { return signal_by_pair(own_by_ioctl); }

ATTACK(sigio_chosen) { return fcntl(0, F_SETSIG, SIGKILL); }

ATTACK(timer) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1};
    timer_t timer;
    event._sigev_un._tid = VICTIM;
    return timer_create(CLOCK_MONOTONIC, &event, &timer);
}

ATTACK(ptrace) {
    if (ptrace(PTRACE_SEIZE, VICTIM, 0, 0))
        return -1;
    return 0; /* it is released when this process ends */
}

ATTACK(ptrace_parent) { return ptrace(PTRACE_SEIZE, getppid(), 0, 0); }

ATTACK(ptrace_me) { return ptrace(PTRACE_TRACEME, 0, 0, 0); }

ATTACK(tracer_wanted) { return prctl(0x59616d61 /* PR_SET_PTRACER */, -1, 0, 0, 0); }

static struct iovec at(void *place) { return (struct iovec){place, 6}; }

ATTACK(read_memory) {
    char mine[6];
    struct iovec here = at(mine), there = at((void *)strtoul(target("address"), 0, 16));
    return process_vm_readv(VICTIM, &here, 1, &there, 1, 0) == 6 && !memcmp(mine, "secret", 6) ? 0 : -1;
}

ATTACK(write_memory) {
    struct iovec here = at("hacked"), there = at((void *)strtoul(target("address"), 0, 16));
    return process_vm_writev(VICTIM, &here, 1, &there, 1, 0);
}

ATTACK(advise_memory) {
    int fd = syscall(SYS_pidfd_open, VICTIM, 0);
    struct iovec there = {(void *)(strtoul(target("address"), 0, 16) & ~4095ul), 4096};
    return fd < 0 ? -1 : syscall(SYS_process_madvise, fd, &there, 1, 20 /* MADV_COLD */, 0);
}

ATTACK(move_pages) { return syscall(SYS_move_pages, VICTIM, 0, 0, 0, 0, 0); }

ATTACK(robust_list) {
    void *head;
    size_t size;
    return syscall(SYS_get_robust_list, VICTIM, &head, &size);
}

ATTACK(compare) { return syscall(SYS_kcmp, getpid(), VICTIM, KCMP_VM, 0, 0); }

ATTACK(limit_victim) {
    struct rlimit limit = {3, 3};
    return prlimit(VICTIM, RLIMIT_NOFILE, &limit, 0);
}

ATTACK(limits_of_victim) {
    struct rlimit limit;
    return prlimit(VICTIM, RLIMIT_NOFILE, 0, &limit);
}

ATTACK(renice_victim) { return setpriority(PRIO_PROCESS, VICTIM, 19); }

ATTACK(idle_victim) {
    struct sched_param none = {0};
    if (sched_setscheduler(VICTIM, SCHED_IDLE, &none))
        return -1;
    int now = sched_getscheduler(VICTIM);
    return now == -1 ? -1 : now == SCHED_IDLE ? 0 : no(EPERM);
}

ATTACK(pin_victim) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    return sched_setaffinity(VICTIM, sizeof one, &one);
}

ATTACK(slow_disk_for_victim) {
    return syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, VICTIM, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 7));
}

ATTACK(clock_of_victim) {
    struct timespec used;
    return clock_gettime((~(clockid_t)VICTIM << 3) | 2, &used);
}

ATTACK(session_of_victim) { return getsid(VICTIM); }

ATTACK(scheduler_of_victim) { return sched_getscheduler(VICTIM); }

ATTACK(parent_number) { return getppid() > 1 ? 0 : no(ESRCH); }
