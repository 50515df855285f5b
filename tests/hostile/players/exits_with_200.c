/* Ends with a status that would be signal 72, were there one. */
#include "player.h"

int main(void) {
    play_until_action();
    return 200;
}
