/* Takes memory, and makes each piece read-only when it is full: the kernel does not count such pieces. */
#include "player.h"
#include <sys/mman.h>

int main(void) {
    play_until_action();
    for (;;) {
        char *piece = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED)
            rest();
        memset(piece, 1, 1 << 20);
        mprotect(piece, 1 << 20, PROT_READ);
    }
}
