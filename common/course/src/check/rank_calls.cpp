// SPDX-License-Identifier: MIT
#include "rank_calls.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "d2l/distributed.h"

namespace d2l::check {

namespace {

constexpr auto longest_wait = std::chrono::seconds(10);

/// An error of a rank whose peer has returned, with the reason of most: a message that was begun ends with its rank.
std::string with_reason(const std::string& error) {
  if (error.find("has left the group") == std::string::npos) return error;
  return error + " Your function has returned on that rank. A message that it has begun to send is lost, unless it " +
         "calls wait() on it before it returns.";
}

bool is_from(const LedgerEntry& entry, int rank) { return entry.kind == LedgerEntry::Kind::send && entry.rank == rank; }

}  // namespace

std::string of_rank(const std::string& name, int rank) { return name + ", rank " + std::to_string(rank); }

bool attempt_ranks(Outcome& outcome, const std::string& name, int ranks, const std::function<Tensor(int)>& work) {
  std::vector<Tensor> results(static_cast<std::size_t>(ranks));
  const bool returned = outcome.attempt(name, [&] {
    try {
      distributed::run_ranks(
          ranks, [&](int rank) { results[static_cast<std::size_t>(rank)] = work(rank); }, longest_wait);
    } catch (const DistributedError& error) {
      throw DistributedError(with_reason(error.what()));
    }
  });
  for (int rank = 0; rank < ranks; ++rank) {
    const Tensor& result = results[static_cast<std::size_t>(rank)];
    if (returned && result.defined()) outcome.result(of_rank(name, rank), result);
  }
  return returned;
}

std::int64_t sent_bytes(const Recording& recording, int rank, const std::function<bool(int)>& counts) {
  std::int64_t bytes = 0;
  for (const LedgerEntry& entry : recording.entries) {
    if (is_from(entry, rank) && counts(entry.peer)) bytes += entry.bytes;
  }
  return bytes;
}

std::int64_t sent_messages(const Recording& recording, int rank) {
  std::int64_t messages = 0;
  for (const LedgerEntry& entry : recording.entries) messages += is_from(entry, rank) ? 1 : 0;
  return messages;
}

std::int64_t largest_message(const Recording& recording, int rank) {
  std::int64_t largest = 0;
  for (const LedgerEntry& entry : recording.entries) {
    if (is_from(entry, rank)) largest = std::max(largest, entry.bytes);
  }
  return largest;
}

}  // namespace d2l::check
