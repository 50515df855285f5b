/* Writes to memory that does not exist. */
#include "player.h"

int main(void) {
    play_until_action();
    *(volatile char *)8 = 1;
}
