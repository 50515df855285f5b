/* Files of other users, and the bot's own files. */
#include "attack.h"
#include <dirent.h>
#include <linux/fs.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/time.h>
#include <sys/xattr.h>

static long read_some(int fd) {
    char byte;
    return fd < 0 ? -1 : read(fd, &byte, 1);
}

static long read_file(const char *path) { return read_some(open(path, O_RDONLY)); }

static long list(const char *path) {
    DIR *folder = opendir(path);
    return folder && readdir(folder) ? 0 : -1;
}

static long make(const char *path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return -1;
    unlink(path);
    return 0;
}

/* Makes a file with the name of this test's mark. */
static long mark(const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, target("mark"));
    return make(path);
}

ATTACK(read_passwd) { return read_file("/etc/passwd"); }

/* A file that the user may read: a key, another player's source. */
ATTACK(read_secret) { return read_file(target("secret")); }

ATTACK(read_secret_upwards) {
    char path[1024] = "";
    for (int i = 0; i < 30; i++)
        strcat(path, "../");
    strncat(path, target("secret"), 500);
    return read_file(path);
}

ATTACK(openat2_secret) {
    struct {
        unsigned long flags, mode, resolve;
    } how = {O_RDONLY, 0, 0};
    return read_some(syscall(SYS_openat2, AT_FDCWD, target("secret"), &how, sizeof how));
}

/* Upwards from every folder that it has open or may open. */
ATTACK(dotdot_from_descriptors) {
    const char *places[] = {".", "/", "/usr", "/lib", "/dev", "/bot"};
    char path[1024] = "";
    for (int i = 0; i < 30; i++)
        strcat(path, "../");
    strncat(path, target("secret"), 500);
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++)
        open(places[i], O_PATH | O_DIRECTORY);
    for (int fd = 0; fd < 64; fd++)
        if (read_some(openat(fd, path, O_RDONLY)) >= 0)
            return 0;
    return no(ENOENT);
}

ATTACK(map_secret) {
    int fd = open(target("secret"), O_RDONLY);
    return fd < 0 || mmap(0, 1, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0;
}

ATTACK(exec_secret) {
    char *argv[] = {"secret", 0};
    execve(target("secret"), argv, 0);
    return errno == EACCES || errno == ENOEXEC ? 0 : -1; /* it is there */
}

ATTACK(path_descriptor) { return open(target("secret"), O_PATH); }

ATTACK(list_home) { return list(target("home")); }

/* Whether it sees more of / than its own root. */
ATTACK(list_root) { return access("/home", F_OK) && access("/proc", F_OK) && access("/var", F_OK) ? -1 : list("/"); }

ATTACK(stat_secret) {
    struct stat info;
    return stat(target("secret"), &info);
}

ATTACK(access_secret) { return access(target("secret"), R_OK); }

ATTACK(statfs_secret) {
    struct statfs info;
    return statfs(target("secret"), &info);
}

ATTACK(getxattr_secret) {
    char value[16];
    long got = getxattr(target("secret"), "user.mark", value, sizeof value);
    return got < 0 && (errno == ENODATA || errno == EOPNOTSUPP) ? 0 : got; /* it is there */
}

ATTACK(read_link) {
    char path[512], leads_to[64];
    snprintf(path, sizeof path, "%s/link", target("home"));
    return readlink(path, leads_to, sizeof leads_to);
}

ATTACK(change_folder) { return chdir(target("home")); }

ATTACK(tree_descriptor) { return syscall(SYS_open_tree, AT_FDCWD, target("home"), 0); }

ATTACK(handle_of_secret) {
    struct {
        struct file_handle head;
        char space[128];
    } handle = {.head.handle_bytes = 128};
    int mount;
    return name_to_handle_at(AT_FDCWD, target("secret"), &handle.head, &mount, 0);
}

/* Opens a file without a name, as the well-known escape from containers does. */
ATTACK(open_by_handle) {
    struct {
        struct file_handle head;
        char space[128];
    } handle = {.head.handle_bytes = 128};
    int mount;
    name_to_handle_at(AT_FDCWD, "/", &handle.head, &mount, 0);
    return open_by_handle_at(open("/", O_RDONLY), &handle.head, O_RDONLY);
}

ATTACK(write_own_folder) { return make("hostile-was-here"); }

ATTACK(write_own_program) {
    struct stat info;
    if (stat(own_program, &info))
        return -1;
    return chmod(own_program, info.st_mode & 07777);
}

ATTACK(write_secret) { return open(target("secret"), O_WRONLY | O_APPEND); }

ATTACK(truncate_secret) { return truncate(target("secret"), 6); }

ATTACK(write_root) { return mark(""); }

ATTACK(write_tmp) { return mark("/tmp"); }

ATTACK(write_dev) { return mark("/dev"); }

ATTACK(write_dev_shm) { return mark("/dev/shm"); }

ATTACK(nameless_file) { return open(".", O_TMPFILE | O_WRONLY, 0600); }

ATTACK(mkdir) { return mkdir("made", 0700) ? -1 : rmdir("made"); }

ATTACK(mkfifo) { return mkfifo("made", 0600) ? -1 : unlink("made"); }

ATTACK(mknod_disk) { return mknod("made", S_IFBLK | 0600, 0xfd00) ? -1 : unlink("made"); }

ATTACK(symlink) { return symlink("/etc/passwd", "made") ? -1 : unlink("made"); }

ATTACK(link) { return link(own_program, "made") ? -1 : unlink("made"); }

ATTACK(rename) { return rename(own_program, own_program); }

ATTACK(chown) { return chown(own_program, -1, -1); }

ATTACK(utimes) { return utimes(own_program, 0); }

ATTACK(setxattr) { return setxattr(own_program, "user.mark", "1", 1, 0) ? -1 : removexattr(own_program, "user.mark"); }

ATTACK(fallocate) {
    int fd = open("made", O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return -1;
    unlink("made");
    return fallocate(fd, 0, 0, 4096);
}

/* Watches files that other seats share (the same inodes, not copies), to learn when they are read. */
ATTACK(watch_folder) { return fcntl(open("/usr", O_RDONLY | O_DIRECTORY), F_NOTIFY, DN_ACCESS); }

ATTACK(watch_own_folder) { return fcntl(open(".", O_RDONLY | O_DIRECTORY), F_NOTIFY, DN_ACCESS); }

ATTACK(lease) { return fcntl(open(own_program, O_RDONLY), F_SETLEASE, F_RDLCK); }

ATTACK(proc_list) { return list("/proc"); }

ATTACK(proc_itself) { return read_file("/proc/self/status"); }

ATTACK(proc_root) {
    char path[600];
    snprintf(path, sizeof path, "/proc/1/root%s", target("secret"));
    return read_file(path);
}

ATTACK(proc_victim_memory) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/mem", number("victim"));
    return open(path, O_RDONLY);
}

ATTACK(proc_victim_environment) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/environ", number("victim"));
    return read_file(path);
}

ATTACK(proc_victim_descriptors) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd", number("victim"));
    return list(path);
}

ATTACK(proc_victim_program) {
    char path[64], program[64];
    snprintf(path, sizeof path, "/proc/%ld/exe", number("victim"));
    return readlink(path, program, sizeof program);
}

ATTACK(proc_victim_threads) {
    char path[64];
    struct stat info; /* its number of links counts the threads */
    snprintf(path, sizeof path, "/proc/%ld/task", number("victim"));
    return stat(path, &info);
}

/* Opens its own stdin for writing, to send itself requests in the referee's place. */
ATTACK(proc_reopen_stdin) {
    int fd = open("/proc/self/fd/0", O_WRONLY | O_NONBLOCK);
    return fd < 0 ? -1 : close(fd); /* otherwise its input would never end */
}

ATTACK(proc_reopen_stdout) { return open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK); }

ATTACK(dev_fd) { return open("/dev/fd/0", O_RDONLY | O_NONBLOCK); }

ATTACK(sys_list) { return list("/sys"); }

ATTACK(dev_list) {
    if (list("/dev"))
        return -1;
    return access("/dev/zero", F_OK) && access("/dev/tty", F_OK) && access("/dev/full", F_OK) ? -1 : 0;
}

ATTACK(dev_terminal) { return open("/dev/tty", O_RDWR | O_NOCTTY); }

ATTACK(dev_memory) { return open("/dev/mem", O_RDONLY); }

ATTACK(dev_disk) { return open("/dev/vda", O_RDONLY); }

ATTACK(dev_zero) { return open("/dev/zero", O_RDWR); }

ATTACK(chroot) {
    if (unshare(0x10000000 /* a user namespace, in which it is allowed */))
        return -1;
    return chroot("/");
}

ATTACK(mount) {
    if (unshare(0x10020000 /* user and mount namespaces, so that nobody else sees it */))
        return -1;
    mount(0, "/", 0, MS_REC | MS_PRIVATE, 0);
    return mount("none", "/usr", "tmpfs", 0, 0);
}

ATTACK(bare_mount) { return mount("none", "/nowhere-at-all", "tmpfs", 0, 0); }

ATTACK(bare_umount) { return umount2("/nowhere-at-all", MNT_DETACH); }

ATTACK(pivot_root) { return syscall(SYS_pivot_root, "/nowhere-at-all", "/nowhere-at-all"); }

ATTACK(new_mount) { return syscall(SYS_fsopen, "tmpfs", 0); }
