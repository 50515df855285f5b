/* Plays correctly, beside players that do not. */
#include "player.h"

int main(void) { return play(); }
