// Fills these gaps of Swift's importer: variadic calls (fcntl, syscall, ioctl), function-like macros (WIFEXITED ...), structs with
// flexible or union members (sockaddr storage, cmsg), and thread-local storage. No policy: every function is one system call or
// one clock reading and returns what the kernel said. Pointers are never kept past a call.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma clang assume_nonnull begin

/// CLOCK_MONOTONIC in nanoseconds.
static inline int64_t stentor_monotonic_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// CLOCK_REALTIME in nanoseconds.
static inline int64_t stentor_realtime_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// CPU time of the calling thread in nanoseconds.
static inline int64_t stentor_thread_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/// A pointer kept per thread: the event loop that owns the calling thread, or NULL.
void *_Nullable stentor_thread_owner(void);
void stentor_set_thread_owner(void *_Nullable owner);

/// Names the calling thread; the system keeps 15 bytes.
void stentor_set_thread_name(const char *name);

/// Calls of the functions below by the calling thread since its start.
struct stentor_calls { int64_t waits, receives, sends; };
struct stentor_calls stentor_thread_calls(void);
/// Gives freed memory back to the system; takes milliseconds.
void stentor_trim_memory(void);
/// Keeps the calling thread, and those it starts later, on one processor. 0, or -1 with errno.
int stentor_pin_thread(int processor);

/// epoll_wait with a time-out in nanoseconds (< 0: for ever). Uses epoll_pwait2 where the kernel has it, else rounds up to milliseconds.
int stentor_epoll_wait(int epoll, struct epoll_event *events, int count, int64_t timeout_ns);
/// epoll_ctl with the 64-bit user data given directly. `events` 0 with EPOLL_CTL_DEL.
int stentor_epoll_ctl(int epoll, int operation, int fd, uint32_t events, uint64_t data);
static inline uint64_t stentor_epoll_data(const struct epoll_event *event) { return event->data.u64; }

/// A non-blocking, close-on-exec TCP socket of this family, or -1.
int stentor_tcp_socket(int family);
/// Connects; `address` has `length` bytes. 0, or -1 with errno (EINPROGRESS is normal).
int stentor_connect(int fd, const void *address, socklen_t length);
int stentor_bind(int fd, const void *address, socklen_t length);
/// accept4 with non-blocking and close-on-exec.
int stentor_accept(int fd);
/// send with MSG_NOSIGNAL.
ssize_t stentor_send(int fd, const void *bytes, size_t count);
/// recv without flags.
ssize_t stentor_recv(int fd, void *bytes, size_t count);
/// SO_ERROR of a socket, or errno if it cannot be read.
int stentor_socket_error(int fd);
int stentor_set_int_option(int fd, int level, int option, int value);
/// SO_LINGER on with time 0: the next close sends an RST.
int stentor_set_abortive_close(int fd);
/// Writes "1.2.3.4" or "::1" into `text` and returns the port, or -1.
int stentor_local_address(int fd, char *text, size_t size);
/// pipe2 with close-on-exec: ends[0] reads, ends[1] writes. 0, or -1 with errno.
int stentor_pipe(int ends[_Nonnull 2]);
/// O_NONBLOCK on a descriptor.
int stentor_set_nonblocking(int fd);
/// Bytes that the peer has not acknowledged yet (SIOCOUTQ), or -1.
int stentor_unsent_bytes(int fd);

/// The system's text for an errno value; `text` gets at most `size` bytes with the final NUL.
void stentor_error_text(int code, char *text, size_t size);
/// Fills `bytes` from the kernel's random source; 0, or -1 with errno.
int stentor_random_bytes(void *bytes, size_t count);
static inline int stentor_errno(void) { return errno; }

/// WIFEXITED ? WEXITSTATUS : 128 + WTERMSIG.
int stentor_exit_status(int wait_status);
int stentor_pidfd_open(pid_t pid);
int stentor_signalfd(const sigset_t *set);

static inline uint32_t stentor_epollin(void) { return EPOLLIN; }
static inline uint32_t stentor_epollout(void) { return EPOLLOUT; }
static inline uint32_t stentor_epollerr(void) { return EPOLLERR; }
static inline uint32_t stentor_epollhup(void) { return EPOLLHUP; }
static inline uint32_t stentor_epollrdhup(void) { return EPOLLRDHUP; }

#pragma clang assume_nonnull end
