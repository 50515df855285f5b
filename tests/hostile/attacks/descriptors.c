/* Descriptors that the referee may have left open, and abuse of the three pipes. */
#include "attack.h"
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

/* Descriptors beyond the three: the referee's files, bubblewrap's pipes. */
ATTACK(inherited) {
    for (int fd = 3; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return fd;
    return no(EBADF);
}

/* Writes a status to the referee as bubblewrap does. */
ATTACK(false_status) {
    const char words[] = "{\"exit-code\": 0}\n";
    for (int fd = 3; fd < 1024; fd++)
        if (write(fd, words, sizeof words - 1) > 0)
            return fd;
    return no(EBADF);
}

/* Writes to its own input, as only the referee should. */
ATTACK(write_stdin) { return write(0, "getAction\n", 10); }

ATTACK(read_stdout) {
    char byte;
    return read(1, &byte, 1);
}

ATTACK(type_into_terminal) {
    char letter = 'x';
    return ioctl(0, TIOCSTI, &letter);
}

ATTACK(terminal_of_stderr) { return isatty(2) ? 0 : -1; }

ATTACK(resize_stdin) { return fcntl(0, F_SETPIPE_SZ, 1 << 20); }

ATTACK(notification_pipe) {
    int tube[2];
    return syscall(SYS_pipe2, tube, O_EXCL /* O_NOTIFICATION_PIPE */);
}

ATTACK(many_descriptors) {
    for (int i = 0; i < 300; i++)
        if (dup(0) < 0)
            return -1;
    return 0;
}

/* More descriptors than allowed, kept in flight. The kernel may count them or not: it limits them for the whole user. */
ATTACK(descriptors_in_flight) {
    int pair[2], one[1] = {0};
    char space[CMSG_SPACE(sizeof one)] = {0}, byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof one)};
    memcpy(CMSG_DATA(head), one, sizeof one);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return -1;
    for (int i = 0; i < 200; i++)
        if (sendmsg(pair[0], &message, MSG_DONTWAIT) < 0)
            return -1;
    return 0;
}

/* Blocked or ignored signals that the bot inherits from the referee. */
ATTACK(inherited_signals) {
    sigset_t blocked;
    struct sigaction how;
    sigprocmask(SIG_BLOCK, 0, &blocked);
    for (int number = 1; number < 65; number++) {
        if (sigismember(&blocked, number) == 1)
            return number;
        if (!sigaction(number, 0, &how) && how.sa_handler == SIG_IGN)
            return number;
    }
    return no(ENODATA);
}

ATTACK(environment) {
    extern char **environ;
    for (char **entry = environ; *entry; entry++)
        if (strstr(*entry, "SECRET"))
            return 0;
    return no(ENODATA);
}

ATTACK(host_name) {
    char name[256];
    gethostname(name, sizeof name);
    return strcmp(name, target("host")) ? no(ENODATA) : 0;
}

ATTACK(user_number) { return getuid() == (uid_t)number("uid") ? 0 : no(ENODATA); }
