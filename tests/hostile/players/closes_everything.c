/* Closes all that connects it with the referee and goes on running. */
#include "player.h"

int main(void) {
    play_until_action();
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    rest();
}
