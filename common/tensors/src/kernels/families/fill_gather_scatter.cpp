// SPDX-License-Identifier: MIT
// The error for a class index out of range, on the host.
#include "kernels/families/fill_gather_scatter.h"

#include <fmt/format.h>

#include "base/message.h"

namespace d2l::backend::kernels {

void fail_target(std::int64_t target, std::int64_t classes) {
  detail::fail<IndexError>("cross_entropy", fmt::format("Target {} is out of bounds.", target),
                           fmt::format("(there are {} classes, from 0 to {})", classes, classes - 1),
                           "correct the label, give the model an output for it, or leave it out by ignore_index");
}

}  // namespace d2l::backend::kernels
