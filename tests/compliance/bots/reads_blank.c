/* The format of its scanf ends with a line feed, which makes scanf wait for the next character that is not blank. */
#include <stdio.h>
#include <string.h>

int main(void) {
    char word[64];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (scanf("%63s\n", word) == 1)
        if (!strcmp(word, "getName")) printf("bot\n");
    return 0;
}
