// SPDX-License-Identifier: MIT
// The correct log_each, for wrong solutions whose mistake is in log_at_end.
#pragma once

#include "logs.h"

std::vector<float> log_each(const d2l::Tensor& left, const d2l::Tensor& right) {
  return d2l::read_each(left, right, d2l::norm_of_product);
}
