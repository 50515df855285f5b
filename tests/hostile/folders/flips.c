/* Makes `data` a file and a link to its first argument in turn, as fast as it can, until it is killed. */
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
    (void)argc;
    for (long turns = 0;; turns++) {
        FILE *file = fopen("new", "w");
        if (file)
            fclose(file);
        rename("new", "data");
        if (turns == 0) {
            printf("ready\n");
            fflush(stdout);
        }
        if (!symlink(argv[1], "new"))
            rename("new", "data");
    }
}
