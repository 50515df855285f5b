/* Computes in every thread that it gets while others are asked, to take the processors from them and from the referee. */
#include "player.h"

static void *compute(void *nothing) {
    for (volatile unsigned long i = 1; i; i++)
        ;
    return nothing;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 60; i++)
        pthread_create(&thread, 0, compute, 0);
    return play();
}
