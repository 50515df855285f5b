/* Forks wherever it can before each answer; its children too. */
#include "player.h"

int main(void) {
    for (enum request request; (request = next_request()) != END;) {
        for (int i = 0; i < 3; i++)
            fork();
        answer(request);
    }
    return 0;
}
