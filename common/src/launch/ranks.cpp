// SPDX-License-Identifier: MIT
#include "launch/ranks.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

namespace d2l::launch {

namespace {

using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stop_signal = 0;

void note_signal(int signal) { stop_signal = signal; }

/// Notes SIGINT and SIGTERM in a scope.
class Signals {
 public:
  Signals() {
    struct sigaction action = {};
    action.sa_handler = note_signal;
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~Signals() { restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void restore() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ = {};
  struct sigaction terminate_ = {};
};

/// One stream of a rank: passes whole lines on.
struct Stream {
  int descriptor = -1;
  std::FILE* to = nullptr;
  std::string prefix;
  std::string line;

  void pass(const char* bytes, std::size_t count) {
    for (const char* end = bytes + count; bytes != end;) {
      const auto* const newline =
          static_cast<const char*>(std::memchr(bytes, '\n', static_cast<std::size_t>(end - bytes)));
      const char* const next = newline == nullptr ? end : newline + 1;
      line.append(bytes, next);
      if (newline != nullptr) flush();
      bytes = next;
    }
  }
  void flush() {
    if (line.empty()) return;
    if (line.back() != '\n') line += '\n';
    const std::string whole = prefix + line;
    std::fwrite(whole.data(), 1, whole.size(), to);
    std::fflush(to);
    line.clear();
  }
  void close() {
    flush();
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
  }
};

struct Rank {
  pid_t process = -1;
  bool ended = false;
  std::array<Stream, 2> streams;  ///< standard output and error
};

class Launched {
 public:
  explicit Launched(const Options& options) : options_(options) {}

  /// Forks; true in a child.
  bool start(int rank, const std::function<void(int)>& enter) {
    std::array<std::array<int, 2>, 2> pipes{};
    for (auto& ends : pipes) {
      if (::pipe2(ends.data(), O_CLOEXEC) != 0) std::abort();
    }
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process == 0) {
      become_rank(rank, pipes, parent);
      if (enter) enter(rank / std::max(options_.ranks / std::max(options_.servers, 1), 1));
      return true;
    }
    Rank& own = ranks_.emplace_back();
    own.process = process;
    for (std::size_t i = 0; i < 2; ++i) {
      ::close(pipes[i][1]);
      ::fcntl(pipes[i][0], F_SETFL, O_NONBLOCK);
      const bool plain = options_.first_alone && rank == 0;
      own.streams[i] = {pipes[i][0], i == 0 ? stdout : stderr, plain ? "" : "[rank " + std::to_string(rank) + "] ", {}};
    }
    ::setpgid(process, process);
    return false;
  }

  int wait() {
    while (!all_ended()) {
      forward(20);
      reap();
      if (stop_signal != 0 && !stopped_) stop(128 + stop_signal, Clock::now());
      if (!stopped_) continue;
      const auto now = Clock::now();
      if (now >= *stopped_ + std::chrono::seconds(2)) {
        kill_all(SIGKILL);
      } else if (now >= *stopped_ && !terminated_) {
        terminated_ = true;
        kill_all(SIGTERM);
      }
    }
    kill_all(SIGKILL);  // what the ranks have started
    forward(0);
    for (Rank& rank : ranks_) {
      for (Stream& stream : rank.streams) stream.close();
    }
    return code_;
  }

 private:
  void become_rank(int rank, const std::array<std::array<int, 2>, 2>& pipes, pid_t parent) const {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::setpgid(0, 0);
    const bool muted = options_.first_alone && rank > 0;
    const int out = muted ? ::open("/dev/null", O_WRONLY | O_CLOEXEC) : pipes[0][1];
    ::dup2(out, STDOUT_FILENO);
    ::dup2(pipes[1][1], STDERR_FILENO);
    for (const Rank& earlier : ranks_) {
      for (const Stream& stream : earlier.streams) ::close(stream.descriptor);
    }
    for (const auto& [name, value] : variables_of(options_, rank)) ::setenv(name.c_str(), value.c_str(), 1);
  }
  [[nodiscard]] bool all_ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.ended; });
  }
  void forward(int milliseconds) {
    std::vector<pollfd> entries;
    std::vector<Stream*> streams;
    for (Rank& rank : ranks_) {
      for (Stream& stream : rank.streams) {
        if (stream.descriptor < 0) continue;
        entries.push_back({stream.descriptor, POLLIN, 0});
        streams.push_back(&stream);
      }
    }
    if (::poll(entries.data(), entries.size(), milliseconds) <= 0) return;
    std::array<char, 65536> bytes;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (entries[i].revents == 0) continue;
      while (true) {
        const auto count = ::read(entries[i].fd, bytes.data(), bytes.size());
        if (count > 0) {
          streams[i]->pass(bytes.data(), static_cast<std::size_t>(count));
        } else if (count < 0 && errno == EINTR) {
          continue;
        } else {
          if (count == 0) streams[i]->close();
          break;
        }
      }
    }
  }
  void reap() {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      Rank& rank = ranks_[i];
      int status = 0;
      if (rank.ended || ::waitpid(rank.process, &status, WNOHANG) <= 0) continue;
      forward(0);
      rank.ended = true;
      const int code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
      if (code == 0 || stopped_) continue;
      report(i, status);
      stop(code, Clock::now() + options_.grace);
    }
  }
  void report(std::size_t rank, int status) const {
    if (options_.first_alone && rank == 0) return;  // it has said why
    if (WIFSIGNALED(status)) {
      std::fprintf(stderr, "rank %zu was ended by signal %d (%s)\n", rank, WTERMSIG(status),
                   ::strsignal(WTERMSIG(status)));
    } else {
      std::fprintf(stderr, "rank %zu ended with exit code %d\n", rank, WEXITSTATUS(status));
    }
  }
  void stop(int code, Clock::time_point when) {
    stopped_ = when;
    code_ = code;
  }
  void kill_all(int signal) const {
    for (const Rank& rank : ranks_) ::kill(-rank.process, signal);
  }

  const Options& options_;
  std::vector<Rank> ranks_;
  std::optional<Clock::time_point> stopped_;
  bool terminated_ = false;
  int code_ = 0;
};

}  // namespace

int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t length = sizeof address;
  static_cast<void>(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), length));
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(descriptor);
  return ntohs(address.sin_port);
}

std::string problem_of(const Options& options) {
  if (options.ranks < 1 || options.ranks > 64) return "the number of ranks must be 1 to 64";
  if (options.servers < 1 || options.servers > options.ranks || options.ranks % options.servers != 0) {
    return "the ranks must divide evenly over the servers";
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> variables_of(const Options& options, int rank) {
  const int each = options.ranks / options.servers;
  std::vector<std::pair<std::string, std::string>> variables{
      {"RANK", std::to_string(rank)},
      {"WORLD_SIZE", std::to_string(options.ranks)},
      {"LOCAL_RANK", std::to_string(rank % each)},
      {"LOCAL_WORLD_SIZE", std::to_string(each)},
      {"GROUP_RANK", std::to_string(rank / each)},
      {"MASTER_ADDR", options.master_addr},
      {"MASTER_PORT", std::to_string(options.master_port)},
  };
  if (std::getenv("OMP_NUM_THREADS") == nullptr) {
    const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    variables.emplace_back("OMP_NUM_THREADS", std::to_string(std::max(cores / options.ranks, 1)));
  }
  return variables;
}

int run(const Options& given, const std::function<int(int)>& child, const std::function<void(int)>& enter) {
  Options options = given;
  if (options.master_port == 0) options.master_port = free_port();
  Signals signals;
  Launched launched(options);
  for (int rank = 0; rank < options.ranks; ++rank) {
    if (!launched.start(rank, enter)) continue;
    signals.restore();
    ::_exit(child(rank));
  }
  return launched.wait();
}

void continue_as_ranks(const Options& given, const std::function<void(int)>& enter) {
  Options options = given;
  if (options.master_port == 0) options.master_port = free_port();
  Signals signals;
  Launched launched(options);
  for (int rank = 0; rank < options.ranks; ++rank) {
    if (launched.start(rank, enter)) return;
  }
  const int code = launched.wait();
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace d2l::launch
