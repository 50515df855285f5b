/* Writes valid answers without end. */
#include "player.h"

int main(void) {
    static char much[1 << 20];
    for (size_t i = 0; i < sizeof much; i++)
        much[i] = i % 2 ? '\n' : 'N';
    play_until_action();
    while (write(1, much, sizeof much) > 0)
        ;
}
