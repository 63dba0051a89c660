// SPDX-License-Identifier: MIT
#include "parallel/reducer.h"

#include <algorithm>
#include <utility>

#include "d2l/autograd.h"
#include "d2l/factories.h"

namespace d2l::detail {

Reducer::Reducer(std::vector<Tensor> parameters, std::vector<Device> devices, std::int64_t cap, Join join,
                 Complete complete)
    : parameters_(std::move(parameters)),
      devices_(std::move(devices)),
      join_(std::move(join)),
      complete_(std::move(complete)),
      bucket_of_(parameters_.size()),
      offset_of_(parameters_.size()) {
  for (std::size_t i = parameters_.size(); i-- > 0;) {
    const Tensor& parameter = parameters_[i];
    const bool fits = !buckets_.empty() && [&] {
      const Bucket& last = buckets_.back();
      const Tensor& neighbour = parameters_[last.parameters.back()];
      return neighbour.dtype() == parameter.dtype() &&
             (last.elements + parameter.numel()) * parameter.element_size() <= cap;
    }();
    if (!fits) buckets_.emplace_back();
    Bucket& bucket = buckets_.back();
    bucket_of_[i] = buckets_.size() - 1;
    offset_of_[i] = bucket.elements;
    bucket.parameters.push_back(i);
    bucket.elements += parameter.numel();
  }
  for (Bucket& bucket : buckets_) {
    for (const Device device : devices_) {
      const auto dtype = parameters_[bucket.parameters.front()].dtype();
      bucket.flat.push_back(empty({bucket.elements}, TensorOptions(dtype).device(device)));
    }
  }
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    hooks_.push_back(
        std::make_unique<GradientHookHandle>(parameters_[i], [this, i](TensorImpl& /*leaf*/) { note(i); }));
  }
  reset();
}

void Reducer::reset() {
  noted_.assign(devices_.size() * parameters_.size(), false);
  missing_ = noted_.size();
  begun_ = 0;
  for (Bucket& bucket : buckets_) {
    bucket.missing = devices_.size() * bucket.parameters.size();
    bucket.work = {};
  }
}

Tensor Reducer::part(std::size_t replica, std::size_t parameter) const {
  const Tensor& own = parameters_[parameter];
  return buckets_[bucket_of_[parameter]].flat[replica].narrow(0, offset_of_[parameter], own.numel()).view(own.sizes());
}

void Reducer::note(std::size_t parameter) {
  if (!enabled_ || noted_[place(replica_, parameter)]) return;
  const NoGradGuard unrecorded;
  Bucket& bucket = buckets_[bucket_of_[parameter]];
  part(replica_, parameter).copy_(parameters_[parameter].grad());
  noted_[place(replica_, parameter)] = true;
  --missing_;
  --bucket.missing;
  begin_complete_buckets();
  if (missing_ == 0 && complete_) complete_();
}

void Reducer::begin_complete_buckets() {
  while (begun_ < buckets_.size() && buckets_[begun_].missing == 0) {
    Bucket& bucket = buckets_[begun_++];
    bucket.work = join_(bucket.flat);
  }
}

void Reducer::wait() {
  const NoGradGuard unrecorded;
  for (Bucket& bucket : buckets_) {
    if (bucket.missing == 0) continue;
    for (std::size_t replica = 0; replica < devices_.size(); ++replica) {
      for (const std::size_t i : bucket.parameters) {
        if (!noted_[place(replica, i)]) part(replica, i).zero_();
      }
    }
    bucket.missing = 0;
  }
  begin_complete_buckets();
  for (Bucket& bucket : buckets_) bucket.work.wait();
}

std::vector<std::uint8_t> Reducer::arrived() const {
  std::vector<std::uint8_t> arrived(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    for (std::size_t replica = 0; replica < devices_.size(); ++replica) {
      if (noted_[place(replica, i)]) arrived[i] = 1;
    }
  }
  return arrived;
}

void Reducer::write(const std::vector<std::uint8_t>& arrived) {
  const NoGradGuard unrecorded;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (arrived[i] == 0) continue;
    Tensor& grad = parameters_[i].mutable_grad();
    if (grad.defined()) {
      grad.copy_(part(replica_, i));
    } else {
      grad = part(replica_, i).clone();
    }
  }
}

std::vector<std::int64_t> Reducer::bucket_sizes() const {
  std::vector<std::int64_t> sizes;
  for (const Bucket& bucket : buckets_) {
    sizes.push_back(bucket.elements * parameters_[bucket.parameters.front()].element_size());
  }
  return sizes;
}

}  // namespace d2l::detail
