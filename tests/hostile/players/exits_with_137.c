/* Ends with the status of whom SIGKILL has ended: as if the referee had been unfair. */
#include "player.h"

int main(void) {
    play_until_action();
    return 137;
}
