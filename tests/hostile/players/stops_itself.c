/* Stops itself, which a thread may. */
#include "player.h"

int main(void) {
    play_until_action();
    raise(SIGSTOP);
    return play();
}
