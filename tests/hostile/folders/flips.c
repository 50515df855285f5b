/* Makes `data` a file and a link to its first argument by turns, as fast as it can, until it is killed. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argc;
    printf("ready\n");
    fflush(stdout);
    for (;;) {
        FILE *file = fopen("new", "w");
        if (file)
            fclose(file);
        rename("new", "data");
        if (symlink(argv[1], "new"))
            continue;
        rename("new", "data");
    }
}
