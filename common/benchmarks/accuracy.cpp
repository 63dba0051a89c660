// SPDX-License-Identifier: MIT
// Prints the relative error of the sum of 10⁸ floats, against the sum in double.
#include <fmt/format.h>

#include <cmath>

#include "d2l/d2l.h"

int main() {
  const auto x = d2l::rand({100'000'000});
  double exact = 0;
  for (const float value : x.to_vector<float>()) exact += static_cast<double>(value);
  const double sum = x.sum().item<double>();
  fmt::print("{}\n", std::abs(sum - exact) / exact);
}
