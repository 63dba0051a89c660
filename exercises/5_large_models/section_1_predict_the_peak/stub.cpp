// SPDX-License-Identifier: MIT
#include "exercise.h"

std::int64_t peak_bytes(const std::vector<std::int64_t>& widths, std::int64_t examples,
                        const std::string& /*optimizer*/) {
  // TODO: these are the bytes of the batch alone.
  return 4 * examples * (widths.front() + widths.back());
}

std::int64_t largest_batch(const std::vector<std::int64_t>& /*widths*/,
                           const std::string& /*optimizer*/, std::int64_t memory) {
  // TODO: a byte for each example is a little optimistic.
  return memory;
}
