/* Additional processes and threads, other programs, other identities. */
#include "attack.h"
#include <linux/sched.h>
#include <pthread.h>
#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

extern char **environ;

/* Waits for a child; returns 0 if it succeeded. */
static long done(pid_t pid) {
    int status;
    if (pid < 0)
        return -1;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : no(ECHILD);
}

ATTACK(fork) {
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0)
            _exit(0);
        if (done(pid) < 0)
            return -1;
    }
    return 0;
}

ATTACK(raw_fork) {
    pid_t pid = syscall(SYS_fork);
    if (pid == 0)
        _exit(0);
    return done(pid);
}

ATTACK(vfork) {
    pid_t pid = vfork();
    if (pid == 0)
        _exit(0);
    return done(pid);
}

ATTACK(clone3) {
    struct clone_args args = {.exit_signal = SIGCHLD};
    pid_t pid = syscall(SYS_clone3, &args, sizeof args);
    if (pid == 0)
        _exit(0);
    return done(pid);
}

static int leave(void *nothing) {
    (void)nothing;
    _exit(0);
}

/* A process that shares its memory as a thread does, but has its own thread group. */
ATTACK(clone_shared_memory) {
    static char stack[65536];
    pid_t pid = clone(leave, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | SIGCHLD, 0);
    return done(pid);
}

ATTACK(clone_new_user) {
    static char stack[65536];
    pid_t pid = clone(leave, stack + sizeof stack, CLONE_NEWUSER | SIGCHLD, 0);
    return done(pid);
}

ATTACK(unshare_user) { return unshare(CLONE_NEWUSER); }

ATTACK(unshare_net) { return unshare(CLONE_NEWUSER | CLONE_NEWNET); }

ATTACK(setns) {
    int fd = open("/proc/self/ns/uts", O_RDONLY);
    return setns(fd, CLONE_NEWUTS);
}

ATTACK(posix_spawn) {
    char *argv[] = {"true", 0};
    pid_t pid;
    int failed = posix_spawn(&pid, "/usr/bin/true", 0, 0, argv, environ);
    return failed ? no(failed) : done(pid);
}

/* Starts its own program, which certainly exists. */
ATTACK(posix_spawn_itself) {
    char *argv[] = {own_program, 0};
    posix_spawn_file_actions_t actions;
    pid_t pid;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, 0);
    int failed = posix_spawn(&pid, own_program, &actions, 0, argv, environ);
    if (failed)
        return no(failed);
    waitpid(pid, 0, 0);
    return 0;
}

ATTACK(system) {
    int status = system("true");
    return status == -1 ? -1 : status ? no(ECHILD) : 0; /* 127: no process for the shell */
}

ATTACK(exec_shell) { return execl("/bin/sh", "sh", "-c", "echo hit exec_shell", (char *)0); }

ATTACK(exec_busybox) { return execl("/usr/bin/env", "env", "echo", "hit exec_busybox", (char *)0); }

/* Starts again in the same process, under the same clock and limits. */
ATTACK(exec_itself) {
    if (strstr(orders, "again"))
        return 0;
    int tube[2];
    if (pipe(tube) || write(tube[1], "exec_itself again\n", 18) != 18 || dup2(tube[0], 0) < 0)
        return -1;
    close(tube[1]);
    return execl(own_program, own_program, (char *)0);
}

ATTACK(memfd_exec) {
    char program[1 << 16], *argv[] = {"memfd", 0};
    int from = open(own_program, O_RDONLY), to = memfd_create("program", 0);
    if (from < 0 || to < 0)
        return -1;
    for (ssize_t n; (n = read(from, program, sizeof program)) > 0;)
        if (write(to, program, n) != n)
            return -1;
    int tube[2];
    if (pipe(tube) || write(tube[1], "succeed_as memfd_exec\n", 22) != 22 || dup2(tube[0], 0) < 0)
        return -1;
    return fexecve(to, argv, environ);
}

ATTACK(execveat) {
    char *argv[] = {own_program, 0};
    int fd = open(own_program, O_RDONLY), before = dup(0), tube[2];
    if (fd < 0 || pipe(tube) || write(tube[1], "succeed_as execveat\n", 20) != 20 || dup2(tube[0], 0) < 0)
        return -1;
    long refused = syscall(SYS_execveat, fd, "", argv, environ, AT_EMPTY_PATH);
    dup2(before, 0);
    return refused;
}

/* Not an attack: memfd_exec and execveat start it. */
ATTACK(succeed_as) {
    char name[64];
    sscanf(orders, "%*s %63s", name);
    report(name, 0);
    exit(0);
}

static void *rest(void *released) {
    pthread_mutex_lock(released);
    pthread_mutex_unlock(released);
    return 0;
}

ATTACK(threads) {
    enum { MANY = 200 };
    static pthread_t all[MANY];
    static pthread_mutex_t released = PTHREAD_MUTEX_INITIALIZER;
    pthread_attr_t small;
    int failed = 0, count = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 15);
    pthread_mutex_lock(&released);
    while (!failed && count < MANY)
        if (!(failed = pthread_create(&all[count], &small, rest, &released)))
            count++;
    pthread_mutex_unlock(&released);
    for (int i = 0; i < count; i++)
        pthread_join(all[i], 0);
    return failed ? no(failed) : 0;
}

/* Leaves the session and group by which a referee might find it. */
ATTACK(setsid) { return setsid(); }

ATTACK(setpgid) { return setpgid(0, getpgrp() == getpid() ? getppid() : 0); }

ATTACK(daemonise) {
    int tube[2], survived = 0;
    if (pipe(tube))
        return -1;
    pid_t pid = fork();
    if (pid < 0)
        return -1;
    if (pid == 0) {
        setsid();
        if (fork() == 0)
            _exit(write(tube[1], "here", 4) != 4);
        wait(0);
        _exit(0);
    }
    waitpid(pid, 0, 0);
    close(tube[1]);
    return read(tube[0], &survived, 4) == 4 ? 0 : no(ECHILD);
}

/* Without this signal it would survive the referee's death, but the cell's init still dies with the referee. */
ATTACK(death_signal) { return prctl(PR_SET_PDEATHSIG, 0); }

ATTACK(subreaper) { return prctl(PR_SET_CHILD_SUBREAPER, 1); }

ATTACK(other_name) { return prctl(PR_SET_NAME, "referee"); }

ATTACK(dumpable) { return prctl(PR_SET_DUMPABLE, 1); }

ATTACK(setuid) { return setuid(getuid() ? 0 : 1); }

ATTACK(setgroups) { return setgroups(0, 0); }

ATTACK(capset) {
    unsigned header[2] = {0x20080522, 0}, data[6] = {~0u, ~0u, 0, ~0u, ~0u, 0};
    return syscall(SYS_capset, header, data);
}

/* A setuid program such as /usr/bin/su becomes root when executed, unless no_new_privs is set for this process. */
ATTACK(setuid_program) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) ? no(EPERM) : 0; }

ATTACK(raise_data_limit) {
    struct rlimit limit;
    getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
    return setrlimit(RLIMIT_DATA, &limit);
}

ATTACK(raise_open_files) {
    struct rlimit limit = {4096, 4096};
    return syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, 0);
}

ATTACK(core_dumps) {
    struct rlimit limit = {0, 0};
    return syscall(SYS_prlimit64, 0, RLIMIT_CORE, &limit, 0);
}

ATTACK(nice) {
    errno = 0;
    return nice(-5) == -1 && errno ? -1 : 0;
}

ATTACK(real_time) {
    struct sched_param first = {1};
    if (sched_setscheduler(0, SCHED_FIFO, &first))
        return -1;
    return sched_getscheduler(0) == SCHED_FIFO ? 0 : no(EPERM);
}

ATTACK(affinity) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    return sched_setaffinity(0, sizeof one, &one);
}

/* SIGCONT resumes a player that is stopped between its turns. The kernel would send it at a time that the player chooses. */
ATTACK(timer_that_wakes) {
    struct sigevent wish = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
    timer_t timer;
    return timer_create(CLOCK_MONOTONIC, &wish, &timer);
}
