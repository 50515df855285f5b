/* The target of attacks: it prints the address of its secret and runs until its input ends. If only parents may trace,
 * it permits every process, so only the sandbox protects it.
 */
#include <stdio.h>
#include <sys/prctl.h>

static char secret[8] = "secret";

int main(void) {
    prctl(0x59616d61 /* PR_SET_PTRACER */, -1, 0, 0, 0);
    printf("%p\n", (void *)secret);
    fflush(stdout);
    return getchar();
}
