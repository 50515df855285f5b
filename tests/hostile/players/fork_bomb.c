/* Forks before each answer; its children do the same. */
#include "player.h"

int main(void) {
    for (enum request request; (request = next_request()) != END;) {
        for (int i = 0; i < 3; i++)
            fork();
        answer(request);
    }
    return 0;
}
