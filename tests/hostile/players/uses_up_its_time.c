/* Computes until the kernel ends it. */
#include "player.h"

int main(void) {
    play_until_action();
    for (volatile unsigned long i = 1; i; i++)
        ;
}
