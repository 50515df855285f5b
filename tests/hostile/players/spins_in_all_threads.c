/* Computes in every thread that it gets, so the machine seems to be to blame. */
#include "player.h"

static void *spin(void *nothing) {
    for (volatile unsigned long i = 1; i; i++)
        ;
    return nothing;
}

int main(void) {
    pthread_t thread;
    play_until_action();
    for (int i = 0; i < 60; i++)
        pthread_create(&thread, 0, spin, 0);
    spin(0);
}
