// SPDX-License-Identifier: MIT
// Each rank marks what it has done, a byte for each example, and the marks are combined
// by their maximum. A list of numbers would take eight bytes for each, and its length
// would have to be sent first. From the combined marks and the order that all know,
// each rank finds its own part without another message.
#include "exercise.h"

using namespace d2l;

std::vector<std::int64_t> rest_of(const std::vector<std::int64_t>& order,
                                  const std::vector<std::int64_t>& done) {
  const Tensor marks = zeros({static_cast<std::int64_t>(order.size())}, kByte);
  auto* mark = marks.data_ptr<std::uint8_t>();
  for (const std::int64_t example : done) mark[example] = 1;
  distributed::all_reduce(marks, distributed::ReduceOp::MAX).wait();
  std::vector<std::int64_t> rest;
  std::int64_t left = 0;
  for (const std::int64_t example : order) {
    if (mark[example] != 0) continue;
    if (left % distributed::get_world_size() == distributed::get_rank())
      rest.push_back(example);
    ++left;
  }
  return rest;
}
