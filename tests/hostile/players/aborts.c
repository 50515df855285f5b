/* One of its own checks fails. */
#include "player.h"

int main(void) {
    play_until_action();
    abort();
}
