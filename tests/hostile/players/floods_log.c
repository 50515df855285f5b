/* Fills its log at full speed all the time, and plays correctly once the first piece of the log is read. */
#include "player.h"

#include <semaphore.h>

static sem_t begun;

static void *flood(void *nothing) {
    static char much[1 << 20];
    memset(much, 'x', sizeof much);
    while (write(2, much, sizeof much) > 0)
        sem_post(&begun);
    return nothing;
}

int main(void) {
    pthread_t thread;
    sem_init(&begun, 0, 0);
    pthread_create(&thread, 0, flood, 0);
    sem_wait(&begun);
    return play();
}
