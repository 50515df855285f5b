/* Yields its processor all the time: on a busy machine it would always be ready and never run. */
#include "player.h"
#include <sched.h>

int main(void) {
    play_until_action();
    for (;;)
        sched_yield();
}
