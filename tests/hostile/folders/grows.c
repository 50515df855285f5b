/* Writes to `data` until it is killed. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    static char much[1 << 16];
    FILE *file = fopen("data", "w");
    printf("ready\n");
    fflush(stdout);
    memset(much, 'x', sizeof much);
    for (;;) {
        if (ftell(file) > 64 << 20)
            rewind(file);
        fwrite(much, 1, sizeof much, file);
    }
}
