/* Takes memory until there is none, without a check. The pieces are large: the part of the limit that stays free is larger than
 * the memory that it shares with other processes. So the limit itself always ends it, however busy the machine is.
 */
#include "player.h"

enum { PIECE = 4 << 20 };

int main(void) {
    play_until_action();
    for (;;)
        memset(malloc(PIECE), 1, PIECE);
}
