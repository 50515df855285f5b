/* Writes a byte now and then, so there is always new output. */
#include "player.h"

int main(void) {
    play_until_action();
    for (;;) {
        say_to(1, "N");
        usleep(20000);
    }
}
