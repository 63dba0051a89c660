// SPDX-License-Identifier: MIT
// The correct log_at_end, for wrong solutions whose mistake is in log_each.
#pragma once

#include "logs.h"

std::vector<float> log_at_end(const d2l::Tensor& left, const d2l::Tensor& right) {
  return d2l::read_at_end(left, right, left.device(), d2l::norm_of_product);
}
