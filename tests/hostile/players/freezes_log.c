/* Holds the lock of its own log while others are asked. If the log were a pipe, the referee would sleep when it drains it. */
#include "freeze.h"

static void *freeze(void *nothing) {
    for (;;)
        if (write(2, NOWHERE, 1) < 0 && write(2, ".", 1) < 0)
            break;
    return nothing;
}

int main(void) {
    keep_memory_busy();
    start(freeze);
    return play();
}
