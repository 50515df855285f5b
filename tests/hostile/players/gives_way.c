/* Gives its processor away all the time: on a busy machine it would be ready for ever and never run. */
#include "player.h"
#include <sched.h>

int main(void) {
    play_until_action();
    for (;;)
        sched_yield();
}
