/* Exits with a status that would mean signal 72, which does not exist. */
#include "player.h"

int main(void) {
    play_until_action();
    return 200;
}
