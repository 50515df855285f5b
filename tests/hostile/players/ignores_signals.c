/* Ignores every signal that can be ignored, and the end of its input. */
#include "player.h"

int main(void) {
    for (int number = 1; number < 65; number++)
        signal(number, SIG_IGN);
    play();
    for (;;)
        sleep(1000);
}
