/* Code that the players share: requests as in protocol.md. They read byte by byte, so nothing is lost when one executes
 * itself, and write whole answers.
 */
#ifndef PLAYER_H
#define PLAYER_H

#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static char line[1 << 16];

/* Reads the next line without its end; returns whether there was one. */
static int read_line(void) {
    size_t size = 0;
    while (size < sizeof line - 1 && read(0, line + size, 1) == 1)
        if (line[size++] == '\n') {
            line[size - 1] = 0;
            return 1;
        }
    return 0;
}

enum request { END, NAME, ACTION };

/* Reads the next request to its end. */
static enum request next_request(void) {
    int pythons = 0;
    if (!read_line())
        return END;
    if (!strcmp(line, "getName"))
        return NAME;
    read_line();
    for (int rows = atoi(line); rows > 0 && read_line(); rows--)
        for (char *cell = line; *cell; cell++)
            pythons += *cell == 'p';
    while (pythons-- > 0)
        read_line();
    return ACTION;
}

static void say_to(int fd, const char *words) {
    if (write(fd, words, strlen(words)) < 0)
        _exit(9);
}

__attribute__((unused)) static void answer(enum request request) { say_to(1, request == NAME ? "bot\n" : "N\n"); }

/* Answers correctly to the end. */
__attribute__((unused)) static int play(void) {
    for (enum request request; (request = next_request()) != END;)
        answer(request);
    return 0;
}

/* Answers the name and reads the first getAction. After that each player does its own abuse. */
__attribute__((unused)) static void play_until_action(void) {
    for (enum request request; (request = next_request()) == NAME;)
        answer(request);
}

__attribute__((unused)) static void rest(void) {
    for (;;)
        pause();
}

#endif
