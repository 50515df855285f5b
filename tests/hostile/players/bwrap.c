/* Bears the name of what isolates it. */
#include "player.h"

int main(void) {
    prctl(PR_SET_NAME, "bwrap");
    return play();
}
