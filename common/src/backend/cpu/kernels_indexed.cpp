// SPDX-License-Identifier: MIT
// The kernels of fill_indexed.h, compiled for the host, and what they say of an index that is none.
#include <fmt/format.h>

#include "backend/cpu/tables.h"
#include "kernels/fill_indexed.h"
#include "messages.h"

namespace d2l::backend {

void kernels::fail_target(std::int64_t target, std::int64_t classes) {
  detail::fail<IndexError>("cross_entropy", fmt::format("Target {} is out of bounds.", target),
                           fmt::format("(there are {} classes, from 0 to {})", classes, classes - 1),
                           "correct the label, give the model an output for it, or leave it out by ignore_index");
}

void add_indexed_kernels(KernelTable& table) { kernels::fill_indexed<kernels::Host>(table); }

}  // namespace d2l::backend
