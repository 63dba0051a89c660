// SPDX-License-Identifier: MIT
// Runs the compiler and the programs of submissions in isolation.
#pragma once

#include <filesystem>
#include <string>

#include "grading/sandbox/task.h"

namespace d2l::grading {

/// Runs programs with limits, without network access, with access to the given files only, and never as root.
class Sandbox {
 public:
  static constexpr int max_slots = 128;

  /// Uses bubblewrap where it works, else Landlock; reserves an unused user ID for each slot if the caller is root.
  /// With `more` false, uses only Landlock, seccomp and what the supervisor counts: no bubblewrap, no control groups
  /// and no file systems of its own. Throws runner::Stop when neither works. Call it before any thread starts.
  explicit Sandbox(bool more);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// Runs a task as the user of `slot`; concurrent tasks need different slots.
  [[nodiscard]] Ending run(const Task& task, int slot) const;
  /// Ends every running program; a signal handler may call it.
  static void end_all() noexcept;
  /// Changes the owner of `path` and its contents to the user of `slot`.
  void change_owner(const std::filesystem::path& path, int slot) const;

  [[nodiscard]] Isolation isolation() const { return isolation_; }
  /// Whether each working folder can be a file system of its own, which only this process and its children see.
  [[nodiscard]] bool own_disks() const { return own_disks_; }
  /// The isolation in use, in words for a report.
  [[nodiscard]] std::string description() const;

 private:
  [[nodiscard]] User user(int slot) const { return first_user_ == 0 ? 0 : first_user_ + static_cast<User>(slot); }
  void reserve_users();
  [[nodiscard]] Ending try_out(Isolation isolation);

  Isolation isolation_ = Isolation::landlock;
  bool own_disks_ = false;
  std::string groups_;  ///< the place of control groups
  User first_user_ = 0;
  int reserved_ = -1;  ///< a socket whose name reserves the user IDs
};

/// The environment of every task: PATH, a home and temporary folder in `folder`, and `threads` for OpenMP.
std::map<std::string, std::string> base_environment(const std::filesystem::path& folder, int threads);

}  // namespace d2l::grading
