/* Starts as many threads as it can, and then plays. */
#include "player.h"

static void *wait_for_ever(void *nothing) {
    rest();
    return nothing;
}

int main(void) {
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 15);
    for (int i = 0; i < 1000; i++)
        if (pthread_create(&thread, &small, wait_for_ever, 0))
            break;
    return play();
}
