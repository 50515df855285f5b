/* Calls the kernel as a 32-bit program does. */
#include "player.h"

int main(void) {
    play_until_action();
    __asm__ volatile("int $0x80" : : "a"(20) : "memory");
    return play();
}
