/* Puts the process at the other end of a pipe to sleep. The kernel locks the pipe while it copies a thread's bytes, and the
 * copy waits for the program's own memory, which other threads keep busy. Nothing is written or read, because the address
 * does not exist.
 */
#ifndef FREEZE_H
#define FREEZE_H

#include "player.h"
#include <sys/mman.h>

enum { HOLDERS = 16 };
static const size_t PAGES = (size_t)128 << 20;
static char *const NOWHERE = (char *)4096;
static char *pages;

static void *hold(void *nothing) {
    for (;;) {
        mprotect(pages, PAGES, PROT_READ);
        mprotect(pages, PAGES, PROT_READ | PROT_WRITE);
    }
    return nothing;
}

static void start(void *(*thread)(void *)) {
    pthread_t ignored;
    if (pthread_create(&ignored, 0, thread, 0))
        _exit(9);
}

static void keep_memory_busy(void) {
    pages = mmap(0, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(pages, PAGES, MADV_NOHUGEPAGE);
    memset(pages, 1, PAGES);
    for (int i = 0; i < HOLDERS; i++)
        start(hold);
}

#endif
