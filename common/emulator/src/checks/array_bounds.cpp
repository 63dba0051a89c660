// SPDX-License-Identifier: MIT
// Indices beyond arrays whose length the compiler knows: code compiled with -fsanitize=bounds calls the function below
// before it uses such an index. The other checks see addresses, and skip those of local variables.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/checker.h"
#include "execution/current.h"
#include "execution/worker.h"

namespace d2l::emulator {
namespace {

/// What the compiler tells of a type.
struct TypeText {
  std::uint16_t kind;
  std::uint16_t info;  ///< of a whole number: bit 0 is set if it has a sign, the others are log2 of its bits
  char name[1];        ///< of unknown length, in quotes: 'int [8]'

  [[nodiscard]] std::string_view text() const {
    std::string_view quoted = name;
    if (quoted.size() >= 2 && quoted.front() == '\'') quoted = quoted.substr(1, quoted.size() - 2);
    return quoted;
  }
};
/// What the compiler tells of an index.
struct ArrayIndex {
  const char* file;
  std::uint32_t line;
  std::uint32_t column;
  const TypeText* array;
  const TypeText* index;

  [[nodiscard]] std::string value(std::uintptr_t bits) const {
    const unsigned unused = 64U - std::min(64U, 1U << (index->info >> 1U));
    const bool has_sign = (index->info & 1U) != 0;
    if (has_sign) return std::to_string(static_cast<std::int64_t>(std::uint64_t{bits} << unused) >> unused);
    return std::to_string(std::uint64_t{bits} << unused >> unused);
  }
  /// The length of the array; 0 if it is not known.
  [[nodiscard]] std::size_t length() const {
    const std::string_view text = array->text();
    const std::size_t bracket = text.find('[');
    std::size_t number = 0;
    if (bracket != std::string_view::npos) {
      std::from_chars(text.data() + bracket + 1, text.data() + text.size(), number);
    }
    return number;
  }
};

/// True if a shared variable of the block has a dimension of this length. The access is then judged by its address, and
/// the report names the variable; kernels also walk through all of a shared array by its last index.
bool may_be_shared(const Block& block, std::size_t length) {
  for (const SharedRange& range : block.shared) {
    if (range.shape.element == 0) continue;
    std::size_t first = range.bytes / range.shape.element;
    for (std::size_t i = 0; i + 1 < range.shape.dimensions; ++i) {
      if (range.shape.lengths[i] == length) return true;
      first /= std::max<std::size_t>(1, range.shape.lengths[i]);
    }
    if (first == length) return true;
  }
  return false;
}

}  // namespace

void Checker::report_index(std::string_view type, const std::string& index, const void* caller) {
  if (!reports_.is_new("index", caller)) return;
  reports_.add(FaultKind::illegal_address,
               fmt::format("{}: index {} of an array of type {}", describe("out of bounds", caller), index, type));
}

/// True if the thread must end.
static bool report_index(const ArrayIndex& what, std::uintptr_t index, const void* caller) {
  Worker* const worker = current_state.worker;
  if (worker == nullptr || worker->fiber == nullptr || worker->checker == nullptr) return false;
  const OwnCode own;
  if (may_be_shared(*worker->block, what.length())) return false;
  worker->checker->report_index(what.array->text(), what.value(index), caller);
  return true;
}

}  // namespace d2l::emulator

#ifdef D2L_CHECKS_INDICES  // else the function is that of the undefined-behaviour sanitizer
// NOLINTNEXTLINE: the name is the compiler's
extern "C" void __ubsan_handle_out_of_bounds(const d2l::emulator::ArrayIndex* what, std::uintptr_t index) {
  using d2l::emulator::current_state;
  if (!current_state.instrumented || current_state.own_code) return;
  if (d2l::emulator::report_index(*what, index, __builtin_return_address(0))) current_state.worker->stop_thread();
}
#endif
