/* Computes forever. */
#include "player.h"

int main(void) {
    play_until_action();
    for (volatile unsigned long i = 1; i; i++)
        ;
}
