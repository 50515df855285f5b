/* Closes its output and goes on running. */
#include "player.h"

int main(void) {
    play_until_action();
    close(1);
    rest();
}
