// SPDX-License-Identifier: MIT
// Permutations that follow from a seed, the same everywhere.
#pragma once

#include <cstdint>
#include <vector>

namespace d2l::detail {

/// The numbers from 0 to before `count` in an order that follows from `seed` and `epoch`; every order is as likely.
std::vector<std::int64_t> permutation(std::int64_t count, std::uint64_t seed, std::uint64_t epoch);

}  // namespace d2l::detail
