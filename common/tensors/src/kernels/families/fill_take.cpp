// SPDX-License-Identifier: MIT
// The errors for an index out of range, on the host.
#include "kernels/families/fill_take.h"

#include <fmt/format.h>

#include "base/message.h"

namespace d2l::backend::kernels {

void fail_index(IndexUse use, std::int64_t index, std::int64_t dimension, std::int64_t n) {
  constexpr const char* names[] = {"index_select", "gather", "index", "one_hot"};
  const auto bounds = fmt::format("index {} is out of bounds for dimension {} with size {}", index, dimension, n);
  const char* sentence = bounds.c_str();
  if (use == IndexUse::index_select) sentence = "index out of range in self";
  if (use == IndexUse::one_hot) {
    sentence = index < 0 ? "Class values must be non-negative." : "Class values must be smaller than num_classes.";
  }
  detail::fail<IndexError>(names[static_cast<int>(use)], sentence,
                           sentence == bounds ? "" : fmt::format("({})", bounds), "correct the index");
}

}  // namespace d2l::backend::kernels
