/* Makes a system call by another ABI: `32` by that of 32-bit programs, `x32` by that of x32. Exits with 0. */
#include <string.h>

int main(int argc, char **argv) {
    long answer = 0;
    if (argc > 1 && !strcmp(argv[1], "32"))
        __asm__ volatile("int $0x80" : "=a"(answer) : "0"(20L) : "memory", "r8", "r9", "r10", "r11");
    else
        __asm__ volatile("syscall" : "=a"(answer) : "0"(0x40000000L + 39) : "memory", "rcx", "r11");
    return 0;
}
