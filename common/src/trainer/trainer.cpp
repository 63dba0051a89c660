// SPDX-License-Identifier: MIT
#include "d2l/trainer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/nn/clip_grad.h"
#include "d2l/nn/parameter.h"
#include "output/output_sink.h"
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
  if (!(options.bucket_cap_mb > 0)) {
    detail::fail<ValueError>("Trainer", fmt::format("bucket_cap_mb is {}", options.bucket_cap_mb), {},
                             "give the size of a bucket in MiB, more than 0");
  }
}

std::vector<Device> first_gpus(int asked, detail::Caller caller) {
  if (asked == 0) return {};
  const int present = num_gpus();
  if (present < asked) {
    detail::say(fmt::format("asked for {} GPU{}, found {}: training on {}", asked, asked == 1 ? "" : "s", present,
                            present == 0   ? "the CPU"
                            : present == 1 ? "cuda:0"
                                           : fmt::format("cuda:0 to cuda:{}", present - 1)),
                caller);
  }
  return gpus(std::min(asked, present));
}

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
  if (gpus_.empty()) return;
  if (gpus_.size() == 1) train_loader_->to(gpus_.front());  // else each GPU gets a part of the batch
  if (val_loader_) val_loader_->to(gpus_.front());
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
  model.forward(batch.at(0).narrow(0, 0, 1).to(gpus_.front()));
  model.train();
  parameters_ = model.parameters();
}

void Trainer::fit(Model& model, const DataModule& data, detail::Caller caller) {
  prepare_data(data);
  prepare_model(model);
  if (gpus_.size() > 1) {
    if (std::ranges::any_of(parameters_, nn::is_uninitialized)) initialize(model);
    parallel_ = std::make_unique<Parallel>(model, gpus_, options_.bucket_cap_mb);
  }
  optimizer_ = model.configure_optimizers();
  if (optimizer_ == nullptr) {
    detail::fail<ValueError>("fit", "configure_optimizers() returned null", fmt::format("(in a {})", model.name()),
                             "return an optimizer, for example std::make_unique<optim::SGD>(parameters(), 0.1)");
  }
  if (parallel_ != nullptr) parallel_->make_optimizers(model);
  epoch_ = 0;
  train_batch_idx_ = 0;
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

void Trainer::fit_epoch(detail::Caller caller) {
  static_cast<void>(optimizer());
  detail::EpochProgress progress(fmt::format("epoch {}/{}", epoch_ + 1, std::max(epoch_ + 1, options_.max_epochs)),
                                 num_train_batches() + num_val_batches(), caller);
  auto& limits = model_->board.xlim;
  if (limits) limits->high = std::max(limits->high, epoch_ + 1.0);
  model_->train();
  for (const Batch& batch : *train_loader_) {
    train_on(batch);
    progress.step();
  }
  if (val_loader_) {
    const NoGradGuard unrecorded;
    model_->eval();
    for (const Batch& batch : *val_loader_) {
      model_->validation_step(prepare_batch(batch));
      progress.step();
    }
  }
  progress.finish(text_of(model_->board.fetch()));
  ++epoch_;
}

}  // namespace d2l
