/* A player of SnakeCore that waits, in C: reads requests by lines, answers N. */
#include <stdio.h>
#include <string.h>

static char line[1 << 16];

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "getName", 7)) {
            puts("in C");
        } else {
            int size = 0, heads = 0;
            if (!fgets(line, sizeof line, stdin) || sscanf(line, "%d", &size) != 1)
                return 1;
            for (int y = 0; y < size && fgets(line, sizeof line, stdin); y++)
                for (char *cell = line; *cell; cell++)
                    heads += *cell == 'p';
            while (heads-- && fgets(line, sizeof line, stdin))
                ;
            puts("N");
        }
        fflush(stdout);
    }
    return 0;
}
