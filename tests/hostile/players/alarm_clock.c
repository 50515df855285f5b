/* Sets a timer that ends it. */
#include "player.h"

int main(void) {
    play_until_action();
    ualarm(1000, 0);
    rest();
}
