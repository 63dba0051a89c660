// SPDX-License-Identifier: MIT
// Both functions for any norm of a product. With norm_of_product they are correct.
#pragma once

#include "exercise.h"

namespace d2l {

inline Tensor norm_of_product(const Tensor& left, const Tensor& right) { return left.mm(right).norm(); }

/// Reads each norm before it issues the next product.
template <class Norm>
std::vector<float> read_each(const Tensor& left, const Tensor& right, const Norm& norm) {
  std::vector<float> log;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log.push_back(norm(left[i], right[j]).template item<float>());
  }
  return log;
}

/// Collects the norms in a tensor on `device` and reads it at the end.
template <class Norm>
std::vector<float> read_at_end(const Tensor& left, const Tensor& right, Device device, const Norm& norm) {
  const Tensor log = empty({left.size(0), right.size(0)}, device);
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    for (std::int64_t j = 0; j < right.size(0); ++j) log[i][j].copy_(norm(left[i], right[j]));
  }
  return log.to_vector<float>();
}

}  // namespace d2l
