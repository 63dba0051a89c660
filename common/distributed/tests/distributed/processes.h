// SPDX-License-Identifier: MIT
// For tests of process groups: ranks that are processes.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "distributed/ranks.h"

namespace d2l::testing {

using namespace std::chrono_literals;

/// A port of this machine that is free now.
inline int free_port() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  ::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(descriptor);
  return ntohs(address.sin_port);
}

/// Ranks that are child processes.
class Processes : public ::testing::Test {
 protected:
  void SetUp() override { SKIP_WITHOUT_GLOO(); }
  void TearDown() override {
    for (const pid_t child : children_) ::kill(child, SIGKILL);
    for (const pid_t child : children_) ::waitpid(child, nullptr, 0);
  }

  /// Starts ranks that exit with 0 if `work` returns, 2 after a DistributedError that contains `text`, else 1.
  void start(int size, const std::function<void(int)>& work, const std::string& text = "",
             std::chrono::milliseconds timeout = 20s) {
    const int port = free_port();
    for (int rank = 0; rank < size; ++rank) {
      const pid_t child = ::fork();
      if (child > 0) {
        children_.push_back(child);
        continue;
      }
      ::alarm(60);
      ::_exit(run(rank, {.rank = rank, .world_size = size, .master_port = port, .timeout = timeout}, work, text));
    }
  }
  static int run(int rank, const dist::InitOptions& options, const std::function<void(int)>& work,
                 const std::string& text) {
    try {
      dist::init_process_group("gloo", options);
      work(rank);
      dist::destroy_process_group();
      return ::testing::Test::HasFailure() ? 1 : 0;
    } catch (const DistributedError& error) {
      if (!text.empty() && std::string(error.what()).find(text) != std::string::npos) return 2;
      std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    }
    return 1;
  }
  /// Starts a rank that joins and should fail: it exits with 3 after a ConfigurationError that contains `text`, 4 after
  /// such a DistributedError, else 1.
  void join_in_child(int rank, int size, int port, const std::string& text) {
    const pid_t child = ::fork();
    if (child > 0) return children_.push_back(child);
    ::alarm(60);
    int code = 1;
    const auto code_of = [&](const std::exception& error, int found) {
      std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
      return std::string(error.what()).find(text) != std::string::npos ? found : 1;
    };
    try {
      dist::init_process_group("gloo", {.rank = rank, .world_size = size, .master_port = port});
    } catch (const ConfigurationError& error) {
      code = code_of(error, 3);
    } catch (const DistributedError& error) {
      code = code_of(error, 4);
    }
    ::_exit(code);
  }
  /// The exit codes in the order of the ranks; of a rank that a signal ended, minus its number.
  std::vector<int> finish() {
    std::vector<int> codes;
    for (const pid_t child : children_) {
      int status = 0;
      ::waitpid(child, &status, 0);
      codes.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
    }
    children_.clear();
    return codes;
  }

  std::vector<pid_t> children_;
};

}  // namespace d2l::testing
