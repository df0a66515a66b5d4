#include "cli/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>

namespace pto::cli {

namespace {

std::atomic<bool> flag{false};
int waker[2] = {-1, -1};  // written to by the handler, never read

// Programs that end others may send a signal twice, to the process and to its group. That is one request.
constexpr long one_request_ms = 300;
std::atomic<long> first_request{0};

long milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1'000'000 + 1;
}

// Calls nothing but what a signal handler may.
void on_signal(int number) {
  const int saved = errno;
  if (number != SIGPIPE) {
    long first = 0;
    const long now = milliseconds();
    if (!first_request.compare_exchange_strong(first, now) && now - first > one_request_ms) {
      ::signal(number, SIG_DFL);
      ::raise(number);  // arrives when this handler returns
    }
  }
  flag.store(true, std::memory_order_relaxed);
  const char byte = 0;
  (void)!::write(waker[1], &byte, 1);
  errno = saved;
}

bool wait_for(int descriptor, short events) {
  while (true) {
    pollfd files[2] = {{descriptor, events, 0}, {waker[0], POLLIN, 0}};
    if (::poll(files, 2, -1) < 0 && errno != EINTR) return true;  // the call itself will say what is wrong
    if (files[0].revents != 0) return true;
    if (files[1].revents != 0 || interrupted()) return false;
  }
}

bool has_room(int descriptor, int patience_ms) {
  pollfd file{descriptor, POLLOUT, 0};
  const long end = milliseconds() + patience_ms;
  while (true) {
    const long left = end - milliseconds();
    const int found = ::poll(&file, 1, static_cast<int>(left > 0 ? left : 0));
    if (found > 0) return true;
    if (found == 0 || errno != EINTR) return false;
  }
}

}  // namespace

const std::atomic<bool>& interrupt_flag() { return flag; }

void catch_interrupts() {
  if (waker[0] < 0 && ::pipe2(waker, O_CLOEXEC | O_NONBLOCK) != 0) return;
  // Without SA_RESTART: a call that blocks returns.
  struct sigaction action {};
  action.sa_handler = on_signal;
  ::sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGPIPE, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    const bool known = ::sigaction(number, nullptr, &before) == 0;
    const bool may_be_ignored = number == SIGTERM || number == SIGHUP;
    if (known && may_be_ignored && before.sa_handler == SIG_IGN) continue;
    ::sigaction(number, &action, nullptr);
  }
}

bool wait_to_read(int descriptor) { return wait_for(descriptor, POLLIN); }
bool wait_to_write(int descriptor) { return wait_for(descriptor, POLLOUT); }

std::size_t unblocked_bytes(int descriptor) {
  struct stat status {};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  return regular ? SSIZE_MAX : PIPE_BUF;
}

Written write_all(int descriptor, std::string_view bytes) {
  constexpr int patience_ms = 1000;
  const std::size_t most = unblocked_bytes(descriptor);
  while (!bytes.empty()) {
    if (most == PIPE_BUF && !wait_to_write(descriptor) && !has_room(descriptor, patience_ms))
      return Written::GivenUp;
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size() < most ? bytes.size() : most);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count < 0) return Written::Failed;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return Written::All;
}

int open_for_writing(const std::string& path) {
  constexpr int between_tries_ms = 20;
  while (true) {
    // Opening a pipe that nobody reads fails this way instead of blocking.
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status {};
    if (descriptor >= 0) {
      ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
      return descriptor;
    }
    if (errno != ENXIO || ::stat(path.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode)) return -1;
    pollfd file{waker[0], POLLIN, 0};
    ::poll(&file, 1, between_tries_ms);
    if (interrupted()) {
      errno = EINTR;
      return -1;
    }
  }
}

}  // namespace pto::cli
