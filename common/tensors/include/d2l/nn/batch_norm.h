// SPDX-License-Identifier: MIT
/// @file
/// BatchNorm1d and BatchNorm2d: normalise each channel of a batch.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "d2l/nn/batch_norm_options.h"
#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// What BatchNorm1d and BatchNorm2d share: the normalisation of each channel of an input (N, num_features, …), in
/// training mode by the statistics of the batch, in evaluation mode by the running ones; see d2l::batch_norm().
class BatchNormImplBase : public Module {
 public:
  /// (N, num_features, …) → the same shape. In training mode the running statistics move towards those of the batch:
  /// by the share `momentum`, or so that they are averages over all batches if it is nullopt. ValueError for another
  /// number of dimensions, and for a batch with one value for each channel in training mode; errors as batch_norm().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Sets the running mean to 0, the running variance to 1 and the count of batches to 0.
  void reset_running_stats();
  /// The same, and sets the weight to 1 and the bias to 0.
  void reset_parameters();

  BatchNormOptions options;    ///< as given
  Tensor weight;               ///< (num_features); undefined unless affine
  Tensor bias;                 ///< (num_features); undefined unless affine
  Tensor running_mean;         ///< (num_features), a buffer; undefined unless track_running_stats
  Tensor running_var;          ///< likewise
  Tensor num_batches_tracked;  ///< the count of batches in training mode, int64 without dimensions; likewise

 protected:
  /// With parameters and buffers of num_features elements, or of no shape yet if `lazy`.
  explicit BatchNormImplBase(const BatchNormOptions& chosen, bool lazy = false);
  /// ValueError for an input of another number of dimensions than the class takes.
  virtual void check_input_dim(const Tensor& input) const = 0;
  /// A new module of the class with these options.
  [[nodiscard]] virtual std::shared_ptr<BatchNormImplBase> new_module(const BatchNormOptions& chosen) const = 0;
  /// Gives parameters and buffers without a shape the shape that the first input has.
  void initialize_parameters(const Tensor& input, const char* name);

 private:
  bool initialized_;
};

/// Normalises each channel of (N, C) or (N, C, L).
class BatchNorm1dImpl : public BatchNormImplBase {
 public:
  /// A layer whose weight is 1 and whose bias is 0; ShapeError for a negative size.
  explicit BatchNorm1dImpl(const BatchNormOptions& chosen) : BatchNorm1dImpl(chosen, false) {}

 protected:
  /// With parameters of no shape yet if `lazy`.
  BatchNorm1dImpl(const BatchNormOptions& chosen, bool lazy) : BatchNormImplBase(chosen, lazy) {}
  void check_input_dim(const Tensor& input) const override;
  [[nodiscard]] std::shared_ptr<BatchNormImplBase> new_module(const BatchNormOptions& chosen) const override;
};
/// Holds a BatchNorm1dImpl: `nn::BatchNorm1d(8)`.
D2L_MODULE(BatchNorm1d);

/// Normalises each channel of (N, C, height, width).
class BatchNorm2dImpl : public BatchNormImplBase {
 public:
  /// A layer whose weight is 1 and whose bias is 0; ShapeError for a negative size.
  explicit BatchNorm2dImpl(const BatchNormOptions& chosen) : BatchNorm2dImpl(chosen, false) {}

 protected:
  /// With parameters of no shape yet if `lazy`.
  BatchNorm2dImpl(const BatchNormOptions& chosen, bool lazy) : BatchNormImplBase(chosen, lazy) {}
  void check_input_dim(const Tensor& input) const override;
  [[nodiscard]] std::shared_ptr<BatchNormImplBase> new_module(const BatchNormOptions& chosen) const override;
};
/// Holds a BatchNorm2dImpl: `nn::BatchNorm2d(8)`.
D2L_MODULE(BatchNorm2d);

/// A BatchNorm1d that takes its num_features from its first input, and is a BatchNorm1d from then on. Until then
/// reading its parameters is a ValueError.
class LazyBatchNorm1dImpl : public BatchNorm1dImpl {
 public:
  /// With parameters and buffers that have no shape yet; the num_features of the options have no effect.
  explicit LazyBatchNorm1dImpl(const LazyBatchNormOptions& chosen = {}) : BatchNorm1dImpl(chosen, true) {}
  /// As BatchNorm1d; the first input, (N, C) or (N, C, L), gives the parameters their shape.
  Tensor forward(const Tensor& input) override;

 protected:
  [[nodiscard]] std::shared_ptr<BatchNormImplBase> new_module(const BatchNormOptions& chosen) const override;
};
/// Holds a LazyBatchNorm1dImpl: `nn::LazyBatchNorm1d()`.
D2L_MODULE(LazyBatchNorm1d);

/// A BatchNorm2d that takes its num_features from its first input, and is a BatchNorm2d from then on. Until then
/// reading its parameters is a ValueError.
class LazyBatchNorm2dImpl : public BatchNorm2dImpl {
 public:
  /// With parameters and buffers that have no shape yet; the num_features of the options have no effect.
  explicit LazyBatchNorm2dImpl(const LazyBatchNormOptions& chosen = {}) : BatchNorm2dImpl(chosen, true) {}
  /// As BatchNorm2d; the first input, (N, C, height, width), gives the parameters their shape.
  Tensor forward(const Tensor& input) override;

 protected:
  [[nodiscard]] std::shared_ptr<BatchNormImplBase> new_module(const BatchNormOptions& chosen) const override;
};
/// Holds a LazyBatchNorm2dImpl: `nn::LazyBatchNorm2d()`.
D2L_MODULE(LazyBatchNorm2d);

namespace functional {

/// What BatchNorm1d and BatchNorm2d compute, with undefined running statistics where there are none. ValueError in
/// training for one value for each channel; errors as d2l::batch_norm().
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& options = {});

}  // namespace functional
}  // namespace d2l::nn
