// SPDX-License-Identifier: MIT
#include "d2l/metrics.h"

#include <fmt/format.h>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/ops.h"

namespace d2l {

namespace {

bool have_same_sizes(const Tensor& a, IntArrayRef sizes) { return a.sizes().vec() == sizes.vec(); }

/// The predicted classes or numbers, in the shape of y.
Tensor predictions(const Tensor& y_hat, const Tensor& y) {
  if (have_same_sizes(y_hat, y.sizes())) return y_hat.round();
  auto outer = y_hat.sizes().vec();
  if (!outer.empty()) {
    const auto classes = outer.back();
    outer.pop_back();
    if (have_same_sizes(y, outer) && classes > 1) return y_hat.argmax(-1);
    if (have_same_sizes(y, outer) && classes == 1) return y_hat.squeeze(-1).round();
  }
  detail::fail<ShapeError>("accuracy",
                           fmt::format("predictions of shape {} do not fit targets of shape {}",
                                       detail::text(y_hat.sizes()), detail::text(y.sizes())),
                           detail::operands({{"y_hat", y_hat.impl().get()}, {"y", y.impl().get()}}),
                           "give y_hat the shape of y, and a last dimension of the classes");
}

}  // namespace

Tensor accuracy(const Tensor& y_hat, const Tensor& y) {
  detail::impl_of(y_hat, "accuracy");
  detail::impl_of(y, "accuracy");
  const NoGradGuard unrecorded;
  return predictions(y_hat, y).eq(y).sum();
}

Accumulator::Accumulator(std::int64_t count) {
  if (count < 0) {
    detail::fail<ValueError>("Accumulator", fmt::format("an accumulator cannot have {} sums", count), {},
                             "give the number of sums");
  }
  sums_.resize(static_cast<std::size_t>(count));
}

void Accumulator::add_all(std::initializer_list<Addend> values) {
  if (values.size() != sums_.size()) {
    detail::fail<ValueError>("Accumulator",
                             fmt::format("{} values cannot be added to {} sums", values.size(), sums_.size()), {},
                             "add one value to each sum");
  }
  for (const Addend& value : values) {
    if (!value.is_tensor_) continue;
    const auto& impl = detail::impl_of(value.tensor_, "Accumulator");
    if (impl.numel == 1) continue;
    detail::fail<ShapeError>("Accumulator",
                             fmt::format("a tensor with {} elements cannot be added to a sum", impl.numel),
                             detail::operands({{"it", &impl}}), "add its sum()");
  }
  const NoGradGuard unrecorded;
  auto sum = sums_.begin();
  for (const Addend& value : values) {
    if (value.is_tensor_) {
      const Tensor addend = value.tensor_.detach().to(kDouble).reshape({});
      // A sum of its own: the tensor may be written later.
      sum->tensors = sum->tensors.defined() ? sum->tensors + addend : addend + 0;
    } else {
      sum->numbers += value.number_;
    }
    ++sum;
  }
}

void Accumulator::reset() { sums_.assign(sums_.size(), Sum()); }

double Accumulator::operator[](std::int64_t index) const {
  const auto count = static_cast<std::int64_t>(sums_.size());
  if (index < -count || index >= count) {
    detail::fail<IndexError>("Accumulator", fmt::format("index {} is out of range of {} sums", index, count), {},
                             "the sums are numbered from 0");
  }
  const Sum& sum = sums_[static_cast<std::size_t>(index < 0 ? index + count : index)];
  return sum.tensors.defined() ? sum.numbers + sum.tensors.item<double>() : sum.numbers;
}

}  // namespace d2l
