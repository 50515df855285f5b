/* Closes its standard output and answers through a copy of it. */
#include "player.h"

int main(void) {
    dup2(1, 100);
    close(1);
    for (enum request request; (request = next_request()) != END;)
        say_to(100, request == NAME ? "bot\n" : "N\n");
    return 0;
}
