/* Closes every connection to the referee and continues to run. */
#include "player.h"

int main(void) {
    play_until_action();
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    rest();
}
