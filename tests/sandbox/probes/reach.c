/* Makes the attempts that stdin lists, one on each line, and writes a line for each: the errno, or 0 if it worked.

   read PATH, write PATH, list PATH, make PATH, stat PATH, exec PATH (answers only when refused), signal PID, thread PID
   (tgkill), tcp PORT, abstract NAME, descriptor N. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static int tried(const char *what, const char *with) {
    struct stat found;
    if (!strcmp(what, "read")) {
        char byte;
        int fd = open(with, O_RDONLY);
        return fd < 0 ? -1 : read(fd, &byte, 1) < 0 ? -1 : 0;
    }
    if (!strcmp(what, "write")) {
        int fd = open(with, O_WRONLY);
        return fd < 0 ? -1 : write(fd, "x", 1) < 0 ? -1 : 0;
    }
    if (!strcmp(what, "list")) return opendir(with) ? 0 : -1;
    if (!strcmp(what, "make")) return open(with, O_WRONLY | O_CREAT | O_EXCL, 0600) < 0 ? -1 : 0;
    if (!strcmp(what, "stat")) return stat(with, &found);
    if (!strcmp(what, "exec")) return execl(with, with, (char *)NULL);
    if (!strcmp(what, "signal")) return kill(atoi(with), 0);
    if (!strcmp(what, "thread")) return (int)syscall(SYS_tgkill, atol(with), atol(with), 0);
    if (!strcmp(what, "own")) return (int)syscall(SYS_tgkill, getpid(), gettid(), 0);
    if (!strcmp(what, "descriptor")) return fcntl(atoi(with), F_GETFD) < 0 ? -1 : 0;
    if (!strcmp(what, "tcp")) {
        struct sockaddr_in to = {AF_INET, htons((unsigned short)atoi(with)), {htonl(INADDR_LOOPBACK)}, {0}};
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&to, sizeof to);
    }
    if (!strcmp(what, "abstract")) {
        struct sockaddr_un to = {.sun_family = AF_UNIX};
        strncpy(to.sun_path + 1, with, sizeof to.sun_path - 2);
        int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(with));
        return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&to, size);
    }
    errno = EDOM;
    return -1;
}

int main(void) {
    char what[64], with[1024];
    while (scanf("%63s %1023s", what, with) == 2) {
        int answer = tried(what, with);
        printf("%d\n", answer < 0 ? errno : 0);
        fflush(stdout);
    }
    return 0;
}
