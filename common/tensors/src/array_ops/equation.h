// SPDX-License-Identifier: MIT
// Equation: the letters of einsum(), as a label for each dimension.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace d2l::detail {

/// A letter, or a negative number for a dimension of an ellipsis: −1 is the last one.
using Label = int;
using Labels = std::vector<Label>;

/// The letter, or "..." for a dimension of an ellipsis.
std::string text_of(Label label);

/// What an equation says of operands with these numbers of dimensions; ValueError if it does not fit them.
class Equation {
 public:
  Equation(std::string_view text, const std::vector<std::int64_t>& dims);

  /// A label for each dimension of each operand.
  [[nodiscard]] const std::vector<Labels>& inputs() const noexcept { return inputs_; }
  /// Those of the result.
  [[nodiscard]] const Labels& output() const noexcept { return output_; }

 private:
  void read_inputs(std::string_view left, const std::vector<std::int64_t>& dims);
  void read_output(std::string_view right, std::size_t offset);
  void infer_output();

  std::vector<Labels> inputs_;
  Labels output_;
  int ellipsis_ = 0;  ///< the most dimensions that an ellipsis stands for
};

}  // namespace d2l::detail
