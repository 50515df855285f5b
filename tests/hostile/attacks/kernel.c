/* Rarely used system calls that a game does not need. The arguments are harmless and mostly wrong. */
#include "attack.h"
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/reboot.h>
#include <sys/sem.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>

/* An error about the arguments also shows that the call reached the kernel. */
static long reached(long result) {
    return result == -1 && (errno == EINVAL || errno == EFAULT || errno == EBADF || errno == E2BIG || errno == ENOENT)
               ? 0
               : result;
}

ATTACK(io_uring) {
    struct io_uring_params params = {0};
    return syscall(SYS_io_uring_setup, 4, &params);
}

ATTACK(keyring) { return syscall(SYS_add_key, "user", "hostile", "x", 1, KEY_SPEC_PROCESS_KEYRING); }

ATTACK(keyctl) { return syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1); }

/* A key in the session keyring, which every process of the session inherits. */
ATTACK(request_key) { return syscall(SYS_request_key, "user", target("key"), 0, 0); }

ATTACK(read_key) {
    char content[64];
    long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", target("key"), 0);
    return key < 0 ? -1 : syscall(SYS_keyctl, KEYCTL_READ, key, content, sizeof content);
}

ATTACK(leave_key) { return syscall(SYS_add_key, "user", "hostile-was-here", "x", 1, KEY_SPEC_SESSION_KEYRING); }

ATTACK(personality) { return personality(ADDR_NO_RANDOMIZE); }

ATTACK(inotify) { return syscall(SYS_inotify_init1, 0); }

ATTACK(fanotify) { return syscall(SYS_fanotify_init, 0, O_RDONLY); }

ATTACK(userfaultfd) { return syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* user mode only */); }

ATTACK(perf) {
    struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attr, .config = PERF_COUNT_SW_TASK_CLOCK};
    attr.exclude_kernel = 1;
    return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

ATTACK(bpf) {
    union bpf_attr attr = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof attr);
}

ATTACK(reboot) { return reached(syscall(SYS_reboot, 0, 0, 0, 0)); }

ATTACK(set_clock) { return reached(syscall(SYS_clock_settime, CLOCK_REALTIME, 0)); }

ATTACK(set_time_of_day) { return reached(syscall(SYS_settimeofday, 0, 1)); }

ATTACK(adjust_clock) {
    struct timex now = {.modes = 0};
    return adjtimex(&now);
}

ATTACK(set_host_name) { return reached(syscall(SYS_sethostname, 0, -1)); }

ATTACK(load_module) { return reached(syscall(SYS_finit_module, -1, "", 0)); }

ATTACK(kexec) { return reached(syscall(SYS_kexec_load, 0, 99, 0, 0)); }

ATTACK(swap) { return reached(syscall(SYS_swapon, "/nowhere-at-all", 0)); }

ATTACK(accounting) { return reached(syscall(SYS_acct, "/nowhere-at-all")); }

ATTACK(ports) { return reached(syscall(SYS_ioperm, 0, 1, 0)); }

ATTACK(local_descriptors) { return reached(syscall(SYS_modify_ldt, 0, 0, 0)); }

ATTACK(kernel_log) { return reached(syscall(SYS_syslog, 10, 0, 0)); }

ATTACK(landlock) { return syscall(SYS_landlock_create_ruleset, 0, 0, 1); }

ATTACK(own_filter) { return reached(syscall(SYS_seccomp, 1, 0, 0)); }

ATTACK(splice) { return reached(syscall(SYS_splice, -1, 0, -1, 0, 0, 0)); }

ATTACK(vmsplice) { return reached(syscall(SYS_vmsplice, -1, 0, 0, 0)); }

ATTACK(copy_file_range) { return reached(syscall(SYS_copy_file_range, -1, 0, -1, 0, 1, 0)); }

ATTACK(quota) { return reached(syscall(SYS_quotactl, -1, 0, 0, 0)); }

ATTACK(sync_everything) { return reached(syscall(SYS_syncfs, -1)); }

ATTACK(semaphores) {
    int id = semget(IPC_PRIVATE, 1, 0600);
    return id < 0 ? -1 : semctl(id, 0, IPC_RMID);
}

ATTACK(numa_policy) { return reached(syscall(SYS_set_mempolicy, 99, 0, 0)); }

ATTACK(hang_up) { return syscall(SYS_vhangup); }

ATTACK(add_entropy) {
    int amount = 0, fd = open("/dev/urandom", O_RDWR);
    return ioctl(fd, 0x40045201 /* RNDADDTOENTCNT */, &amount);
}

/* Numbers that mean other calls in other ABIs: they deceive a filter that checks only the number. */
ATTACK(x32) { return syscall(0x40000000 | SYS_getpid); }

#if defined(__x86_64__)
ATTACK(int80) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20 /* getpid of i386 */) : "memory");
    return result < 0 ? no(-result) : result;
}

ATTACK(int80_socket) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(359), "b"(2), "c"(1), "d"(0) : "memory");
    return result < 0 ? no(-result) : result;
}
#endif

/* The kernel uses only the lower half of the number: the upper half must not deceive the filter. */
ATTACK(wide_number) { return syscall(0x100000000l | SYS_unshare, 0); }

ATTACK(wide_flags) { return syscall(SYS_unshare, 0x8000000000000000ul); }

ATTACK(future_call) { return reached(syscall(600)); }
