// SPDX-License-Identifier: MIT
// Call: what a rank says of the collective that it calls, before any data is sent. It is sent as bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/distributed/reduce_op.h"
#include "d2l/dtype.h"

namespace d2l::distributed::detail {

enum class Collective : std::int32_t {
  all_reduce,
  broadcast,
  reduce,
  all_gather,
  reduce_scatter,
  scatter,
  gather,
  all_to_all,
  send,
  recv,
  barrier,
  new_group
};
/// "all_reduce".
const char* name_of(Collective collective);

struct Call {
  Collective collective = Collective::barrier;
  std::int32_t op = 0;       ///< a ReduceOp
  std::int32_t dtype = 0;    ///< a ScalarType
  std::int32_t root = -1;    ///< src or dst; -1 for collectives without
  std::int32_t devices = 1;  ///< of each process
  std::int32_t padding = 0;  ///< no byte that is sent is undefined
  std::int64_t count = 0;    ///< elements of one tensor
  std::int64_t number = 0;   ///< of the collective in its group, from 0
};

/// "all_reduce of 100 Float with SUM".
std::string describe(const Call& call);
/// What differs between the ranks' calls; empty if nothing does. `global` has the rank in the group of all of each.
std::string difference(const std::vector<Call>& calls, int own, const std::vector<int>& global);

}  // namespace d2l::distributed::detail
