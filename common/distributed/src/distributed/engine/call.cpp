// SPDX-License-Identifier: MIT
#include "distributed/engine/call.h"

#include <fmt/format.h>

#include <array>

namespace d2l::distributed::detail {

namespace {

constexpr std::array names{"all_reduce", "broadcast",  "reduce", "all_gather", "reduce_scatter", "scatter",
                           "gather",     "all_to_all", "send",   "recv",       "barrier",        "new_group"};
constexpr std::array op_names{"SUM", "AVG", "PRODUCT", "MIN", "MAX"};

bool has_op(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::reduce ||
         collective == Collective::reduce_scatter;
}

bool same(const Call& a, const Call& b) {
  return a.collective == b.collective && a.op == b.op && a.dtype == b.dtype && a.root == b.root &&
         a.devices == b.devices && a.count == b.count && a.number == b.number;
}

}  // namespace

const char* name_of(Collective collective) { return names[static_cast<std::size_t>(collective)]; }

std::string describe(const Call& call) {
  if (call.collective == Collective::barrier || call.collective == Collective::new_group) {
    return name_of(call.collective);
  }
  if (call.collective == Collective::all_to_all) {  // its parts may have different sizes
    return fmt::format("all_to_all of {}", toString(static_cast<ScalarType>(call.dtype)));
  }
  std::string text =
      fmt::format("{} of {} {}", name_of(call.collective), call.count, toString(static_cast<ScalarType>(call.dtype)));
  if (has_op(call.collective)) text += fmt::format(" with {}", op_names[static_cast<std::size_t>(call.op)]);
  if (call.root >= 0) text += fmt::format(", root {}", call.root);
  if (call.devices > 1) text += fmt::format(", on {} devices", call.devices);
  return text;
}

std::string difference(const std::vector<Call>& calls, int own, const std::vector<int>& global) {
  const Call& mine = calls[static_cast<std::size_t>(own)];
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (same(mine, calls[i])) continue;
    std::string said = describe(mine);
    std::string other = describe(calls[i]);
    if (said == other) {
      said += fmt::format(", collective number {}", mine.number);
      other += fmt::format(", collective number {}", calls[i].number);
    }
    return fmt::format("the ranks call different collectives (rank {}: {}; rank {}: {})",
                       global[static_cast<std::size_t>(own)], said, global[i], other);
  }
  return {};
}

}  // namespace d2l::distributed::detail
