// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "base/message.h"
#include "d2l/distributed/collectives.h"
#include "d2l/nn/parameter.h"
#include "d2l/parallel.h"
#include "parallel/reducer.h"
#include "parallel/same_on_all_ranks.h"

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
                     "(some parameters got no gradient in the last backward(), so their bucket was not all-reduced)",
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
    reducer_.write(reducer_.arrived());
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
  d2l::detail::check_alike("DistributedDataParallel", "parameters or buffers", state, options.process_group);
  d2l::detail::broadcast_all(state, options.process_group);
  register_module("module", module_);
  reducer_ = std::make_unique<Reducer>(parameters, options);
}

DistributedDataParallel::~DistributedDataParallel() = default;

Tensor DistributedDataParallel::forward(const Tensor& input) {
  reducer_->check_finished();
  if (is_training() && reducer_->options.broadcast_buffers && reducer_->joins()) {
    d2l::detail::broadcast_all(module_->buffers(), reducer_->options.process_group);
  }
  return module_->forward(input);
}

std::vector<std::int64_t> DistributedDataParallel::bucket_sizes() const { return reducer_->bucket_sizes(); }

DistributedDataParallel::NoSync::NoSync(DistributedDataParallel& module) : module_(module) {
  module_.reducer_->pause();
}
DistributedDataParallel::NoSync::~NoSync() { module_.reducer_->resume(); }

}  // namespace d2l::nn::parallel
