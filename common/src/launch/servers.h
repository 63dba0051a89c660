// SPDX-License-Identifier: MIT
// Servers on one machine: network namespaces that a slow link joins.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace d2l::launch {

/// Network namespaces 10.77.0.1, 10.77.0.2 …, each held by a process. It needs no root where the kernel allows user
/// namespaces, and the programs ip and tc.
class Servers {
 public:
  /// Makes `count` servers. If that fails, problem() says why, and there are none.
  Servers(int count, const std::string& rate);
  ~Servers();
  Servers(const Servers&) = delete;
  Servers& operator=(const Servers&) = delete;

  [[nodiscard]] const std::string& problem() const { return problem_; }
  /// The address of server 0.
  [[nodiscard]] static std::string master_addr() { return "10.77.0.1"; }
  /// Moves the calling process into a server; exits with 1 if that fails.
  void enter(int server) const;

 private:
  bool make(int count, const std::string& rate);
  bool run(const std::vector<std::string>& command);

  std::vector<pid_t> holders_;
  std::string problem_;
};

/// Whether a text is a rate as tc reads it: "1Gbit", "100Mbit", "500kbit".
bool is_rate(const std::string& text);

}  // namespace d2l::launch
