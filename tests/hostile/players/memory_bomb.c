/* Takes memory until there is none, and does not look. In large pieces, so that what it shares with others does not count as much
 * as what is left of its limit: then the limit itself is what ends it, however long the machine lets it stand there.
 */
#include "player.h"

enum { PIECE = 4 << 20 };

int main(void) {
    play_until_action();
    for (;;)
        memset(malloc(PIECE), 1, PIECE);
}
