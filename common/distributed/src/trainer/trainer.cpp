// SPDX-License-Identifier: MIT
#include "d2l/trainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"
#include "d2l/nn/clip_grad.h"
#include "d2l/nn/parameter.h"
#include "output/output_sink.h"
#include "parallel/same_on_all_ranks.h"
#include "trainer/checkpoint.h"
#include "trainer/progress.h"
#include "trainer/trainer_parallel.h"

namespace d2l {

namespace {

void check(const TrainerOptions& options) {
  if (options.max_epochs < 0) {
    detail::fail<ValueError>("Trainer", fmt::format("max_epochs is {}", options.max_epochs), {}, "give 0 or more");
  }
  if (options.num_gpus < 0) {
    detail::fail<ValueError>("Trainer", fmt::format("num_gpus is {}", options.num_gpus), {},
                             "give 0, which moves nothing, or more");
  }
  if (!(options.gradient_clip_val >= 0)) {  // true for nan too
    detail::fail<ValueError>("Trainer", fmt::format("gradient_clip_val is {}", options.gradient_clip_val), {},
                             "give a norm, or 0 for no clipping");
  }
  if (options.checkpoint_every_n_steps < 0) {
    detail::fail<ValueError>("Trainer", fmt::format("checkpoint_every_n_steps is {}", options.checkpoint_every_n_steps),
                             {}, "give a number of steps, or 0 for the ends of epochs alone");
  }
  if (!(options.bucket_cap_mb > 0)) {
    detail::fail<ValueError>("Trainer", fmt::format("bucket_cap_mb is {}", options.bucket_cap_mb), {},
                             "give the size of a bucket in MiB, more than 0");
  }
}

std::vector<Device> first_gpus(int asked, detail::Caller caller) {
  if (asked == 0) return {};
  auto devices = distributed::is_initialized() ? distributed::local_devices() : gpus(num_gpus());
  const auto present = static_cast<int>(devices.size());
  if (present < asked) {
    detail::say(fmt::format("asked for {} GPU{}, found {}: training on {}", asked, asked == 1 ? "" : "s", present,
                            present == 0   ? "the CPU"
                            : present == 1 ? devices.front().str()
                                           : fmt::format("{} to {}", devices.front().str(), devices.back().str())),
                caller);
  }
  devices.resize(static_cast<std::size_t>(std::min(asked, present)), Device(kCPU));
  return devices;
}

int number_of_ranks() { return distributed::is_initialized() ? distributed::get_world_size() : 1; }
bool is_first_rank() { return number_of_ranks() == 1 || distributed::get_rank() == 0; }

std::string text_of(const std::vector<ProgressBoard::Mean>& means) {
  std::string text;
  for (const auto& [label, value] : means) text += fmt::format("{}{} {:.3g}", text.empty() ? "" : ", ", label, value);
  return text;
}

}  // namespace

Trainer::Trainer(const TrainerOptions& options, detail::Caller caller) : options_(options) {
  check(options);
  gpus_ = first_gpus(options.num_gpus, caller);
}

Trainer::~Trainer() { release_model(); }

void Trainer::release_model() noexcept {
  if (model_ != nullptr) model_->trainer_ = nullptr;
  model_ = nullptr;
  optimizer_.reset();
  parallel_.reset();
  parameters_.clear();
}

void Trainer::prepare_data(const DataModule& data) {
  auto train_loader = data.train_dataloader();
  if (train_loader.size() == 0) {
    detail::fail<ValueError>(
        "prepare_data", "there is no training batch",
        fmt::format("({} examples, batch size {})", train_loader.dataset().size(), train_loader.options().batch_size()),
        "give more examples or smaller batches");
  }
  train_loader_ = std::move(train_loader);
  val_loader_ = data.val_dataloader();
  const bool divided = number_of_ranks() > 1;
  if (divided && (train_loader_->options().sampler() || (val_loader_ && val_loader_->options().sampler()))) {
    detail::fail<ValueError>("prepare_data", "the data has a sampler, and the trainer divides the batches itself", {},
                             "leave out the sampler, so that all ranks have the same batches");
  }
  if (gpus_.empty()) return;
  if (gpus_.size() == 1 && !divided) train_loader_->to(gpus_.front());  // else each device gets a part of the batch
  if (val_loader_ && !divided) val_loader_->to(gpus_.front());
}

void Trainer::prepare_model(Model& model) {
  auto parameters = model.parameters();
  if (parameters.empty()) {
    detail::fail<ValueError>("prepare_model", "the model has no parameters", fmt::format("({})", model.name()),
                             "register parameters or modules in its constructor");
  }
  if (!gpus_.empty()) model.to(gpus_.front());
  release_model();
  if (model.trainer_ != nullptr) model.trainer_->release_model();
  model_ = &model;
  model.trainer_ = this;
  parameters_ = std::move(parameters);
  model.board.clear();
  model.board.xlabel = "epoch";
  model.board.xlim = {0, static_cast<double>(options_.max_epochs)};
}

Batch Trainer::prepare_batch(const Batch& batch) const {
  if (gpus_.empty()) return batch;
  Batch prepared;
  prepared.reserve(batch.size());
  for (const Tensor& tensor : batch) prepared.push_back(tensor.to(TensorOptions(gpus_.front()), /*non_blocking=*/true));
  return prepared;
}

optim::Optimizer& Trainer::optimizer() const {
  if (optimizer_ == nullptr) {
    detail::fail<ValueError>("Trainer", "no model is being trained", {}, "call fit(model, data) first");
  }
  return *optimizer_;
}

// Lazy layers get their parameters from a first row, before these are copied to the other GPUs.
void Trainer::initialize(Model& model) {
  const NoGradGuard unrecorded;
  DataLoader loader = *train_loader_;  // whose epochs do not count
  const Batch batch = *loader.begin();
  model.eval();
  const Tensor row = batch.at(0).narrow(0, 0, 1);
  model.forward(gpus_.empty() ? row : row.to(gpus_.front()));
  model.train();
  parameters_ = model.parameters();
}

void Trainer::fit(Model& model, const DataModule& data, detail::Caller caller) {
  prepare_data(data);
  prepare_model(model);
  const int ranks = number_of_ranks();
  const auto checkpoint = options_.checkpoint.empty() ? std::nullopt : detail::find_checkpoint(options_.checkpoint);
  const bool divided = gpus_.size() > 1 || ranks > 1;
  if ((divided || checkpoint) && std::ranges::any_of(parameters_, nn::is_uninitialized)) initialize(model);
  if (checkpoint) checkpoint->load(model);
  if (ranks > 1) detail::check_alike("fit", "data", train_loader_->dataset().tensors());
  if (divided) {
    parallel_ = std::make_unique<Parallel>(model, gpus_.empty() ? std::vector{parameters_.front().device()} : gpus_,
                                           options_.bucket_cap_mb, ranks);
  }
  optimizer_ = model.configure_optimizers();
  if (optimizer_ == nullptr) {
    detail::fail<ValueError>("fit", "configure_optimizers() returned null", fmt::format("(in a {})", model.name()),
                             "return an optimizer, for example std::make_unique<optim::SGD>(parameters(), 0.1)");
  }
  if (parallel_ != nullptr) parallel_->make_optimizers(model, checkpoint);
  epoch_ = 0;
  train_batch_idx_ = 0;
  steps_to_skip_ = 0;
  if (checkpoint) {
    checkpoint->load(*optimizer_);
    train_batch_idx_ = checkpoint->steps();
    epoch_ = checkpoint->epochs();
    steps_to_skip_ = train_batch_idx_ - epoch_ * num_train_batches();
    if (steps_to_skip_ < 0 || steps_to_skip_ > num_train_batches()) {
      detail::fail<ValueError>("fit",
                               fmt::format("the checkpoint has {} steps in {} epochs, and an epoch has {} now",
                                           train_batch_idx_, epoch_, num_train_batches()),
                               fmt::format("(\"{}\")", options_.checkpoint),
                               "train with the same data and batch size, or remove the file");
    }
    train_loader_->set_epoch(static_cast<std::uint64_t>(epoch_));
  }
  while (epoch_ < options_.max_epochs) fit_epoch(caller);
}

void Trainer::train_on(const Batch& batch) {
  if (parallel_ != nullptr) return train_on_all(batch);
  const Tensor loss = model_->training_step(prepare_batch(batch));
  optimizer_->zero_grad(/*set_to_none=*/true);
  loss.backward();
  if (options_.gradient_clip_val > 0) nn::utils::clip_grad_norm_(parameters_, options_.gradient_clip_val);
  optimizer_->step();
  ++train_batch_idx_;
}

void Trainer::validate_on(const Batch& batch) {
  if (parallel_ != nullptr && parallel_->ranks > 1) return parallel_->validate(*this, batch);
  model_->validation_step(prepare_batch(batch));
}

void Trainer::write_checkpoint() const {
  if (options_.checkpoint.empty() || !is_first_rank()) return;
  detail::write_checkpoint(options_.checkpoint, *model_, *optimizer_, epoch_, train_batch_idx_);
}

// Each rank has the values of its part of the batches; the board of all ranks has their sums.
std::string Trainer::report() {
  if (parallel_ == nullptr || parallel_->ranks == 1) return text_of(model_->board.fetch());
  return text_of(model_->board.fetch([](std::vector<double>& values) {
    distributed::all_reduce(from_blob(values.data(), {static_cast<std::int64_t>(values.size())}, kDouble)).wait();
  }));
}

void Trainer::fit_epoch(detail::Caller caller) {
  static_cast<void>(optimizer());
  detail::EpochProgress progress(fmt::format("epoch {}/{}", epoch_ + 1, std::max(epoch_ + 1, options_.max_epochs)),
                                 num_train_batches() + num_val_batches(), caller, !is_first_rank());
  auto& limits = model_->board.xlim;
  if (limits) limits->high = std::max(limits->high, epoch_ + 1.0);
  model_->train();
  const auto every = options_.checkpoint_every_n_steps;
  for (const Batch& batch : *train_loader_) {
    progress.step();
    if (steps_to_skip_ > 0) {
      --steps_to_skip_;
      continue;
    }
    train_on(batch);
    if (every > 0 && train_batch_idx_ % every == 0) write_checkpoint();
  }
  if (val_loader_) {
    const NoGradGuard unrecorded;
    model_->eval();
    for (const Batch& batch : *val_loader_) {
      validate_on(batch);
      progress.step();
    }
  }
  progress.finish(report());
  ++epoch_;
  write_checkpoint();
}

}  // namespace d2l
