/* Fills its log at full speed instead of answering. */
#include "player.h"

int main(void) {
    static char much[1 << 20];
    play_until_action();
    while (write(2, much, sizeof much) > 0)
        ;
}
