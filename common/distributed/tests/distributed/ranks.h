// SPDX-License-Identifier: MIT
// For tests of process groups: ranks that are threads, and their values.
#pragma once

#include <algorithm>
#include <cmath>

#include "d2l/distributed.h"
#include "every_device.h"

#define SKIP_WITHOUT_GLOO() \
  if (!d2l::distributed::detail::has_gloo()) GTEST_SKIP() << "this build has no Gloo"

namespace d2l::distributed::detail {
bool has_gloo();
}

namespace d2l::testing {

namespace dist = d2l::distributed;

/// The world sizes with which all collectives are tested.
inline constexpr int world_sizes[] = {1, 2, 3, 4, 7};

/// Element i of a rank: small, so that products and sums of bytes are exact, and different on each rank.
inline double element_of(int rank, std::int64_t i, ScalarType dtype) {
  const auto mixed = (static_cast<std::int64_t>(rank) * 7 + i * 3) % 5;
  if (dtype == kBool) return mixed % 2 == 0 ? 1 : 0;
  if (dtype == kByte) return static_cast<double>(mixed % 2 + 1);
  return static_cast<double>(mixed) - 2 + (dtype == kFloat || dtype == kDouble ? 0.5 : 0);
}

inline std::vector<double> elements_of(int rank, std::int64_t count, ScalarType dtype) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) values[static_cast<std::size_t>(i)] = element_of(rank, i, dtype);
  return values;
}

/// A tensor with these values; every second element of a longer one if it is not contiguous.
inline Tensor tensor_of(const std::vector<double>& values, ScalarType dtype, Device device, bool contiguous = true) {
  const auto count = static_cast<std::int64_t>(values.size());
  auto copy = values;
  const Tensor row = from_blob(copy.data(), {count}, kDouble).to(dtype, /*non_blocking=*/false, /*copy=*/true);
  if (contiguous) return row.to(device);
  const Tensor twice = zeros({2 * count}, TensorOptions(dtype).device(device));
  Tensor half = twice.slice(0, 0, std::nullopt, 2);
  return half.copy_(row);
}

/// The join of one element of each rank, in double precision.
inline double joined(dist::ReduceOp op, const std::vector<double>& values, ScalarType dtype) {
  double result = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) {
    switch (op) {
      case dist::ReduceOp::SUM:
      case dist::ReduceOp::AVG:
        result += values[i];
        break;
      case dist::ReduceOp::PRODUCT:
        result *= values[i];
        break;
      case dist::ReduceOp::MIN:
        result = std::min(result, values[i]);
        break;
      case dist::ReduceOp::MAX:
        result = std::max(result, values[i]);
    }
  }
  if (op == dist::ReduceOp::AVG) result /= static_cast<double>(values.size());
  if (dtype == kBool) return result != 0 ? 1 : 0;
  return result;
}

/// The join of the elements of `ranks` ranks.
inline std::vector<double> joined_elements(dist::ReduceOp op, int ranks, std::int64_t count, ScalarType dtype) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    std::vector<double> each;
    for (int rank = 0; rank < ranks; ++rank) each.push_back(element_of(rank, i, dtype));
    values[static_cast<std::size_t>(i)] = joined(op, each, dtype);
  }
  return values;
}

inline constexpr dist::ReduceOp every_op[] = {dist::ReduceOp::SUM, dist::ReduceOp::AVG, dist::ReduceOp::PRODUCT,
                                              dist::ReduceOp::MIN, dist::ReduceOp::MAX};

/// Whether a dtype has the operation.
inline bool has_op(ScalarType dtype, dist::ReduceOp op) {
  return op != dist::ReduceOp::AVG || dtype == kFloat || dtype == kDouble;
}

/// EXPECT_EQ up to the rounding of an average of floats.
inline void expect_values(const Tensor& tensor, const std::vector<double>& expected) {
  const auto found = tensor.to_vector<double>();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], 1e-6 * std::fabs(expected[i])) << "element " << i;
  }
}

/// A tensor on each of the first GPUs, of elements_of() that number.
inline std::vector<Tensor> on_gpus(int count, std::int64_t length, ScalarType dtype, bool contiguous = true) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < count; ++i) {
    tensors.push_back(tensor_of(elements_of(i, length, dtype), dtype, gpu(i), contiguous));
  }
  return tensors;
}

}  // namespace d2l::testing
