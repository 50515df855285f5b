/* A player that knows its requests in advance: `scripted SCRIPT`.

   For each request, the script has the lengths of the request and of the answer (32-bit numbers in native byte order) and the
   bytes of the answer. An answer of CLOCK bytes is the value of CLOCK_MONOTONIC in nanoseconds.

   It looks at every byte once, as even the simplest real bot must, to find the line ends. It reads no byte too many and exits
   with status 0 only between two requests, so a script that does not match the requests is detected. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CLOCK UINT32_MAX

static char buffer[1 << 16];
static size_t lines, heads;

/* Reads a request and looks at its bytes; returns how many arrived. */
static size_t request(size_t length)
{
    size_t have = 0;
    while (have < length) {
        size_t room = length - have < sizeof buffer ? length - have : sizeof buffer;
        ssize_t got = read(0, buffer, room);
        if (got <= 0)
            break;
        for (ssize_t i = 0; i < got; i++) {
            lines += buffer[i] == '\n';
            heads += buffer[i] == 'p';
        }
        have += (size_t)got;
    }
    return have;
}

int main(int argc, char **argv)
{
    struct stat about;
    int file = argc > 1 ? open(argv[1], O_RDONLY) : -1;
    if (file < 0 || fstat(file, &about))
        return 2;
    size_t size = (size_t)about.st_size;
    char *script = malloc(size + 1);
    if (!script || read(file, script, size) != about.st_size)
        return 2;
    close(file);
    for (size_t at = 0; at + 8 <= size;) {
        uint32_t length, count;
        memcpy(&length, script + at, 4);
        memcpy(&count, script + at + 4, 4);
        at += 8;
        size_t got = request(length);
        if (got < length)
            return got != 0;
        if (count == CLOCK) {
            struct timespec now;
            clock_gettime(CLOCK_MONOTONIC, &now);
            int told = snprintf(buffer, sizeof buffer, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
            if (write(1, buffer, (size_t)told) != told)
                return 1;
        } else {
            if (write(1, script + at, count) != (ssize_t)count)
                return 1;
            at += count;
        }
    }
    return read(0, buffer, 1) != 0 || lines + heads == (size_t)-1; /* never true, but the compiler has to count */
}
