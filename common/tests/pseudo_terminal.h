// SPDX-License-Identifier: MIT
// A process on a terminal of its own.
#pragma once

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <functional>
#include <string>

namespace d2l::tests {

/// A child process whose standard input, output and error are a terminal of 80 columns.
class PseudoTerminal {
 public:
  /// Starts a process that calls `program` and ends with what it returns.
  explicit PseudoTerminal(const std::function<int()>& program) {
    const winsize size{24, 80, 0, 0};
    process_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (process_ == 0) ::_exit(program());
  }
  ~PseudoTerminal() {
    if (process_ < 0) return;
    ::kill(process_, SIGTERM);
    ::close(terminal_);
    ::waitpid(process_, nullptr, 0);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  /// False where no terminal can be made.
  [[nodiscard]] bool is_there() const { return process_ >= 0; }

  /// What the process has printed since the last call until `part` is there, or until it ends, or for some seconds.
  std::string read_until(const std::string& part, std::chrono::milliseconds limit = std::chrono::seconds(10)) {
    std::string text;
    const auto began = std::chrono::steady_clock::now();
    while (text.find(part) == std::string::npos && std::chrono::steady_clock::now() - began < limit) {
      pollfd entry{terminal_, POLLIN, 0};
      std::array<char, 256> bytes{};
      if (::poll(&entry, 1, 100) <= 0) continue;
      const auto count = ::read(terminal_, bytes.data(), bytes.size());
      if (count <= 0) break;
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  /// Types a text. False if it cannot be written.
  [[nodiscard]] bool type(const std::string& text) const {
    return ::write(terminal_, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }

 private:
  pid_t process_ = -1;
  int terminal_ = -1;
};

}  // namespace d2l::tests
