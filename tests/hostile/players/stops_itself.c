/* Stops itself: a thread may signal itself. */
#include "player.h"

int main(void) {
    play_until_action();
    raise(SIGSTOP);
    return play();
}
