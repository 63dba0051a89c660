// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

#include "base/message.h"
#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"
#include "d2l/nn/parameter.h"
#include "d2l/parallel.h"
#include "parallel/reducer.h"

namespace d2l::nn::parallel {

using d2l::detail::fail;

/// What DistributedDataParallel does during backward().
class DistributedDataParallel::Reducer : d2l::detail::NonCopyable {
 public:
  Reducer(const std::vector<Tensor>& parameters, const DistributedDataParallelOptions& given)
      : options(given),
        reducer_(
            parameters, {parameters.front().device()}, static_cast<std::int64_t>(given.bucket_cap_mb * (1 << 20)),
            [group = given.process_group](const std::vector<Tensor>& flat) {
              return distributed::all_reduce(flat, distributed::ReduceOp::AVG, group);
            },
            [this] { finish(); }) {}

  void check_finished() const {
    if (!reducer_.is_partial()) return;
    fail<ValueError>("DistributedDataParallel",
                     "Expected to have finished reduction in the prior iteration before starting a new one.",
                     "(some parameters got no gradient in the last backward(), so their bucket was not joined)",
                     "use all parameters in each forward(), or leave the others out of the module");
  }
  void pause() {
    check_finished();
    ++paused_;
    reducer_.enable(false);
  }
  void resume() noexcept { reducer_.enable(--paused_ == 0); }
  [[nodiscard]] bool joins() const { return paused_ == 0; }
  [[nodiscard]] std::vector<std::int64_t> bucket_sizes() const { return reducer_.bucket_sizes(); }

  const DistributedDataParallelOptions options;

 private:
  void finish() {
    reducer_.wait();
    reducer_.write();
    reducer_.reset();
  }

  d2l::detail::Reducer reducer_;
  int paused_ = 0;
};

namespace {

std::vector<Tensor> trained(const Module& module) {
  std::vector<Tensor> parameters;
  for (const Tensor& parameter : module.parameters()) {
    if (is_uninitialized(parameter)) {
      fail<ValueError>("DistributedDataParallel", "a parameter has no shape yet", fmt::format("(of {})", module.name()),
                       "call the module once on a batch first");
    }
    if (parameter.requires_grad()) parameters.push_back(parameter);
  }
  if (parameters.empty()) {
    fail<ValueError>("DistributedDataParallel",
                     "DistributedDataParallel is not needed when a module doesn't have any parameters that require a "
                     "gradient.",
                     fmt::format("({})", module.name()), "register parameters, or use the module itself");
  }
  return parameters;
}

/// The number, shapes and dtypes of tensors as numbers, which all ranks compare.
Tensor description_of(const std::vector<Tensor>& tensors) {
  std::uint64_t hash = 14695981039346656037U;
  const auto mix = [&hash](std::int64_t value) { hash = (hash ^ static_cast<std::uint64_t>(value)) * 1099511628211U; };
  for (const Tensor& tensor : tensors) {
    mix(static_cast<std::int64_t>(tensor.dtype()));
    mix(tensor.dim());
    for (const std::int64_t size : tensor.sizes()) mix(size);
  }
  std::array<std::int64_t, 2> numbers{static_cast<std::int64_t>(tensors.size()), static_cast<std::int64_t>(hash >> 1U)};
  return from_blob(numbers.data(), {2}, kLong).clone();
}

void check_alike(const std::vector<Tensor>& tensors, const distributed::ProcessGroup& group) {
  const Tensor own = description_of(tensors);
  const Tensor least = own.clone();
  const Tensor most = own.clone();
  distributed::all_reduce(least, distributed::ReduceOp::MIN, group).wait();
  distributed::all_reduce(most, distributed::ReduceOp::MAX, group).wait();
  if (least.equal(most)) return;
  fail<DistributedError>("DistributedDataParallel",
                         "the ranks' modules differ in the number, shapes or dtypes of their parameters or buffers",
                         fmt::format("(rank {} has {})", distributed::get_rank(group), tensors.size()),
                         "make the same module on all ranks");
}

void broadcast_all(const std::vector<Tensor>& tensors, const distributed::ProcessGroup& group) {
  const NoGradGuard unrecorded;
  std::vector<distributed::Work> begun;
  for (const Tensor& tensor : tensors) begun.push_back(distributed::broadcast(tensor, 0, group));
  for (const auto& work : begun) work.wait();
}

}  // namespace

DistributedDataParallel::DistributedDataParallel(std::shared_ptr<Module> module,
                                                 const DistributedDataParallelOptions& options)
    : Module("DistributedDataParallel"), module_(std::move(module)) {
  if (module_ == nullptr) fail<ValueError>("DistributedDataParallel", "there is no module", {}, "give one");
  if (!(options.bucket_cap_mb > 0)) {
    fail<ValueError>("DistributedDataParallel", fmt::format("bucket_cap_mb is {}", options.bucket_cap_mb), {},
                     "give the size of a bucket in MiB, more than 0");
  }
  const auto parameters = trained(*module_);
  auto state = module_->parameters();
  for (const Tensor& buffer : module_->buffers()) state.push_back(buffer);
  check_alike(state, options.process_group);
  broadcast_all(state, options.process_group);
  register_module("module", module_);
  reducer_ = std::make_unique<Reducer>(parameters, options);
}

DistributedDataParallel::~DistributedDataParallel() = default;

Tensor DistributedDataParallel::forward(const Tensor& input) {
  reducer_->check_finished();
  if (is_training() && reducer_->options.broadcast_buffers && reducer_->joins()) {
    broadcast_all(module_->buffers(), reducer_->options.process_group);
  }
  return module_->forward(input);
}

std::vector<std::int64_t> DistributedDataParallel::bucket_sizes() const { return reducer_->bucket_sizes(); }

DistributedDataParallel::NoSync::NoSync(DistributedDataParallel& module) : module_(module) {
  module_.reducer_->pause();
}
DistributedDataParallel::NoSync::~NoSync() { module_.reducer_->resume(); }

}  // namespace d2l::nn::parallel
