/* Computes with many threads while the others are asked, and still answers. */
#include "player.h"

static void *compute(void *nothing) {
    for (volatile unsigned long i = 1; i; i++)
        ;
    return nothing;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 8; i++)
        pthread_create(&thread, 0, compute, 0);
    return play();
}
