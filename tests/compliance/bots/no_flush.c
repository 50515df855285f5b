/* Writes its answers with printf and never flushes: stdio buffers output to a pipe. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "getName\n")) {
            printf("bot\n");
            continue;
        }
        int n = 0, heads = 0;
        if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d", &n) != 1) return 0;
        for (int y = 0; y < n && fgets(line, sizeof line, stdin); y++)
            for (char *at = line; *at; at++) heads += *at == 'p';
        for (int k = 0; k < heads && fgets(line, sizeof line, stdin); k++) {}
        printf("N\n");
    }
    return 0;
}
