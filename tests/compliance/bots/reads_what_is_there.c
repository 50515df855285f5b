/* Takes what has arrived for a whole request. */
#include <string.h>
#include <unistd.h>

int main(void) {
    char data[65536];
    while (read(0, data, sizeof data) > 0) {
        if (memcmp(data, "getName", 7) == 0) {
            write(1, "bot\n", 4);
        } else {
            write(1, "N\n", 2);
        }
    }
}
