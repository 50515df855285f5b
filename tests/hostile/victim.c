/* What attacks are aimed at: it tells where its secret lies in memory, and lives until it is ended. Where only parents may
 * trace, it lets everybody, so that what keeps an attack from it is the sandbox.
 */
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

static char secret[8] = "secret";

int main(void) {
    prctl(0x59616d61 /* PR_SET_PTRACER */, -1, 0, 0, 0);
    printf("%p\n", (void *)secret);
    fflush(stdout);
    for (;;)
        pause();
}
