/* under FILTER PROGRAM ARGUMENT...: executes the program under the system call filter in the file FILTER. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct sock_filter instructions[4096];

int main(int argc, char **argv) {
    if (argc < 3) return 100;
    int file = open(argv[1], O_RDONLY | O_CLOEXEC);
    ssize_t size = read(file, instructions, sizeof instructions);
    if (size <= 0) return 101;
    struct sock_fprog program = {(unsigned short)(size / sizeof *instructions), instructions};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 102;
    execv(argv[2], argv + 2);
    perror(argv[2]);
    return 103;
}
