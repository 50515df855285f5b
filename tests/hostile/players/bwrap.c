/* Has the name of the program that isolates it. */
#include "player.h"

int main(void) {
    prctl(PR_SET_NAME, "bwrap");
    return play();
}
