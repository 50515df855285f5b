/* A check of its own that fails. */
#include "player.h"

int main(void) {
    play_until_action();
    abort();
}
