// SPDX-License-Identifier: MIT
// TensorData, and tensor(): tensors from nested lists.
#include <fmt/format.h>

#include <algorithm>

#include "core/construct.h"
#include "core/messages.h"
#include "d2l/factories.h"
#include "ops/element_type.h"
#include "values/number_range.h"

namespace d2l {

TensorData::TensorData(Scalar value) : type_(value.type()), values_{value} {}

TensorData::TensorData(std::initializer_list<TensorData> list) {
  sizes_.push_back(static_cast<std::int64_t>(list.size()));
  if (list.size() == 0) return;
  const TensorData& first = *list.begin();
  sizes_.insert(sizes_.end(), first.sizes_.begin(), first.sizes_.end());
  bool any = false;
  for (const TensorData& part : list) {
    if (expected_.empty() && !part.expected_.empty()) {
      ragged_dim_ = part.ragged_dim_ + 1;
      expected_ = part.expected_;
      found_ = part.found_;
    }
    if (expected_.empty() && part.sizes_ != first.sizes_) note_ragged(first.sizes_, part.sizes_);
    if (!part.values_.empty()) {
      type_ = any ? std::max(type_, part.type_) : part.type_;
      any = true;
    }
    values_.insert(values_.end(), part.values_.begin(), part.values_.end());
  }
}

void TensorData::note_ragged(const std::vector<std::int64_t>& expected, const std::vector<std::int64_t>& found) {
  const auto shared = std::min(expected.size(), found.size());
  const auto differs = static_cast<std::size_t>(
      std::mismatch(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(shared), found.begin()).first -
      expected.begin());
  ragged_dim_ = static_cast<int>(differs) + 1;
  expected_ = differs < expected.size() ? fmt::format("expected sequence of length {}", expected[differs])
                                        : std::string("expected a number");
  found_ = differs < found.size() ? fmt::format("{}", found[differs]) : std::string("a number, not a sequence");
}

std::string TensorData::problem() const {
  if (expected_.empty()) return {};
  return fmt::format("{} at dim {} (got {})", expected_, ragged_dim_, found_);
}

namespace {

using detail::TensorImpl;

void write_values(const TensorImpl& out, const std::vector<Scalar>& values) {
  detail::with_element_type(out.dtype, [&]<class T>() {
    auto* to = static_cast<T*>(out.data());
    for (const Scalar& value : values) *to++ = value.to<T>();
  });
}

void check_values(const std::vector<Scalar>& values, ScalarType dtype) {
  if (dtype != kDouble && isFloatingType(dtype)) return;  // too large a number is infinite there
  for (const Scalar& value : values) {
    if (detail::representable(value, dtype)) continue;
    detail::fail<ValueError>("tensor",
                             fmt::format("value cannot be converted to type {} without overflow",
                                         repr(dtype).substr(std::string("torch.").size())),
                             {}, "choose a dtype that holds it");
  }
}

}  // namespace

Tensor tensor(const TensorData& data, const TensorOptions& options) {
  if (const auto problem = data.problem(); !problem.empty()) {
    detail::fail<ShapeError>("tensor", problem, {}, "give every list of a level the same length");
  }
  const auto own = data.type() == kDouble ? kFloat : data.type();
  const auto dtype = options.has_dtype() ? options.dtype() : own;
  check_values(data.values(), dtype);
  const auto sizes = detail::dimensions(data.sizes(), "tensor");
  const Device device = options.device();
  const bool pinned = options.pinned_memory() && device.is_cpu();
  auto host = detail::make_tensor(sizes, dtype, Device(kCPU), pinned, "tensor");
  write_values(*host.impl(), data.values());
  return detail::with_gradient(device.is_cpu() ? host : host.to(device), options);
}

Tensor tensor(std::initializer_list<TensorData> data, const TensorOptions& options) {
  return tensor(TensorData(data), options);
}

}  // namespace d2l
