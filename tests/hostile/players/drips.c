/* A byte now and then, so that there always is something new. */
#include "player.h"

int main(void) {
    play_until_action();
    for (;;) {
        say_to(1, "N");
        usleep(20000);
    }
}
