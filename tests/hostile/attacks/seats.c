/* Two players that try to communicate: one speaks and waits until its stdin ends; meanwhile the other listens.
 *
 * The orders name the role, role=speak or role=listen, and a number that both have and no other pair: place=NUMBER. A speaker
 * whose part worked reports a hit.
 */
#include "attack.h"
#include <dirent.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>

static int speaks(void) { return !strcmp(target("role"), "speak"); }

/* Keeps the effect of the attack until the listener is done. */
static long hold(const char *name, long result) {
    char byte;
    if (result != -1) {
        report(name, result);
        while (read(0, &byte, 1) > 0)
            ;
        exit(0);
    }
    return result;
}

/* One seat locks a byte of a file that both have, the other asks who holds it. */
static long lock_on(const char *name, const char *path, int command_set, int command_get) {
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = number("place"), .l_len = 1};
    int fd = open(path, O_RDONLY);
    if (fd < 0)
        return -1;
    if (speaks())
        return hold(name, fcntl(fd, command_set, &lock));
    lock.l_type = F_WRLCK;
    if (fcntl(fd, command_get, &lock))
        return -1;
    return lock.l_type == F_UNLCK ? no(ENODATA) : 0;
}

ATTACK(lock_on_device) { return lock_on("lock_on_device", "/dev/null", F_SETLK, F_GETLK); }

ATTACK(lock_on_library) {
    return lock_on("lock_on_library", "/lib64/ld-linux-x86-64.so.2", F_SETLK, F_GETLK);
}

ATTACK(lock_of_description) { return lock_on("lock_of_description", "/dev/null", F_OFD_SETLK, F_OFD_GETLK); }

ATTACK(flock_on_device) {
    int fd = open("/dev/null", O_RDONLY);
    if (speaks())
        return hold("flock_on_device", flock(fd, LOCK_EX));
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return no(ENODATA);
    return errno == EWOULDBLOCK ? 0 : -1;
}

ATTACK(fifo_in_folder) {
    if (speaks())
        return hold("fifo_in_folder", mkfifo("shared", 0600));
    struct stat info;
    return stat("shared", &info) ? -1 : unlink("shared");
}

ATTACK(file_in_folder) {
    if (speaks())
        return hold("file_in_folder", open("message", O_CREAT | O_WRONLY, 0600));
    return access("message", F_OK) ? -1 : unlink("message");
}

static int is_later(struct timespec one, struct timespec other) {
    return one.tv_sec > other.tv_sec || (one.tv_sec == other.tv_sec && one.tv_nsec > other.tv_nsec);
}

/* The access time of a bot's own folder shows whether it has been read, also in a later match. */
ATTACK(time_of_folder) {
    struct timespec now;
    struct stat info;
    if (speaks()) {
        DIR *folder = opendir(".");
        return hold("time_of_folder", folder && readdir(folder) ? 0 : -1);
    }
    if (stat(".", &info) || clock_gettime(CLOCK_REALTIME, &now))
        return -1;
    return is_later(info.st_atim, info.st_mtim) && is_later(now, info.st_atim) ? 0 : no(ENODATA);
}

ATTACK(shared_memory_key) {
    if (speaks())
        return hold("shared_memory_key", shmget(number("place"), 4096, IPC_CREAT | 0600));
    int id = shmget(number("place"), 4096, 0);
    return id < 0 ? -1 : shmctl(id, IPC_RMID, 0);
}

ATTACK(semaphore_key) {
    if (speaks())
        return hold("semaphore_key", semget(number("place"), 1, IPC_CREAT | 0600));
    int id = semget(number("place"), 1, 0);
    return id < 0 ? -1 : semctl(id, 0, IPC_RMID);
}

static long abstract_place(int type, const char *name) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    int length = snprintf(place.sun_path + 1, sizeof place.sun_path - 1, "hostile-seats-%ld", number("place"));
    socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + length;
    int fd = socket(AF_UNIX, type, 0);
    if (fd < 0)
        return -1;
    if (speaks())
        return hold(name, bind(fd, (struct sockaddr *)&place, size) ? -1 : listen(fd, 1));
    return connect(fd, (struct sockaddr *)&place, size);
}

ATTACK(abstract_name) { return abstract_place(SOCK_STREAM, "abstract_name"); }

/* One waits on a futex in a file that both map; the other counts the waiters. The loader and the threads of every
 * runtime need both the mapping and the call. */
ATTACK(futex_in_library) {
    int fd = open("/lib64/ld-linux-x86-64.so.2", O_RDONLY);
    int *page = mmap(0, 4096, PROT_READ, MAP_SHARED, fd, 0), *place = page + number("place") % 1024;
    struct timespec moment = {0, 1000000}, while_listening = {60, 0};
    if (page == MAP_FAILED)
        return -1;
    if (speaks()) {
        report("futex_in_library", 0);
        syscall(SYS_futex, place, FUTEX_WAIT, *place, &while_listening, 0, 0);
        exit(0);
    }
    for (int i = 0; i < 1000; i++) {
        long heard = syscall(SYS_futex, place, FUTEX_WAKE, 1, 0, 0, 0);
        if (heard)
            return heard;
        nanosleep(&moment, 0);
    }
    return no(ENODATA);
}

/* The listener finds out whether the speaker's process exists. */
ATTACK(signal_to_seat) {
    if (speaks())
        return hold("signal_to_seat", 0);
    return kill(number("other"), 0);
}

ATTACK(priority_of_seat) {
    if (speaks())
        return hold("priority_of_seat", 0);
    errno = 0;
    return syscall(SYS_getpriority, 0, number("other")) < 0 ? -1 : 0;
}
