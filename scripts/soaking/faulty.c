/* A player for scripts/soak that answers with its name, then misbehaves: `faulty MANNER`. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char request[4096];
    const char *manner = argc > 1 ? argv[1] : "";
    if (read(0, request, sizeof request) <= 0 || write(1, "faulty\n", 7) != 7)
        return 1;
    if (!strcmp(manner, "leaves"))
        return 0;
    if (!strcmp(manner, "deaf"))
        close(1);
    if (!strcmp(manner, "shouts"))
        for (int n = 0; n < 200; n++)
            if (write(2, request, sizeof request) < 0)
                return 1;
    if (read(0, request, sizeof request) <= 0)
        return 1;
    if (!strcmp(manner, "crashes"))
        abort();
    if (!strcmp(manner, "greedy"))
        for (int n = 0; n < 256; n++) {
            char *more = malloc(1 << 20);
            if (more)
                memset(more, 1, 1 << 20);
        }
    if (!strcmp(manner, "silent") || !strcmp(manner, "deaf"))
        pause();
    return 1;
}
