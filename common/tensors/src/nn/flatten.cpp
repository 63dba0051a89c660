// SPDX-License-Identifier: MIT
#include "d2l/nn/flatten.h"

#include <fmt/format.h>

#include "core/messages.h"

namespace d2l::nn {

Tensor FlattenImpl::forward(const Tensor& input) {
  const auto& impl = detail::impl_of(input, "flatten");
  const int count = impl.sizes.count;
  const int first = detail::wrap_dimension(options.start_dim(), count, "flatten");
  const int last = detail::wrap_dimension(options.end_dim(), count, "flatten");
  if (first > last) {
    detail::fail<ShapeError>(
        "flatten", "flatten() has invalid args: start_dim cannot come after end_dim",
        fmt::format("(start_dim={}, end_dim={}, {} dimensions)", options.start_dim(), options.end_dim(), count),
        "give start_dim before end_dim");
  }
  if (count == 0) return input.reshape({1});
  if (first == last) return input;
  detail::Dimensions sizes;
  for (int i = 0; i < count; ++i) {
    if (i <= first || i > last) {
      sizes[sizes.count++] = impl.sizes[i];
    } else {
      sizes[first] *= impl.sizes[i];
    }
  }
  return input.reshape(sizes.ref());
}

std::string FlattenImpl::extra_repr() const {
  return fmt::format("start_dim={}, end_dim={}", options.start_dim(), options.end_dim());
}

std::shared_ptr<Module> FlattenImpl::clone() const { return std::make_shared<FlattenImpl>(options); }

}  // namespace d2l::nn
