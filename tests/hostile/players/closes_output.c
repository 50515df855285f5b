/* Closes its output and continues to run. */
#include "player.h"

int main(void) {
    play_until_action();
    close(1);
    rest();
}
