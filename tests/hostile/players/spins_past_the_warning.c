/* Computes for ever, and ignores the signal that says it is enough. */
#include "player.h"

int main(void) {
    signal(SIGXCPU, SIG_IGN);
    play_until_action();
    for (volatile unsigned long i = 0;; i++)
        ;
}
