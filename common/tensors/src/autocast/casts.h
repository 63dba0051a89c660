// SPDX-License-Identifier: MIT
// The dtypes that operations choose while an Autocast exists, by PyTorch's lists, and the conversion of their operands.
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "base/non_copyable.h"
#include "d2l/tensor.h"

namespace d2l::detail {

/// In which dtype an operation computes.
enum class CastRule {
  low,          ///< the one of the Autocast
  low_on_gpu,   ///< the same on a GPU; on the CPU it is not on a list
  full,         ///< float32
  full_on_gpu,  ///< the same on a GPU
  widest,       ///< float32 if an operand has it, else the one of the Autocast
  widest_on_gpu
};

/// What Autocast sets, by the type of the device.
struct AutocastState {
  std::array<bool, 2> on{};
  std::array<ScalarType, 2> dtype{kBFloat16, kHalf};
  bool cached = true;
  int depth = 0;  ///< of nested scopes
};
inline constinit thread_local AutocastState autocast_state;

/// The place of a type of device in its arrays. All GPUs of a process have one type.
constexpr std::size_t place_of(DeviceType type) noexcept { return type == kCPU ? 0 : 1; }
/// Whether there is an Autocast for a type of device.
inline bool is_any_autocast_on() noexcept { return autocast_state.on[0] || autocast_state.on[1]; }

/// No operation of this thread converts its operands, in a scope.
class AutocastOff : NonCopyable {
 public:
  AutocastOff() noexcept : before_(autocast_state.on) { autocast_state.on = {}; }
  ~AutocastOff() { autocast_state.on = before_; }

 private:
  std::array<bool, 2> before_;
};

/// The state of another scope, until it is restored; conversions of parameters are not kept beyond it.
class AutocastAgain : NonCopyable {
 public:
  explicit AutocastAgain(const AutocastState& state);
  ~AutocastAgain();

 private:
  AutocastState before_;
};

/// Whether an operation with this rule converts its operands, of which `x` is the first; false for an undefined tensor.
bool follows(CastRule rule, const Tensor& x) noexcept;
inline bool autocasts(CastRule rule, const Tensor& x) noexcept { return is_any_autocast_on() && follows(rule, x); }
/// Frees the converted parameters.
void forget_converted_parameters() noexcept;

/// The dtype for these operands, which may be undefined; TypeError for a second 16-bit dtype beside that of the
/// Autocast.
ScalarType cast_type(CastRule rule, const std::vector<const Tensor*>& operands);
/// The operand in this dtype, if operands like it are converted: floating point but not float64, on a device of the
/// type.
Tensor cast_operand(const Tensor& x, ScalarType dtype, DeviceType type);

/// The operand of an operation without others, converted if autocasts().
inline Tensor cast_alone(CastRule rule, const Tensor& x) {
  return autocasts(rule, x) ? cast_operand(x, cast_type(rule, {&x}), x.device().type()) : x;
}

/// Calls `function` with the converted operands, for which nothing is converted. Only if autocasts().
template <class Function, class... Operands>
auto with_casts(CastRule rule, const Function& function, const Tensor& first, const Operands&... others) {
  const DeviceType type = first.device().type();
  const ScalarType dtype = cast_type(rule, {&first, &others...});
  const AutocastOff off;
  // From the last to the first, with every compiler: the gradients are converted in the reverse order, and the peak of
  // the memory depends on it.
  const std::array<const Tensor*, 1 + sizeof...(Operands)> operands{&first, &others...};
  std::array<Tensor, operands.size()> converted;
  for (std::size_t i = operands.size(); i-- > 0;) converted[i] = cast_operand(*operands[i], dtype, type);
  return std::apply(function, converted);
}

/// The same with a list of operands.
template <class Function>
auto with_casts(CastRule rule, const Function& function, const std::vector<Tensor>& operands) {
  const DeviceType type = operands.front().device().type();
  std::vector<const Tensor*> all;
  for (const Tensor& operand : operands) all.push_back(&operand);
  const ScalarType dtype = cast_type(rule, all);
  const AutocastOff off;
  std::vector<Tensor> converted;
  converted.reserve(operands.size());
  for (const Tensor& operand : operands) converted.push_back(cast_operand(operand, dtype, type));
  return function(converted);
}

}  // namespace d2l::detail
