// SPDX-License-Identifier: MIT
// The steps of a trainer with several GPUs.
#include "trainer/trainer_parallel.h"

#include <algorithm>
#include <utility>

#include "d2l/autograd.h"
#include "d2l/nn/clip_grad.h"
#include "d2l/ops.h"
#include "distributed/local/local.h"

namespace d2l {

namespace {

std::vector<Tensor> with_buffers(const Model& model) {
  auto tensors = model.parameters();
  for (const Tensor& buffer : model.buffers()) tensors.push_back(buffer);
  return tensors;
}

std::vector<Tensor> trained(const Model& model) {
  auto parameters = model.parameters();
  std::erase_if(parameters, [](const Tensor& parameter) { return !parameter.requires_grad(); });
  return parameters;
}

/// The rows of a part, on its device.
Batch part_of(const Batch& batch, std::int64_t first, std::int64_t rows, Device device) {
  Batch part;
  for (const Tensor& tensor : batch) {
    part.push_back(tensor.narrow(0, first, rows).to(TensorOptions(device), /*non_blocking=*/true));
  }
  return part;
}

/// At the end of a step, also of one that throws, the model has the parameters of the first GPU.
class StepScope : detail::NonCopyable {
 public:
  StepScope(detail::Replicas& replicas, bool& collecting) : replicas_(replicas), collecting_(collecting) {}
  ~StepScope() {
    collecting_ = false;
    replicas_.use(0);
  }

 private:
  detail::Replicas& replicas_;
  bool& collecting_;
};

void follow(optim::Optimizer& optimizer, const optim::Optimizer& first) {
  for (std::size_t i = 0; i < std::min(optimizer.param_groups().size(), first.param_groups().size()); ++i) {
    optimizer.param_groups()[i].set_options(first.param_groups()[i].options().clone());
  }
}

}  // namespace

Trainer::Parallel::Parallel(Model& model, const std::vector<Device>& gpus, double bucket_cap_mb)
    : devices(gpus),
      replicas(with_buffers(model), gpus),
      reducer(trained(model), gpus, static_cast<std::int64_t>(bucket_cap_mb * (1 << 20)),
              [](const std::vector<Tensor>& flat) {
                distributed::local::all_reduce(flat, distributed::ReduceOp::SUM);
                return distributed::Work();
              }) {}

void Trainer::Parallel::make_optimizers(Model& model) {
  further.clear();
  for (std::size_t i = 1; i < replicas.count(); ++i) {
    replicas.use(i);
    further.push_back(model.configure_optimizers());
  }
  replicas.use(0);
}

bool Trainer::collect(const std::string& key, const Tensor& value) {
  if (parallel_ == nullptr || !parallel_->collecting) return false;
  const NoGradGuard unrecorded;
  auto& plotted = parallel_->plotted;
  const Tensor weighted = value.detach() * parallel_->share;
  const auto known = std::find_if(plotted.begin(), plotted.end(), [&](const auto& one) { return one.key == key; });
  if (known == plotted.end()) {
    plotted.push_back({key, weighted});
  } else {
    known->sum = known->sum + weighted.to(known->sum.device());
  }
  return true;
}

void Trainer::train_on_all(const Batch& batch) {
  Parallel& own = *parallel_;
  const auto count = static_cast<std::int64_t>(own.replicas.count());
  const std::int64_t rows = batch.empty() ? 0 : batch.front().size(0);
  const StepScope scope(own.replicas, own.collecting);
  own.plotted.clear();
  own.reducer.reset();
  for (std::int64_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(i);
    const std::int64_t first = rows * i / count;
    const std::int64_t end = rows * (i + 1) / count;
    own.replicas.use(place);
    own.reducer.use(place);
    for (const Tensor& parameter : parameters_) Tensor(parameter).mutable_grad() = Tensor();
    if (first == end) continue;
    own.share = static_cast<double>(end - first) / static_cast<double>(rows);
    own.collecting = true;
    const Tensor loss = model_->training_step(part_of(batch, first, end - first, own.devices[place]));
    own.collecting = false;
    (loss * own.share).backward();
  }
  own.reducer.wait();
  for (std::size_t i = own.replicas.count(); i-- > 0;) {
    own.replicas.use(i);
    own.reducer.use(i);
    own.reducer.write();
    if (options_.gradient_clip_val > 0) nn::utils::clip_grad_norm_(parameters_, options_.gradient_clip_val);
    if (i > 0) follow(*own.further[i - 1], *optimizer_);
    (i == 0 ? *optimizer_ : *own.further[i - 1]).step();
  }
  for (const auto& [key, sum] : own.plotted) model_->plot(key, sum, /*train=*/true);
  ++train_batch_idx_;
}

}  // namespace d2l
