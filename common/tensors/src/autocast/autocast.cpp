// SPDX-License-Identifier: MIT
#include "d2l/autocast.h"

#include <fmt/format.h>

#include "autocast/casts.h"
#include "core/messages.h"
#include "d2l/repr.h"

namespace d2l::amp {

using detail::autocast_state;
using detail::place_of;

bool is_autocast_enabled(DeviceType type) noexcept { return autocast_state.on[place_of(type)]; }
ScalarType get_autocast_dtype(DeviceType type) noexcept { return autocast_state.dtype[place_of(type)]; }
bool is_autocast_cache_enabled() noexcept { return autocast_state.cached; }

Autocast::Autocast(DeviceType type, std::optional<ScalarType> dtype, bool enabled, std::optional<bool> cache_enabled)
    : type_(type),
      on_before_(is_autocast_enabled(type)),
      dtype_before_(get_autocast_dtype(type)),
      cached_before_(is_autocast_cache_enabled()) {
  const ScalarType chosen = dtype.value_or(dtype_before_);
  if (!isReducedFloatingType(chosen)) {
    detail::fail<ValueError>("Autocast", fmt::format("the dtype is {}, in which it cannot compute", repr(chosen)), {},
                             "choose kBFloat16 or kHalf");
  }
  autocast_state.on[place_of(type)] = enabled;
  autocast_state.dtype[place_of(type)] = chosen;
  autocast_state.cached = cache_enabled.value_or(cached_before_);
  ++autocast_state.depth;
}

Autocast::~Autocast() {
  autocast_state.on[place_of(type_)] = on_before_;
  autocast_state.dtype[place_of(type_)] = dtype_before_;
  autocast_state.cached = cached_before_;
  if (--autocast_state.depth == 0) detail::forget_converted_parameters();
}

}  // namespace d2l::amp
