/* Touches what is not there. */
#include "player.h"

int main(void) {
    play_until_action();
    *(volatile char *)8 = 1;
}
