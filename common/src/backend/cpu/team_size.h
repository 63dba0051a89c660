// SPDX-License-Identifier: MIT
// TeamSize: sets the number of OpenMP threads of the calling thread in a scope.
#pragma once

#include <omp.h>

#include "base/non_copyable.h"

namespace d2l::backend::cpu {

class TeamSize : detail::NonCopyable {
 public:
  explicit TeamSize(int count) : before_(omp_get_max_threads()) {
    if (count != before_) omp_set_num_threads(count);
    changed_ = count != before_;
  }
  ~TeamSize() {
    if (changed_) omp_set_num_threads(before_);
  }

 private:
  int before_;
  bool changed_ = false;
};

}  // namespace d2l::backend::cpu
