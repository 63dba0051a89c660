// SPDX-License-Identifier: MIT
// For checks of functions that several ranks call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "d2l/check.h"

namespace d2l::check {

/// Calls `work(rank)` on ranks that are threads, and stores the ledger of all under `name` and what rank r returned as
/// "name, rank r". Returns false, and stores the error, if one threw or waited for the others in vain.
bool attempt_ranks(Outcome& outcome, const std::string& name, int ranks, const std::function<Tensor(int rank)>& work);
/// "name, rank r".
std::string of_rank(const std::string& name, int rank);
/// The bytes that a rank sent to the ranks for which `counts` is true.
std::int64_t sent_bytes(const Recording& recording, int rank, const std::function<bool(int peer)>& counts);
/// The number of messages that a rank sent.
std::int64_t sent_messages(const Recording& recording, int rank);
/// The bytes of the largest message that a rank sent; 0 if it sent none.
std::int64_t largest_message(const Recording& recording, int rank);

}  // namespace d2l::check
