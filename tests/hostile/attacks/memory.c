/* More memory than the limit (64 MiB in these runs), and memory that the limit does not count. */
#include "attack.h"
#include <linux/mman.h>
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <time.h>

#define MIB (1ul << 20)
#define MORE (96 * MIB)

static long touch(char *memory) {
    if (memory == MAP_FAILED || !memory)
        return -1;
    for (unsigned long i = 0; i < MORE; i += 4096)
        memory[i] = 1;
    return 0;
}

ATTACK(malloc) { return touch(malloc(MORE)); }

/* Piece by piece, as a growing list does. */
ATTACK(malloc_pieces) {
    for (unsigned long i = 0; i < MORE / 4096; i++) {
        volatile char *piece = malloc(4096); /* GCC 16 leaves out what only writes to it otherwise */
        if (!piece)
            return -1;
        *piece = 1;
    }
    return 0;
}

ATTACK(sbrk) {
    char *memory = sbrk(MORE);
    return memory == (char *)-1 ? -1 : touch(memory);
}

ATTACK(map_private) { return touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)); }

/* Reserved first, then made writable. */
ATTACK(map_and_protect) {
    char *memory = mmap(0, MORE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, MORE, PROT_READ | PROT_WRITE))
        return -1;
    return touch(memory);
}

ATTACK(remap) {
    char *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? -1 : touch(mremap(memory, 4096, MORE, MREMAP_MAYMOVE));
}

ATTACK(map_stack) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_STACK;
    return touch(mmap(0, MORE, PROT_READ | PROT_WRITE, flags, -1, 0));
}

ATTACK(map_shared) { return touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)); }

/* The newer spelling of the same. */
ATTACK(map_shared_validate) {
    return touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_ANONYMOUS, -1, 0));
}

/* Pages that no page table maps any more: they stay in memory, but count as no process's. */
ATTACK(map_and_forget) {
    for (int i = 0; i < 8; i++) {
        char *memory = mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (touch(memory) || madvise(memory, MORE, MADV_DONTNEED))
            return -1;
    }
    return 0;
}

ATTACK(map_dev_zero) {
    int fd = open("/dev/zero", O_RDWR);
    return fd < 0 ? -1 : touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
}

ATTACK(map_huge_pages) {
    return touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0));
}

ATTACK(transparent_huge_pages) {
    char *memory = mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    madvise(memory, MORE, MADV_HUGEPAGE);
    return touch(memory);
}

ATTACK(memfd) {
    int fd = memfd_create("memory", 0);
    if (fd < 0 || ftruncate(fd, MORE))
        return -1;
    return touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
}

ATTACK(memfd_secret) { return syscall(SYS_memfd_secret, 0); }

ATTACK(sysv_memory) {
    int id = shmget(IPC_PRIVATE, MORE, IPC_CREAT | 0600);
    if (id < 0)
        return -1;
    char *memory = shmat(id, 0, 0);
    shmctl(id, IPC_RMID, 0);
    return touch(memory == (char *)-1 ? 0 : memory);
}

ATTACK(sysv_messages) {
    int id = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
    return id < 0 ? -1 : msgctl(id, IPC_RMID, 0);
}

/* The name of this test's mark. */
static const char *marked(void) {
    static char name[1024];
    snprintf(name, sizeof name, "/%s", target("mark"));
    return name;
}

ATTACK(posix_memory) {
    int fd = shm_open(marked(), O_RDWR | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return -1;
    shm_unlink(marked());
    return ftruncate(fd, MORE) ? -1 : touch(mmap(0, MORE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
}

ATTACK(message_queue) {
    mqd_t queue = mq_open(marked(), O_RDWR | O_CREAT | O_EXCL, 0600, 0);
    if (queue == (mqd_t)-1)
        return -1;
    return mq_unlink(marked());
}

/* Page tables for pages that all map the one page of zeros: 32 GiB of address space need 64 MiB of tables. */
ATTACK(page_tables) {
    unsigned long size = 32ul << 30;
    char *memory = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -1;
    madvise(memory, size, MADV_NOHUGEPAGE);
    for (unsigned long i = 0; i < size; i += 2 * MIB)
        if (((volatile char *)memory)[i])
            return -1;
    return 0;
}

ATTACK(lock_memory) {
    char *memory = mmap(0, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? -1 : mlock(memory, MIB);
}

/* Kernel memory, in pipes. */
ATTACK(pipes) {
    int tube[2];
    for (int i = 0; i < 100; i++)
        if (pipe(tube))
            return -1;
    return 0;
}

ATTACK(wide_pipes) {
    int tube[2];
    for (int i = 0; i < 20; i++)
        if (pipe(tube) || fcntl(tube[1], F_SETPIPE_SZ, MIB) < 0)
            return -1;
    return 0;
}

ATTACK(timers) {
    timer_t timer;
    for (int i = 0; i < 5000; i++)
        if (timer_create(CLOCK_MONOTONIC, NULL, &timer))
            return -1;
    return 0;
}

/* Each lock is a record in kernel memory that no limit counts. Another open file shows whether there are locks. */
ATTACK(file_locks) {
    int fd = open("/dev/null", O_RDWR), other = open("/dev/null", O_RDWR);
    struct flock one = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    for (one.l_start = 0; one.l_start < 4000; one.l_start += 2)
        if (fcntl(fd, F_SETLK, &one))
            return -1;
    one.l_start = 0;
    if (fcntl(other, F_OFD_GETLK, &one))
        return -1;
    return one.l_type == F_UNLCK ? no(ENOLCK) : 0;
}

ATTACK(write_to_pool) {
    int fd = open("/dev/urandom", O_WRONLY);
    return fd < 0 ? -1 : write(fd, "noise", 5);
}
