// SPDX-License-Identifier: MIT
// Tensors in error messages.
#include "core/messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace d2l::detail {

std::string text(IntArrayRef list) { return fmt::format("[{}]", fmt::join(list.begin(), list.end(), ", ")); }

std::string describe(const TensorImpl& tensor) {
  return fmt::format("{} {} on {}", toString(tensor.dtype), text(tensor.sizes.ref()), tensor.device().str());
}

std::string operands(std::initializer_list<std::pair<std::string_view, const TensorImpl*>> list) {
  std::string result;
  for (const auto& [name, tensor] : list) {
    if (tensor == nullptr) continue;
    result += fmt::format("{}{}: {}", result.empty() ? "(" : "; ", name, describe(*tensor));
  }
  return result.empty() ? result : result + ")";
}

void fail_undefined(const char* operation) {
  fail<ValueError>(operation, "the tensor is undefined (moved from, or never made)", {},
                   "give it a value first, for example x = d2l::zeros({2, 3})");
}

void fail_uninitialized(const char* operation) {
  const std::string_view name = operation;
  const bool shape = name == "sizes" || name == "size" || name == "strides";
  if (shape) {
    fail<ValueError>(operation,
                     "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
                     "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call "
                     "`forward` to initialize the parameters before accessing their attributes.");
  }
  fail<ValueError>(
      operation,
      fmt::format("Attempted to use an uninitialized parameter in {}. This error happens when you are using a "
                  "`LazyModule` or explicitly manipulating `torch.nn.parameter.UninitializedParameter` objects. When "
                  "using LazyModules Call `forward` with a dummy batch to initialize the parameters before calling "
                  "torch functions",
                  operation));
}

int wrap_dimension(std::int64_t dim, int count, const char* operation) {
  const std::int64_t range = count == 0 ? 1 : count;
  if (dim < -range || dim >= range) {
    fail<IndexError>(operation, fmt::format("Dimension out of range (expected to be in range of [{}, {}], but got {})",
                                            -range, range - 1, dim));
  }
  return static_cast<int>(dim < 0 ? dim + range : dim);
}

const char* cpp_name(ScalarType type) noexcept {
  constexpr std::array<const char*, scalar_type_count> names{"bool",      "unsigned char", "int",   "long int",
                                                             "c10::Half", "c10::BFloat16", "float", "double"};
  return names[static_cast<std::size_t>(type)];
}

}  // namespace d2l::detail
