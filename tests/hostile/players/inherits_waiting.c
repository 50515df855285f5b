/* Seems to have been kept waiting: a thread that its siblings kept off the processors executes the program again while an
 * answer is due. The first thread then has the history of that thread, and the new program only sleeps.
 */
#include "player.h"

enum { SIBLINGS = 6 }; /* with the heir and their stacks of 8 MiB, they fit into 64 MiB */

static volatile int enough, due;
static char *self;

static void *burn(void *unused) {
    (void)unused;
    while (!enough)
        ;
    return 0;
}

static void *take_over(void *unused) {
    char *arguments[] = {self, "again", 0};
    burn(unused);
    while (!due)
        usleep(1000);
    usleep(100000); /* until the referee has begun to watch */
    execv(self, arguments);
    return 0;
}

int main(int argc, char **argv) {
    pthread_t siblings[SIBLINGS], heir;
    self = argv[0];
    if (argc > 1)
        rest();
    pthread_create(&heir, 0, take_over, 0);
    for (int i = 0; i < SIBLINGS; i++)
        if (pthread_create(&siblings[i], 0, burn, 0))
            _exit(9);
    usleep(1000000);
    enough = 1;
    for (int i = 0; i < SIBLINGS; i++)
        pthread_join(siblings[i], 0);
    play_until_action();
    due = 1;
    rest();
}
