// SPDX-License-Identifier: MIT
/// @file
/// DistributedDataParallel: a module whose gradients are averaged over all processes during backward().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "d2l/distributed/process_group.h"
#include "d2l/nn/module.h"
#include "d2l/nn/module_holder.h"

/// Training on several devices, with the names of PyTorch's torch.nn.parallel.
namespace d2l::nn::parallel {

/// The options of DistributedDataParallel.
struct DistributedDataParallelOptions {
  double bucket_cap_mb = 25;                     ///< gradients are all-reduced in buckets of up to this many MiB
  bool broadcast_buffers = true;                 ///< forward() in training copies rank 0's buffers to all ranks first
  distributed::ProcessGroup process_group = {};  ///< the group of all processes unless set
};

/// A module of which each process has a copy, which trains on its own part of the data. The constructor copies rank 0's
/// parameters and buffers to all ranks. During backward(), the gradients of a bucket are averaged over the ranks as
/// soon as all of them are there, while backward() continues; when it returns, every rank has the same gradients.
class DistributedDataParallel : public Module {
 public:
  ///@{
  /// Wraps a module whose parameters are initialised and on one device. ValueError for a module without parameters,
  /// DistributedError if the ranks' parameters differ in number, shape or dtype.
  explicit DistributedDataParallel(std::shared_ptr<Module> module, const DistributedDataParallelOptions& options = {});
  template <class M>
  explicit DistributedDataParallel(const ModuleHolder<M>& module, const DistributedDataParallelOptions& options = {})
      : DistributedDataParallel(std::shared_ptr<Module>(module.ptr()), options) {}
  ///@}
  /// Removes its hooks from the parameters.
  ~DistributedDataParallel() override;

  ///@{
  /// The forward() of the module. ValueError if the last backward() did not reach all parameters.
  Tensor forward(const Tensor& input) override;
  Tensor operator()(const Tensor& input) { return forward(input); }
  ///@}
  /// The wrapped module; its state_dict() has no prefix "module.".
  [[nodiscard]] const std::shared_ptr<Module>& module() const noexcept { return module_; }
  /// The bytes of each bucket, in the order in which backward() fills them: the last parameters come first.
  [[nodiscard]] std::vector<std::int64_t> bucket_sizes() const;

  /// In its scope backward() accumulates gradients of this process alone, as PyTorch's no_sync(). The first backward()
  /// after it averages their sum.
  class NoSync {
   public:
    /// Stops averaging.
    explicit NoSync(DistributedDataParallel& module);
    /// Starts it again.
    ~NoSync();
    NoSync(const NoSync&) = delete;
    NoSync& operator=(const NoSync&) = delete;

   private:
    DistributedDataParallel& module_;
  };

 private:
  class Reducer;
  std::shared_ptr<Module> module_;
  std::unique_ptr<Reducer> reducer_;
};

}  // namespace d2l::nn::parallel
