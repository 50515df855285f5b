/* Leaves its input in the pipe. */
#include "player.h"

int main(void) {
    play_until_action();
    say_to(1, "N\n");
    rest();
}
