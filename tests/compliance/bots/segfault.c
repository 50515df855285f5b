/* Raises SIGSEGV when its python has no body. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char line[4096];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "getName\n")) {
            printf("bot\n");
            continue;
        }
        int n = 0, heads = 0, shield = 0, length = 0;
        if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d", &n) != 1) return 0;
        for (int y = 0; y < n && fgets(line, sizeof line, stdin); y++)
            for (char *at = line; *at; at++) heads += *at == 'p';
        for (int k = 0; k < heads && fgets(line, sizeof line, stdin); k++)
            if (k == 0) sscanf(line, "%d %d", &shield, &length);
        if (length == 1) raise(SIGSEGV);
        printf("N\n");
    }
    return 0;
}
