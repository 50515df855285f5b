/* Hides the same memory from checks of each thread: the first thread ends, and each other one ends as soon as it has started
 * the next. Exits if nobody has stopped it at 512 MiB.
 */
#include "player.h"
#include <sys/mman.h>

enum { CHURN = 2000, MOST = 512 };

static pthread_attr_t detached;

static void *pass_on(void *count) {
    pthread_t next;
    long number = (long)count + 1;
    if (number > CHURN) {
        char *piece = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (piece == MAP_FAILED || number > CHURN + MOST)
            _exit(0);
        memset(piece, 1, 1 << 20);
        mprotect(piece, 1 << 20, PROT_READ);
    }
    while (pthread_create(&next, &detached, pass_on, (void *)number))
        ;
    return 0;
}

int main(void) {
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    play_until_action();
    pass_on(0);
    syscall(SYS_exit, 0);
}
