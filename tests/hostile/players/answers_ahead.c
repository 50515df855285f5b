/* Writes all answers at once, before the requests. */
#include "player.h"

int main(void) {
    next_request();
    say_to(1, "bot\nN\nN\nN\n");
    return play();
}
