/* Plays by the book, between those that do not. */
#include "player.h"

int main(void) { return play(); }
