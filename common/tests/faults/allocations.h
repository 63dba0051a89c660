// SPDX-License-Identifier: MIT
// Allocations of the calling thread that fail: operator new, and aligned_alloc.
#pragma once

namespace d2l::faults {

enum class Failing { once, from_then_on };

/// Lets allocation number `count` fail, counted from 1; in the second case also all later ones.
void fail_allocation(long count, Failing failing) noexcept;
/// Ends that; true if an allocation has failed.
bool end_failing() noexcept;

}  // namespace d2l::faults
