/* A minimal chess engine: it moves its knights out and back in any position. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    static char line[1 << 16];
    unsigned plies = 0;
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "uci\n", 4) || !strncmp(line, "uci\r", 4)) {
            puts("id name knight\nuciok");
        } else if (!strncmp(line, "isready", 7)) {
            puts("readyok");
        } else if (!strncmp(line, "position", 8)) {
            const char *at = strstr(line, " moves ");
            plies = 0;
            for (at = at ? at + 7 : ""; *at > ' '; plies++) {
                at += strcspn(at, " \r\n");
                at += *at == ' ';
            }
        } else if (!strncmp(line, "go", 2)) {
            printf("bestmove %s\n", moves[plies % 4]);
        } else if (!strncmp(line, "quit", 4)) {
            return 0;
        }
        fflush(stdout);
    }
    return 0;
}
