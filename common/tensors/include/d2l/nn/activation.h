// SPDX-License-Identifier: MIT
/// @file
/// Activations as layers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "d2l/nn/module_holder.h"

namespace d2l::nn {

/// The option of ReLU.
class ReLUOptions {
 public:
  /// `inplace` writes the result into the input.
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}  // NOLINT(google-explicit-constructor)
  /// Whether the result is written into the input.
  ReLUOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  /// Whether the result is written into the input.
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  bool inplace_;
};

/// max(x, 0) of each element.
class ReLUImpl : public Module {
 public:
  /// A layer with these options.
  explicit ReLUImpl(const ReLUOptions& chosen = {}) : options(chosen) {}

  /// max(x, 0), of the same shape; TypeError for bool.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  ReLUOptions options;  ///< whether the result is written into the input
};
/// Holds a ReLUImpl: `nn::ReLU()`.
D2L_MODULE(ReLU);

/// 1 / (1 + e⁻ˣ) of each element.
class SigmoidImpl : public Module {
 public:
  /// Of the same shape; see Tensor::sigmoid().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
};
/// Holds a SigmoidImpl: `nn::Sigmoid()`.
D2L_MODULE(Sigmoid);

/// The hyperbolic tangent of each element.
class TanhImpl : public Module {
 public:
  /// Of the same shape; see Tensor::tanh().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
};
/// Holds a TanhImpl: `nn::Tanh()`.
D2L_MODULE(Tanh);

/// x / (1 + e⁻ˣ) of each element.
class SiLUImpl : public Module {
 public:
  /// Of the same shape; TypeError unless floating point.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
};
/// Holds a SiLUImpl: `nn::SiLU()`.
D2L_MODULE(SiLU);

/// The option of GELU.
class GELUOptions {
 public:
  /// "none", or "tanh" for a hyperbolic tangent in place of the normal distribution.
  GELUOptions& approximate(std::string approximate) {
    approximate_ = std::move(approximate);
    return *this;
  }
  /// "none", or "tanh" for a hyperbolic tangent in place of the normal distribution; by default "none".
  [[nodiscard]] const std::string& approximate() const noexcept { return approximate_; }

 private:
  std::string approximate_ = "none";
};

/// x × Φ(x) of each element, where Φ is the normal distribution function.
class GELUImpl : public Module {
 public:
  /// A layer with these options.
  explicit GELUImpl(const GELUOptions& chosen = {}) : options(chosen) {}

  /// Of the same shape; TypeError unless floating point, ValueError for an unknown approximation.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  GELUOptions options;  ///< as given
};
/// Holds a GELUImpl: `nn::GELU()`.
D2L_MODULE(GELU);

/// The options of LeakyReLU.
class LeakyReLUOptions {
 public:
  /// The slope below 0.
  LeakyReLUOptions& negative_slope(double negative_slope) {
    negative_slope_ = negative_slope;
    return *this;
  }
  /// Whether the result is written into the input.
  LeakyReLUOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  /// The slope below 0; by default 0.01.
  [[nodiscard]] double negative_slope() const noexcept { return negative_slope_; }
  /// Whether the result is written into the input.
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  double negative_slope_ = 0.01;
  bool inplace_ = false;
};

/// x above 0, else negative_slope × x, of each element.
class LeakyReLUImpl : public Module {
 public:
  /// A layer with these options.
  explicit LeakyReLUImpl(const LeakyReLUOptions& chosen = {}) : options(chosen) {}

  /// Of the same shape; TypeError unless floating point.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  LeakyReLUOptions options;  ///< as given
};
/// Holds a LeakyReLUImpl: `nn::LeakyReLU()`.
D2L_MODULE(LeakyReLU);

/// The options of PReLU.
class PReLUOptions {
 public:
  /// The number of slopes: 1, or one for each channel.
  PReLUOptions& num_parameters(std::int64_t count) {
    num_parameters_ = count;
    return *this;
  }
  /// The first value of each slope.
  PReLUOptions& init(double init) {
    init_ = init;
    return *this;
  }
  /// The number of slopes; by default 1.
  [[nodiscard]] std::int64_t num_parameters() const noexcept { return num_parameters_; }
  /// The first value of each slope; by default 0.25.
  [[nodiscard]] double init() const noexcept { return init_; }

 private:
  std::int64_t num_parameters_ = 1;
  double init_ = 0.25;
};

/// x above 0, else weight × x, with a slope that is learned, or one for each channel.
class PReLUImpl : public Module {
 public:
  /// A layer with these options; ShapeError for a negative number of slopes.
  explicit PReLUImpl(const PReLUOptions& chosen = {});

  /// Of the same shape; errors as prelu().
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;
  /// Sets each slope to its first value.
  void reset_parameters();

  PReLUOptions options;  ///< as given
  Tensor weight;         ///< (num_parameters)
};
/// Holds a PReLUImpl: `nn::PReLU()`.
D2L_MODULE(PReLU);

/// The options of ELU.
class ELUOptions {
 public:
  /// The negative of the limit for small x.
  ELUOptions& alpha(double alpha) {
    alpha_ = alpha;
    return *this;
  }
  /// Whether the result is written into the input.
  ELUOptions& inplace(bool inplace) {
    inplace_ = inplace;
    return *this;
  }
  /// The negative of the limit for small x; by default 1.
  [[nodiscard]] double alpha() const noexcept { return alpha_; }
  /// Whether the result is written into the input.
  [[nodiscard]] bool inplace() const noexcept { return inplace_; }

 private:
  double alpha_ = 1;
  bool inplace_ = false;
};

/// x from 0, else alpha × (eˣ − 1), of each element.
class ELUImpl : public Module {
 public:
  /// A layer with these options.
  explicit ELUImpl(const ELUOptions& chosen = {}) : options(chosen) {}

  /// Of the same shape; TypeError unless floating point.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  ELUOptions options;  ///< as given
};
/// Holds an ELUImpl: `nn::ELU()`.
D2L_MODULE(ELU);

/// The options of Softplus.
class SoftplusOptions {
 public:
  /// The factor of x.
  SoftplusOptions& beta(double beta) {
    beta_ = beta;
    return *this;
  }
  /// The beta × x above which the result is x.
  SoftplusOptions& threshold(double threshold) {
    threshold_ = threshold;
    return *this;
  }
  /// The factor of x; by default 1.
  [[nodiscard]] double beta() const noexcept { return beta_; }
  /// The beta × x above which the result is x; by default 20.
  [[nodiscard]] double threshold() const noexcept { return threshold_; }

 private:
  double beta_ = 1;
  double threshold_ = 20;
};

/// log(1 + e^(beta × x)) / beta of each element.
class SoftplusImpl : public Module {
 public:
  /// A layer with these options.
  explicit SoftplusImpl(const SoftplusOptions& chosen = {}) : options(chosen) {}

  /// Of the same shape; TypeError unless floating point.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  SoftplusOptions options;  ///< as given
};
/// Holds a SoftplusImpl: `nn::Softplus()`.
D2L_MODULE(Softplus);

/// The option of Softmax.
class SoftmaxOptions {
 public:
  /// `dim` is the dimension along which the results sum to 1.
  SoftmaxOptions(std::int64_t dim) : dim_(dim) {}  // NOLINT(google-explicit-constructor)
  /// The dimension along which the results sum to 1.
  SoftmaxOptions& dim(std::int64_t dim) {
    dim_ = dim;
    return *this;
  }
  /// The dimension along which the results sum to 1.
  [[nodiscard]] std::int64_t dim() const noexcept { return dim_; }

 private:
  std::int64_t dim_;
};

/// eˣ / Σ eˣ along a dimension.
class SoftmaxImpl : public Module {
 public:
  /// A layer with these options.
  explicit SoftmaxImpl(const SoftmaxOptions& chosen) : options(chosen) {}

  /// Of the same shape; TypeError unless floating point, IndexError for a dimension out of range.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  SoftmaxOptions options;  ///< as given
};
/// Holds a SoftmaxImpl: `nn::Softmax(1)`.
D2L_MODULE(Softmax);

/// The option of LogSoftmax.
class LogSoftmaxOptions {
 public:
  /// `dim` is the dimension along which the exponentials of the results sum to 1.
  LogSoftmaxOptions(std::int64_t dim) : dim_(dim) {}  // NOLINT(google-explicit-constructor)
  /// The dimension along which the exponentials of the results sum to 1.
  LogSoftmaxOptions& dim(std::int64_t dim) {
    dim_ = dim;
    return *this;
  }
  /// The dimension along which the exponentials of the results sum to 1.
  [[nodiscard]] std::int64_t dim() const noexcept { return dim_; }

 private:
  std::int64_t dim_;
};

/// x − log Σ eˣ along a dimension.
class LogSoftmaxImpl : public Module {
 public:
  /// A layer with these options.
  explicit LogSoftmaxImpl(const LogSoftmaxOptions& chosen) : options(chosen) {}

  /// Of the same shape; TypeError unless floating point, IndexError for a dimension out of range.
  Tensor forward(const Tensor& input) override;
  [[nodiscard]] std::string extra_repr() const override;
  [[nodiscard]] std::shared_ptr<Module> clone() const override;

  LogSoftmaxOptions options;  ///< as given
};
/// Holds a LogSoftmaxImpl: `nn::LogSoftmax(1)`.
D2L_MODULE(LogSoftmax);

}  // namespace d2l::nn
