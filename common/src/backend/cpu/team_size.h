// SPDX-License-Identifier: MIT
// TeamSize: how many threads of OpenMP work for the calling one, in a scope.
#pragma once

#include <omp.h>

namespace d2l::backend::cpu {

/// The calling thread's OpenMP team has `count` threads while this lives.
class TeamSize {
 public:
  explicit TeamSize(int count) : before_(omp_get_max_threads()) {
    if (count != before_) omp_set_num_threads(count);
    changed_ = count != before_;
  }
  ~TeamSize() {
    if (changed_) omp_set_num_threads(before_);
  }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
  bool changed_ = false;
};

}  // namespace d2l::backend::cpu
