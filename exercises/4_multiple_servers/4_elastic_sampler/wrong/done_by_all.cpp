// SPDX-License-Identifier: MIT
// Leaves out only what all ranks have done.
// Fails: all: examples
// Fails: parts: examples
#include "exercise.h"

using namespace d2l;

std::vector<std::int64_t> rest_of(const std::vector<std::int64_t>& order, const std::vector<std::int64_t>& done) {
  const Tensor marks = zeros({static_cast<std::int64_t>(order.size())}, kByte);
  auto* mark = marks.data_ptr<std::uint8_t>();
  for (const std::int64_t example : done) mark[example] = 1;
  distributed::all_reduce(marks, distributed::ReduceOp::MIN).wait();
  std::vector<std::int64_t> rest;
  std::int64_t left = 0;
  for (const std::int64_t example : order) {
    if (mark[example] != 0) continue;
    if (left % distributed::get_world_size() == distributed::get_rank()) rest.push_back(example);
    ++left;
  }
  return rest;
}
