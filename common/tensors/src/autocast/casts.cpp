// SPDX-License-Identifier: MIT
#include "autocast/casts.h"

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "autograd/recording.h"
#include "core/messages.h"

namespace d2l::detail {

namespace {

/// A parameter in another dtype, which is valid as long as the parameter is that object and has not been written.
struct Converted {
  std::weak_ptr<TensorImpl> parameter;
  std::uint32_t version = 0;
  Tensor tensor;
};

thread_local std::unordered_map<const TensorImpl*, Converted> converted_parameters;

bool is_converted(const Tensor& x, DeviceType type) {
  return x.defined() && x.device().type() == type && isFloatingType(x.dtype()) && x.dtype() != kDouble;
}

/// Whether the result is kept: that of a parameter, with its history.
bool is_kept(const Tensor& x, ScalarType dtype, DeviceType type) {
  if (!autocast_state.cached || !grad_mode) return false;
  const TensorImpl& impl = *x.impl();
  return dtype == autocast_state.dtype[place_of(type)] && impl.dtype == kFloat && impl.requires_grad &&
         impl.grad_fn == nullptr && impl.base == nullptr;
}

}  // namespace

AutocastAgain::AutocastAgain(const AutocastState& state) : before_(autocast_state) {
  autocast_state = state;
  autocast_state.depth = 1;
  forget_converted_parameters();
}
AutocastAgain::~AutocastAgain() {
  autocast_state = before_;
  forget_converted_parameters();
}

void forget_converted_parameters() noexcept { converted_parameters.clear(); }

bool follows(CastRule rule, const Tensor& x) noexcept {
  if (!x.defined()) return false;
  const DeviceType type = x.impl()->device().type();
  if (!autocast_state.on[place_of(type)]) return false;
  return type != kCPU || rule == CastRule::low || rule == CastRule::full || rule == CastRule::widest;
}

ScalarType cast_type(CastRule rule, const std::vector<const Tensor*>& operands) {
  const DeviceType type = operands.front()->device().type();
  const ScalarType low = autocast_state.dtype[place_of(type)];
  if (rule == CastRule::low || rule == CastRule::low_on_gpu) return low;
  if (rule == CastRule::full || rule == CastRule::full_on_gpu) return kFloat;
  ScalarType widest = low;
  for (const Tensor* const operand : operands) {
    if (!is_converted(*operand, type)) continue;
    const ScalarType dtype = operand->dtype();
    if (dtype == kFloat || widest == kFloat) {
      widest = kFloat;
    } else if (dtype != low) {
      fail<TypeError>("autocast", "Unexpected floating ScalarType in at::autocast::prioritize",
                      detail::operands({{"it", operand->impl().get()}}),
                      "convert it, or choose its dtype for the Autocast");
    }
  }
  return widest;
}

Tensor cast_operand(const Tensor& x, ScalarType dtype, DeviceType type) {
  if (!is_converted(x, type) || x.dtype() == dtype) return x;
  if (!is_kept(x, dtype, type)) return x.to(dtype);
  Converted& kept = converted_parameters[x.impl().get()];
  const auto version = x.impl()->storage->version();
  if (kept.tensor.defined() && kept.version == version && kept.tensor.dtype() == dtype &&
      kept.parameter.lock() == x.impl()) {
    return kept.tensor;
  }
  kept = {x.impl(), version, x.to(dtype)};
  return kept.tensor;
}

}  // namespace d2l::detail
