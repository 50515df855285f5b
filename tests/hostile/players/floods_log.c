/* Fills its log at full speed all the time, while it plays by the book. */
#include "player.h"

static void *flood(void *nothing) {
    static char much[1 << 20];
    memset(much, 'x', sizeof much);
    while (write(2, much, sizeof much) > 0)
        ;
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, flood, 0);
    return play();
}
