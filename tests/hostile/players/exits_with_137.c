/* Exits with the status of a program that SIGKILL ended, as if the referee had killed it. */
#include "player.h"

int main(void) {
    play_until_action();
    return 137;
}
