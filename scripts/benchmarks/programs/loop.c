/* The lower limit, a referee that only writes and reads: `loop MESSAGES PROGRAM [ARGUMENT ...] -- SCRIPT ...`.

   Starts PROGRAM once for each SCRIPT, with the arguments and the script, sends the messages, and reads one answer to each.
   A message is its seat and its length (32-bit numbers in native byte order) and its bytes. The pipes are blocking; there are no
   deadlines, no rules and no record. The first messages, one for each seat, only warm up: an answer shows that the program
   runs. Prints the total time of all other messages in nanoseconds. */
#define _GNU_SOURCE /* for pipe2 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SEATS 64

static int to[SEATS], from[SEATS];
static pid_t player[SEATS];

static void give_up(const char *what)
{
    perror(what);
    exit(2);
}

static void start(int seat, char **argv)
{
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
        give_up("pipe");
    player[seat] = fork();
    if (player[seat] == 0) {
        setsid(); /* as the referee starts its players */
        dup2(in[0], 0);
        dup2(out[1], 1);
        execv(argv[0], argv);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    to[seat] = in[1];
    from[seat] = out[0];
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static size_t exchange(const char *message)
{
    static char answer[1 << 16];
    uint32_t seat, length;
    memcpy(&seat, message, 4);
    memcpy(&length, message + 4, 4);
    for (uint32_t sent = 0; sent < length;) {
        ssize_t part = write(to[seat], message + 8 + sent, length - sent);
        if (part <= 0)
            give_up("write");
        sent += (uint32_t)part;
    }
    if (read(from[seat], answer, sizeof answer) <= 0)
        give_up("read");
    return 8 + length;
}

int main(int argc, char **argv)
{
    int dashes = 2, seats;
    while (dashes < argc && strcmp(argv[dashes], "--"))
        dashes++;
    seats = argc - dashes - 1;
    if (argc < 3 || seats < 1 || seats > SEATS)
        return 2;
    struct stat about;
    int file = open(argv[1], O_RDONLY);
    if (file < 0 || fstat(file, &about))
        give_up(argv[1]);
    char *messages = malloc((size_t)about.st_size);
    for (off_t have = 0; have < about.st_size;) {
        ssize_t part = read(file, messages + have, (size_t)(about.st_size - have));
        if (part <= 0)
            give_up(argv[1]);
        have += part;
    }
    for (int seat = 0; seat < seats; seat++) {
        argv[dashes] = argv[dashes + 1 + seat];
        char *after = dashes + 1 < argc ? argv[dashes + 1] : NULL;
        argv[dashes + 1] = NULL;
        start(seat, argv + 2);
        argv[dashes + 1] = after;
    }
    const char *at = messages, *end = messages + about.st_size;
    for (int seat = 0; seat < seats; seat++)
        at += exchange(at);
    long long began = now();
    while (at < end)
        at += exchange(at);
    long long took = now() - began;
    for (int seat = 0; seat < seats; seat++)
        close(to[seat]);
    for (int seat = 0; seat < seats; seat++) {
        int status;
        if (waitpid(player[seat], &status, 0) < 0 || status)
            return 3;
    }
    printf("%lld\n", took);
    return 0;
}
