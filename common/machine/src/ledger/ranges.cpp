// SPDX-License-Identifier: MIT
// Ranges: a list for each thread, entries in the ledgers, and NVTX on a card.
#include "ledger/ranges.h"

#include <utility>
#include <vector>

#include "backend/tool_ranges.h"
#include "d2l/error.h"
#include "d2l/nvtx.h"
#include "ledger/ledger.h"

namespace d2l {

namespace detail {
namespace {

struct OpenRange {
  std::string name;
  std::string path;
};

std::vector<OpenRange>& open_ranges() noexcept {
  static thread_local std::vector<OpenRange> ranges;
  return ranges;
}

}  // namespace

const std::string& range_of_thread() noexcept {
  static const std::string none;
  const auto& ranges = open_ranges();
  return ranges.empty() ? none : ranges.back().path;
}

}  // namespace detail

namespace cuda::nvtx {

using Kind = LedgerEntry::Kind;

int range_push(const std::string& name) {
  auto& ranges = detail::open_ranges();
  ranges.push_back({name, ranges.empty() ? name : ranges.back().path + "/" + name});
  backend::push_tool_range(name.c_str());
  if (detail::ledger_is_open()) detail::record({.kind = Kind::range_push, .name = name});
  return static_cast<int>(ranges.size()) - 1;
}

int range_pop() {
  auto& ranges = detail::open_ranges();
  if (ranges.empty()) {
    throw Error("[range_pop] no range of this thread is open. Call range_push() before it, in the same thread");
  }
  if (detail::ledger_is_open()) detail::record({.kind = Kind::range_pop, .name = ranges.back().name});
  backend::pop_tool_range();
  ranges.pop_back();
  return static_cast<int>(ranges.size());
}

range::~range() {
  try {
    range_pop();
  } catch (...) {  // the range was closed by hand, or there is no memory for an entry in a ledger
    static_cast<void>(0);
  }
}

}  // namespace cuda::nvtx

}  // namespace d2l
