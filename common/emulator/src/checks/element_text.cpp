// SPDX-License-Identifier: MIT
#include "checks/element_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "arguments/parameter_names.h"

namespace d2l::emulator {
namespace {

bool is_identifier(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// Rounded down.
std::ptrdiff_t quotient(std::ptrdiff_t dividend, std::ptrdiff_t divisor) {
  return dividend >= 0 ? dividend / divisor : -((-dividend + divisor - 1) / divisor);
}

}  // namespace

ArrayName name_of_array(const Allocation& array, const std::string& kernel,
                        const std::vector<PointerArgument>& pointers) {
  ArrayName found{is_identifier(array.name) ? array.name : "", false, 0, array.shape.element};
  const PointerArgument* parameter = nullptr;
  int parameters = 0;
  for (const PointerArgument& pointer : pointers) {
    if (!array.contains(pointer.address)) continue;
    if (found.element == 0) found.element = pointer.element;
    if (parameters++ == 0) parameter = &pointer;
  }
  if (parameters != 1 || !found.name.empty()) return found;
  found.name = parameter_name(kernel, parameter->number);
  found.parameter = !found.name.empty();
  if (found.parameter) found.begin = static_cast<std::ptrdiff_t>(array.offset_of(parameter->address));
  return found;
}

std::string element_text(const Allocation& array, std::ptrdiff_t offset, std::size_t bytes, const std::string& kernel,
                         const std::vector<PointerArgument>& pointers) {
  const ArrayShape& shape = array.shape;
  const ArrayName known = name_of_array(array, kernel, pointers);
  auto size = static_cast<std::ptrdiff_t>(known.element != 0 ? known.element : bytes);
  if (known.parameter) return fmt::format("{}[{}] of {}", known.name, quotient(offset - known.begin, size), array.name);
  const bool is_scalar = shape.element != 0 && shape.dimensions == 0 && !known.name.empty();
  if (is_scalar && offset >= 0 && offset < size) return array.name;
  std::string inner;  // the indices after the first
  for (std::size_t i = shape.dimensions; i-- > 1;) {
    const auto length = static_cast<std::ptrdiff_t>(shape.lengths[i - 1]);
    inner = fmt::format("[{}]", quotient(offset, size) - quotient(offset, size * length) * length) + inner;
    size *= length;
  }
  const std::ptrdiff_t index = quotient(offset, size);
  return !known.name.empty() ? fmt::format("{}[{}]{}", array.name, index, inner)
                             : fmt::format("element {} of {}", index, array.name);
}

}  // namespace d2l::emulator
