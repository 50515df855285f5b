/* Computes forever, and ignores the warning signal (SIGXCPU). */
#include "player.h"

int main(void) {
    signal(SIGXCPU, SIG_IGN);
    play_until_action();
    for (volatile unsigned long i = 1; i; i++)
        ;
}
