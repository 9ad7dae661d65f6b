#include "CStentorSystem.h"

#include <linux/sockios.h>
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/syscall.h>

static _Thread_local void *thread_owner;
static _Thread_local struct stentor_calls thread_calls;

struct stentor_calls stentor_thread_calls(void) { return thread_calls; }

void *stentor_thread_owner(void) { return thread_owner; }
void stentor_set_thread_owner(void *owner) { thread_owner = owner; }

int stentor_epoll_wait(int epoll, struct epoll_event *events, int count, int64_t timeout_ns) {
    thread_calls.waits++;
#ifdef SYS_epoll_pwait2
    static atomic_int missing;
    if (!atomic_load_explicit(&missing, memory_order_relaxed)) {
        struct timespec t = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
        int n = (int)syscall(SYS_epoll_pwait2, epoll, events, count, timeout_ns < 0 ? NULL : &t, NULL, 0);
        if (n >= 0 || errno != ENOSYS) return n;
        atomic_store(&missing, 1);
    }
#endif
    int64_t ms = timeout_ns < 0 ? -1 : (timeout_ns + 999999) / 1000000;
    return epoll_wait(epoll, events, count, ms > 60000 ? 60000 : (int)ms);
}

int stentor_epoll_ctl(int epoll, int operation, int fd, uint32_t events, uint64_t data) {
    struct epoll_event event = {.events = events, .data.u64 = data};
    return epoll_ctl(epoll, operation, fd, &event);
}

int stentor_tcp_socket(int family) { return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP); }
int stentor_connect(int fd, const void *address, socklen_t length) { return connect(fd, address, length); }
int stentor_bind(int fd, const void *address, socklen_t length) { return bind(fd, address, length); }
int stentor_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }
ssize_t stentor_send(int fd, const void *bytes, size_t count) {
    thread_calls.sends++;
    return send(fd, bytes, count, MSG_NOSIGNAL);
}

ssize_t stentor_recv(int fd, void *bytes, size_t count) {
    thread_calls.receives++;
    return recv(fd, bytes, count, 0);
}

int stentor_socket_error(int fd) {
    int error = 0;
    socklen_t length = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0 ? error : errno;
}

int stentor_set_int_option(int fd, int level, int option, int value) { return setsockopt(fd, level, option, &value, sizeof value); }

int stentor_set_abortive_close(int fd) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    return setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

int stentor_local_address(int fd, char *text, size_t size) {
    struct sockaddr_storage storage;
    socklen_t length = sizeof storage;
    if (getsockname(fd, (struct sockaddr *)&storage, &length) != 0) return -1;
    if (storage.ss_family == AF_INET) {
        struct sockaddr_in *v4 = (struct sockaddr_in *)&storage;
        return inet_ntop(AF_INET, &v4->sin_addr, text, (socklen_t)size) ? ntohs(v4->sin_port) : -1;
    }
    struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&storage;
    return inet_ntop(AF_INET6, &v6->sin6_addr, text, (socklen_t)size) ? ntohs(v6->sin6_port) : -1;
}

int stentor_unsent_bytes(int fd) {
    int bytes = 0;
    return ioctl(fd, SIOCOUTQ, &bytes) == 0 ? bytes : -1;
}

int stentor_exit_status(int wait_status) {
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

int stentor_pidfd_open(pid_t pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
int stentor_signalfd(const sigset_t *set) { return signalfd(-1, set, SFD_NONBLOCK | SFD_CLOEXEC); }

void stentor_error_text(int code, char *text, size_t size) {
    char buffer[128];
    snprintf(text, size, "%s", strerror_r(code, buffer, sizeof buffer));
}

int stentor_random_bytes(void *bytes, size_t count) {
    size_t filled = 0;
    while (filled < count) {
        ssize_t got = getrandom((char *)bytes + filled, count - filled, 0);
        if (got < 0 && errno != EINTR) return -1;
        if (got > 0) filled += (size_t)got;
    }
    return 0;
}

void stentor_set_thread_name(const char *name) {
    char buffer[16];
    snprintf(buffer, sizeof buffer, "%s", name);
    pthread_setname_np(pthread_self(), buffer);
}

int stentor_set_nonblocking(int fd) { return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

int stentor_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int stentor_pin_thread(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return sched_setaffinity(0, sizeof set, &set);
}

void stentor_trim_memory(void) { malloc_trim(0); }
