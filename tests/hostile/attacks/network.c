/* The network, including services of the same machine. */
#include "attack.h"
#include <arpa/inet.h>
#include <linux/if_alg.h>
#include <linux/netlink.h>
#include <linux/vm_sockets.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static long reach4(int type, const char *key, const char *data) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    place.sin_port = htons(number(key));
    int fd = socket(AF_INET, type, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&place, sizeof place))
        return -1;
    return write(fd, data, strlen(data));
}

static struct sockaddr_un unix_place(const char *key, socklen_t *size, int abstract) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    const char *path = target(key);
    strncpy(place.sun_path + abstract, path, sizeof place.sun_path - 2);
    *size = offsetof(struct sockaddr_un, sun_path) + strlen(path) + 1; /* a last NUL, or the first one */
    return place;
}

static long reach_unix(const char *key, int abstract) {
    socklen_t size;
    struct sockaddr_un place = unix_place(key, &size, abstract);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return fd < 0 ? -1 : connect(fd, (struct sockaddr *)&place, size);
}

ATTACK(tcp) { return reach4(SOCK_STREAM, "tcp", "hello"); }

ATTACK(udp) { return reach4(SOCK_DGRAM, "udp", "hello"); }

ATTACK(tcp6) { return socket(AF_INET6, SOCK_STREAM, 0); }

ATTACK(listen) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? -1 : listen(fd, 1);
}

/* To itself, over the loopback of its own network, if there is one. */
ATTACK(loopback) {
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof place;
    int from = socket(AF_INET, SOCK_STREAM, 0), to = socket(AF_INET, SOCK_STREAM, 0);
    if (from < 0 || to < 0 || listen(to, 1) || getsockname(to, (struct sockaddr *)&place, &size))
        return -1;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(from, (struct sockaddr *)&place, sizeof place);
}

ATTACK(unix_socket) { return reach_unix("unix", 0); }

ATTACK(abstract_socket) { return reach_unix("abstract", 1); }

ATTACK(abstract_listener) {
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&place, sizeof(sa_family_t)))
        return -1;
    return listen(fd, 1);
}

/* A pair of datagram sockets needs no connect: each datagram may have its own address. */
ATTACK(datagram_pair_to_unix) {
    socklen_t size;
    struct sockaddr_un place = unix_place("unix_datagram", &size, 0);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
        return -1;
    return sendto(pair[0], "hello", 5, 0, (struct sockaddr *)&place, size);
}

ATTACK(datagram_pair_to_abstract) {
    socklen_t size;
    struct sockaddr_un place = unix_place("abstract_datagram", &size, 1);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
        return -1;
    return sendto(pair[0], "hello", 5, 0, (struct sockaddr *)&place, size);
}

ATTACK(stream_pair_to_unix) {
    socklen_t size;
    struct sockaddr_un place = unix_place("unix", &size, 0);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return -1;
    return sendto(pair[0], "hello", 5, 0, (struct sockaddr *)&place, size);
}

/* Connects a socket of a pair to another address. */
ATTACK(pair_reconnected) {
    socklen_t size;
    struct sockaddr_un place = unix_place("unix_datagram", &size, 0);
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
        return -1;
    return connect(pair[0], (struct sockaddr *)&place, size);
}

ATTACK(socketpair_inet) {
    int pair[2];
    return socketpair(AF_INET, SOCK_STREAM, 0, pair);
}

ATTACK(netlink) { return socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE); }

ATTACK(vsock) { return socket(AF_VSOCK, SOCK_STREAM, 0); }

ATTACK(packet) { return socket(AF_PACKET, SOCK_RAW, 0); }

ATTACK(raw_icmp) { return socket(AF_INET, SOCK_RAW, IPPROTO_ICMP); }

ATTACK(alg) { return socket(AF_ALG, SOCK_SEQPACKET, 0); }

ATTACK(xdp) { return socket(AF_XDP, SOCK_RAW, 0); }

/* A name from the machine's own files, not from the network. */
ATTACK(resolve) {
    struct addrinfo *found;
    errno = 0;
    return getaddrinfo("localhost", "echo", 0, &found) && getaddrinfo("localhost", 0, 0, &found) ? no(ENOENT) : 0;
}

ATTACK(accept) {
    long got = accept(0, 0, 0);
    return got;
}

ATTACK(socket_options) {
    int pair[2], size = 1 << 20;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return -1;
    return setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}
