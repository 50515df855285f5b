/* Holds the lock of its own output when it should answer, so the referee sleeps whenever it looks for the answer. */
#include "freeze.h"

int main(void) {
    play_until_action();
    keep_memory_busy();
    while (write(1, NOWHERE, 1) < 0)
        ;
}
