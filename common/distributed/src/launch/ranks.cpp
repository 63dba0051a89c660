// SPDX-License-Identifier: MIT
#include "launch/ranks.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <thread>

#include "launch/addresses.h"
#include "launch/board.h"
#include "launch/forwarding.h"
#include "launch/problem.h"

namespace d2l::launch {

namespace {

using Clock = std::chrono::steady_clock;

/// The exit code if a rank has ended, without an error, before it joined the others.
constexpr int not_joined = 2;

volatile std::sig_atomic_t stop_signal = 0;

void note_signal(int signal) { stop_signal = signal; }

/// Notes the signals that end a program in a scope: closing a terminal sends SIGHUP, Ctrl-\ SIGQUIT. One that is
/// ignored stays ignored, as under nohup.
class Signals {
 public:
  Signals() {
    struct sigaction action = {};
    action.sa_handler = note_signal;
    for (std::size_t i = 0; i < noted.size(); ++i) {
      sigaction(noted[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(noted[i], &action, nullptr);
    }
  }
  ~Signals() { restore(); }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  void restore() {
    for (std::size_t i = 0; i < noted.size(); ++i) sigaction(noted[i], &before_[i], nullptr);
  }

 private:
  static constexpr std::array noted{SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, noted.size()> before_ = {};
};

struct Rank {
  pid_t process = -1;
  std::vector<Stream> streams;               ///< standard output and error
  std::optional<int> status = std::nullopt;  ///< of waitpid, once it has ended
};

int code_of(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

std::string end_of(int status) {
  if (!WIFSIGNALED(status)) return "ended with exit code " + std::to_string(WEXITSTATUS(status));
  return "was ended by signal " + std::to_string(WTERMSIG(status)) + " (" + ::strsignal(WTERMSIG(status)) + ")";
}

/// Why there is no process for a rank.
std::string without_process(int rank, int error) {
  std::string text = "rank " + std::to_string(rank) + " cannot be started: " + std::strerror(error);
  rlimit limit{};
  if (error == EAGAIN && ::getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    text += "; the user may have " + std::to_string(limit.rlim_cur) + " processes (ulimit -u)";
  }
  return text;
}

class StartedRanks {
 public:
  explicit StartedRanks(Options options) : options_(std::move(options)), each_(options_.ranks / options_.servers) {
    if (options_.master_addr.empty()) {
      const auto address = usable_address();
      if (!address && options_.ranks > 1) throw Problem(no_usable_address);
      options_.master_addr = address.value_or("127.0.0.1");
    }
    if (options_.master_port == 0) options_.master_port = free_port();
    board_ = std::make_shared<Board>(options_.ranks, each_, options_.separate ? 0 : options_.bytes_per_second);
  }
  /// Ends the ranks, unless they have ended, or this is one of them.
  ~StartedRanks() {
    kill_all(SIGKILL);
    for (Rank& rank : ranks_) {
      while (!rank.status && ::waitpid(rank.process, nullptr, 0) < 0 && errno == EINTR) continue;
    }
  }
  StartedRanks(const StartedRanks&) = delete;
  StartedRanks& operator=(const StartedRanks&) = delete;

  /// Forks; true in a child.
  bool start(int rank, const std::function<void(int)>& enter) {
    Pipe out = make_pipe();
    Pipe error = make_pipe();
    std::fflush(nullptr);
    const pid_t parent = ::getpid();
    const pid_t process = ::fork();
    if (process < 0) throw Problem(without_process(rank, errno));
    if (process == 0) {
      ranks_.clear();  // they are the parent's
      become_rank(rank, out.write.get(), error.write.get());
      if (enter) enter(rank / each_);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // another user namespace clears it
      if (::getppid() != parent) ::_exit(1);
      return true;
    }
    const bool plain = options_.first_alone && rank == 0;
    const std::string prefix = plain ? "" : "[rank " + std::to_string(rank) + "] ";
    Rank& own = ranks_.emplace_back();
    own.process = process;
    own.streams.emplace_back(std::move(out.read), stdout, prefix);
    own.streams.emplace_back(std::move(error.read), stderr, prefix);
    ::setpgid(process, process);
    return false;
  }

  int wait() {
    while (!all_ended()) {
      forward_all(20);
      reap();
      look_for_missing();
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
    forward_all(0);
    for (Rank& rank : ranks_) {
      for (Stream& stream : rank.streams) stream.close();
    }
    ranks_.clear();
    return code_;
  }

 private:
  void become_rank(int rank, int out, int error) const {
    ::setpgid(0, 0);
    const bool muted = options_.first_alone && rank > 0;
    const d2l::detail::Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    // The kernel stops a process in the background that reads the terminal.
    if (::isatty(STDIN_FILENO) != 0) ::dup2(nothing.get(), STDIN_FILENO);
    ::dup2(muted ? nothing.get() : out, STDOUT_FILENO);
    ::dup2(error, STDERR_FILENO);
    for (const auto& [name, value] : variables_of(options_, rank)) ::setenv(name.c_str(), value.c_str(), 1);
    Board::set_launcher(board_);
  }
  [[nodiscard]] bool all_ended() const {
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) { return rank.status.has_value(); });
  }
  void forward_all(int milliseconds) {
    std::vector<Stream*> streams;
    for (Rank& rank : ranks_) {
      for (Stream& stream : rank.streams) streams.push_back(&stream);
    }
    forward(streams, milliseconds);
  }
  void reap() {
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
      Rank& rank = ranks_[i];
      int status = 0;
      if (rank.status || ::waitpid(rank.process, &status, WNOHANG) <= 0) continue;
      forward_all(0);
      rank.status = status;
      if (code_of(status) == 0 || stopped_) continue;
      // A rank 0 whose output is shown plainly has said why.
      if (!(options_.first_alone && i == 0)) say("rank " + std::to_string(i) + " " + end_of(status));
      stop(code_of(status), Clock::now() + options_.grace);
    }
  }
  /// A rank that waits for another one to join learns nothing more when that one has ended.
  void look_for_missing() {
    if (stopped_ && *stopped_ <= Clock::now()) return;
    for (std::size_t ended = 0; ended < ranks_.size(); ++ended) {
      if (!ranks_[ended].status) continue;
      for (std::size_t i = 0; i < ranks_.size(); ++i) {
        if (ranks_[i].status || !board_->waits_for(static_cast<int>(i), static_cast<int>(ended))) continue;
        if (!stopped_) {
          say("rank " + std::to_string(ended) + " " + end_of(*ranks_[ended].status) +
              " before it joined the process group, for which the other ranks wait");
          code_ = not_joined;
        }
        stopped_ = Clock::now();
        return;
      }
    }
  }
  static void say(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }
  void stop(int code, Clock::time_point when) {
    stopped_ = when;
    code_ = code;
  }
  void kill_all(int signal) const {
    for (const Rank& rank : ranks_) ::kill(-rank.process, signal);
  }

  Options options_;
  int each_;  ///< the ranks of a server
  std::shared_ptr<Board> board_;
  std::vector<Rank> ranks_;
  std::optional<Clock::time_point> stopped_;
  bool terminated_ = false;
  int code_ = 0;
};

}  // namespace

std::string problem_of(const Options& options) {
  if (options.ranks < 1 || options.ranks > max_ranks) return "the number of ranks must be 1 to 64";
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
  if (options.servers > 1) {
    if (options.separate) {
      variables.emplace_back("D2L_SERVERS", "1");
    } else {
      variables.emplace_back("D2L_SERVERS_INSTEAD", options.instead);
    }
  }
  if (std::getenv("OMP_NUM_THREADS") == nullptr) {
    const int cores = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    variables.emplace_back("OMP_NUM_THREADS", std::to_string(std::max(cores / options.ranks, 1)));
  }
  return variables;
}

int run(const Options& options, const std::function<int(int)>& child, const std::function<void(int)>& enter) {
  Signals signals;
  StartedRanks ranks(options);
  for (int rank = 0; rank < options.ranks; ++rank) {
    if (!ranks.start(rank, enter)) continue;
    signals.restore();
    ::_exit(child(rank));
  }
  return ranks.wait();
}

void continue_as_ranks(const Options& options, const std::function<void(int)>& enter) {
  Signals signals;
  StartedRanks ranks(options);
  for (int rank = 0; rank < options.ranks; ++rank) {
    if (ranks.start(rank, enter)) return;
  }
  const int code = ranks.wait();
  std::fflush(nullptr);
  ::_exit(code);
}

}  // namespace d2l::launch
