// SPDX-License-Identifier: MIT
// Random permutations, the same on every machine.
#pragma once

#include <cstdint>
#include <vector>

namespace d2l::detail {

/// The numbers 0 … count − 1 in an order that depends on `seed` and `epoch`; all orders are equally likely.
std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed, std::uint64_t epoch);

}  // namespace d2l::detail
