/* Takes memory until there is none, and does not look. */
#include "player.h"

int main(void) {
    play_until_action();
    for (;;)
        memset(malloc(1 << 20), 1, 1 << 20);
}
