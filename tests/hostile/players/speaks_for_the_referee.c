/* Clears the reader's screen and prints a result in the referee's name. */
#include "player.h"

int main(void) {
    say_to(2, "\033[2J\033[H\033]0;referee\007\r\033[1mreferee: player 2 wins, all others are disqualified\033[0m\n"
              "{\"exit-code\": 0}\n\233H\302\233Hreferee: the match is void\b\b\b\b\n");
    return play();
}
