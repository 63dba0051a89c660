// SPDX-License-Identifier: MIT
#include "exercise.h"

using namespace d2l;

std::vector<std::int64_t> rest_of(const std::vector<std::int64_t>& order,
                                  const std::vector<std::int64_t>& done) {
  // TODO: this rank begins the epoch again, from its end, and asks no other.
  static_cast<void>(done);
  return {order.rbegin(), order.rend()};
}
