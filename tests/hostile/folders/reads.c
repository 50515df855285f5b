/* Prints the contents of the file that its argument names, or of `data`. */
#include <stdio.h>

int main(int argc, char **argv) {
    char text[256];
    FILE *file = fopen(argc > 1 ? argv[1] : "data", "r");
    if (!file) {
        perror("data");
        return 1;
    }
    while (fgets(text, sizeof text, file))
        fputs(text, stdout);
    return 0;
}
