/* Code that the attacks share: orders on stdin, one line of result on stdout.
 *
 *   stdin    NAME key=value key=value …      a line for each attack, with its targets, until the end of input
 *   stdout   hit NAME                        it worked
 *            refused NAME ERRNO              it did not
 *
 * An attack returns -1 with errno set if it was refused, and anything else if it worked. All are harmless: they use small
 * numbers, and only the targets that the orders name.
 */
#ifndef ATTACK_H
#define ATTACK_H

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ATTACK(name)                                                                                                   \
    static long attack_##name(void);                                                                                   \
    __attribute__((constructor)) static void enter_##name(void) {                                                      \
        attacks[attacks_count++] = (struct attack){#name, attack_##name};                                              \
    }                                                                                                                  \
    static long attack_##name(void)

struct attack {
    const char *name;
    long (*attempt)(void);
};

static struct attack attacks[128];
static int attacks_count;
static char orders[4096];
static char *own_program;

/* The value of a key in the orders. */
static const char *target(const char *key) {
    static char found[512];
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=", key);
    const char *at = strstr(orders, pattern);
    if (!at) {
        fprintf(stderr, "no target %s\n", key);
        exit(3);
    }
    sscanf(at + strlen(pattern), "%511s", found);
    return found;
}

__attribute__((unused)) static long number(const char *key) { return atol(target(key)); }

/* Fails with this errno: for attacks whose calls succeed but do nothing. */
__attribute__((unused)) static long no(int why) {
    errno = why;
    return -1;
}

static void report(const char *name, long result) {
    if (result == -1)
        printf("refused %s %s\n", name, strerrorname_np(errno) ? strerrorname_np(errno) : "0");
    else
        printf("hit %s\n", name);
    fflush(stdout);
}

/* Makes the attack with this name; returns whether there is one. */
static int made(const char *name) {
    for (int i = 0; i < attacks_count; i++)
        if (!strcmp(attacks[i].name, name)) {
            report(name, attacks[i].attempt());
            return 1;
        }
    return 0;
}

int main(int argc, char **argv) {
    char name[64] = "";
    (void)argc;
    own_program = argv[0];
    while (fgets(orders, sizeof orders, stdin))
        if (sscanf(orders, "%63s", name) != 1 || !made(name)) {
            fprintf(stderr, "no attack %s\n", name);
            return 3;
        }
    return 0;
}

#endif
