/* Has itself ended by a timer. */
#include "player.h"

int main(void) {
    play_until_action();
    ualarm(1000, 0);
    rest();
}
