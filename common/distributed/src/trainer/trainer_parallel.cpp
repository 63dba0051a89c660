// SPDX-License-Identifier: MIT
// The steps of a trainer with several devices.
#include "trainer/trainer_parallel.h"

#include <algorithm>
#include <utility>

#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"
#include "d2l/nn/clip_grad.h"
#include "d2l/ops.h"
#include "distributed/local/local.h"
#include "parallel/same_on_all_ranks.h"

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

/// Rank 0's parameters and buffers on all ranks, before they are copied to the devices.
std::vector<Tensor> same_on_all(std::vector<Tensor> tensors, int ranks) {
  if (ranks == 1) return tensors;
  detail::check_alike("fit", "parameters or buffers", tensors);
  detail::broadcast_all(tensors);
  return tensors;
}

distributed::Work join(const std::vector<Tensor>& flat, int ranks) {
  if (ranks > 1) return distributed::all_reduce(flat);
  distributed::local::all_reduce(flat, distributed::ReduceOp::SUM);
  return {};
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

Trainer::Parallel::Parallel(Model& model, const std::vector<Device>& given, double bucket_cap_mb, int ranks_)
    : ranks(ranks_),
      devices(given),
      replicas(same_on_all(with_buffers(model), ranks), devices),
      reducer(trained(model), devices, static_cast<std::int64_t>(bucket_cap_mb * (1 << 20)),
              [this](const std::vector<Tensor>& flat) { return join(flat, ranks); }) {
  const auto count = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> counts;
  for (int rank = 0; rank < ranks; ++rank) counts.push_back(full({1}, count, kLong));
  if (ranks > 1) distributed::all_gather(counts, full({1}, count, kLong)).wait();
  for (int rank = 0; rank < ranks; ++rank) {
    const auto of_rank = counts[static_cast<std::size_t>(rank)].item<std::int64_t>();
    if (ranks > 1 && rank < distributed::get_rank()) before += of_rank;
    total += of_rank;
  }
  buffers.resize(model.buffers().size());
  for (std::size_t i = 0; i < devices.size(); ++i) {
    replicas.use(i);
    const auto of_device = model.buffers();
    for (std::size_t b = 0; b < buffers.size(); ++b) buffers[b].push_back(of_device[b].detach());
  }
  replicas.use(0);
}

void Trainer::Parallel::make_optimizers(Model& model, const std::optional<detail::Checkpoint>& checkpoint) {
  further.clear();
  for (std::size_t i = 1; i < replicas.count(); ++i) {
    replicas.use(i);
    further.push_back(model.configure_optimizers());
    if (checkpoint) checkpoint->load(*further.back());
  }
  replicas.use(0);
}

void Trainer::Parallel::share_buffers() {
  const NoGradGuard unrecorded;
  for (const auto& copies : buffers) {
    if (ranks > 1) {
      distributed::broadcast(copies).wait();
    } else {
      distributed::local::broadcast(copies, 0);
    }
  }
}

std::pair<std::int64_t, std::int64_t> Trainer::Parallel::rows_of(std::size_t place, std::int64_t rows) const {
  const std::int64_t number = before + static_cast<std::int64_t>(place);
  return {rows * number / total, rows * (number + 1) / total};
}

void Trainer::Parallel::on_part(const Batch& batch, std::int64_t first, std::int64_t end, Device device,
                                const std::function<void(const Batch&)>& step) {
  // A rank without rows computes on the first one, which counts 0: the ranks must join the same values.
  const bool has_rows = end > first;
  Batch part;
  for (const Tensor& tensor : batch) {
    const Tensor rows = has_rows ? tensor.narrow(0, first, end - first) : tensor.narrow(0, 0, 1);
    part.push_back(rows.to(TensorOptions(device), /*non_blocking=*/true));
  }
  share = static_cast<double>(end - first) / static_cast<double>(batch.front().size(0));
  collecting = true;
  step(part);
  collecting = false;
}

void Trainer::Parallel::validate(Trainer& trainer, const Batch& batch) {
  const StepScope scope(replicas, collecting);
  const std::int64_t rows = batch.front().size(0);
  plotted.clear();
  on_part(batch, rows_of(0, rows).first, rows_of(devices.size() - 1, rows).second, devices.front(),
          [&](const Batch& part) { trainer.model_->validation_step(part); });
  trainer.plot_collected(/*train=*/false);
}

bool Trainer::collect(const std::string& key, const Tensor& value) {
  if (parallel_ == nullptr || !parallel_->collecting) return false;
  const NoGradGuard unrecorded;
  auto& plotted = parallel_->plotted;
  const Tensor weighted = value.detach() * parallel_->share;
  const auto known = std::find_if(plotted.begin(), plotted.end(), [&](const auto& one) { return one.key == key; });
  if (known == plotted.end()) {
    plotted.push_back({key, {weighted}});
  } else {
    known->parts.push_back(weighted);
  }
  return true;
}

void Trainer::plot_collected(bool train) {
  const NoGradGuard unrecorded;
  for (const auto& [key, parts] : parallel_->plotted) {
    Tensor sum = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) sum = sum + parts[i].to(sum.device());
    model_->plot(key, sum, train);
  }
}

void Trainer::train_on_all(const Batch& batch) {
  Parallel& own = *parallel_;
  const std::int64_t rows = batch.front().size(0);
  const bool has_rows = own.rows_of(0, rows).first < own.rows_of(own.devices.size() - 1, rows).second;
  const StepScope scope(own.replicas, own.collecting);
  own.plotted.clear();
  own.reducer.reset();
  own.share_buffers();
  for (std::size_t place = 0; place < own.devices.size(); ++place) {
    const auto [first, end] = own.rows_of(place, rows);
    own.replicas.use(place);
    own.reducer.use(place);
    for (const Tensor& parameter : parameters_) Tensor(parameter).mutable_grad() = Tensor();
    if (first == end && (has_rows || place > 0)) continue;
    Tensor loss;
    own.on_part(batch, first, end, own.devices[place], [&](const Batch& part) { loss = model_->training_step(part); });
    (loss * own.share).backward();
  }
  own.reducer.wait();
  // A parameter that one rank alone has used must take its step on all of them.
  auto arrived = own.reducer.arrived();
  if (own.ranks > 1) {
    const auto flags = from_blob(arrived.data(), {static_cast<std::int64_t>(arrived.size())}, kByte);
    distributed::all_reduce(flags, distributed::ReduceOp::MAX).wait();
  }
  for (std::size_t i = own.replicas.count(); i-- > 0;) {
    own.replicas.use(i);
    own.reducer.use(i);
    own.reducer.write(arrived);
    if (options_.gradient_clip_val > 0) nn::utils::clip_grad_norm_(parameters_, options_.gradient_clip_val);
    if (i > 0) follow(*own.further[i - 1], *optimizer_);
    (i == 0 ? *optimizer_ : *own.further[i - 1]).step();
  }
  plot_collected(/*train=*/true);
  ++train_batch_idx_;
}

}  // namespace d2l
