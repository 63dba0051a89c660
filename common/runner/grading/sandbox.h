// SPDX-License-Identifier: MIT
// Where other people's programs are compiled and run.
#pragma once

#include <string>

#include "task.h"

namespace d2l::grading {

/// Runs programs with limits, without a network, without any file but those that they are given, and never as root.
class Sandbox {
 public:
  static constexpr int most_slots = 128;

  /// The strongest that this machine allows: bubblewrap where it works and `bubblewrap` is true, else Landlock. Finds
  /// an unused user for each slot when the caller is root. Throws runner::Stop when neither is to be had.
  explicit Sandbox(bool bubblewrap);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Runs a task as the user of `slot`; two at once must have two slots.
  [[nodiscard]] Ending run(const Task& task, int slot) const;
  /// Ends every program that runs in a sandbox now; a signal's handler may call it.
  static void end_all() noexcept;
  /// Makes `path`, and all that is in it, the user's of `slot`.
  void give(const std::filesystem::path& path, int slot) const;

  [[nodiscard]] Walls walls() const { return walls_; }
  /// What is in force, in words for a report.
  [[nodiscard]] std::string description() const;

 private:
  [[nodiscard]] User user(int slot) const { return first_user_ == 0 ? 0 : first_user_ + static_cast<User>(slot); }
  void reserve_users();
  [[nodiscard]] Ending try_out(Walls walls);

  Walls walls_ = Walls::landlock;
  User first_user_ = 0;
  int reserved_ = -1;  ///< a socket whose name says which users are taken
};

/// The environment of every task: a PATH, a home and a place for temporary files in `folder`, and `threads` for OpenMP.
std::map<std::string, std::string> plain_environment(const std::filesystem::path& folder, int threads);

}  // namespace d2l::grading
