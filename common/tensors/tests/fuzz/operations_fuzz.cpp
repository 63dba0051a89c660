// SPDX-License-Identifier: MIT
// operations_fuzz SEED COUNT: calls operations with tensors that are empty or have no dimensions and with numbers at
// the ends of their range, and their gradients. Each call has a consistent result or throws an Error.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <random>
#include <vector>

#include "library.h"

namespace {

using namespace d2l;  // NOLINT(google-build-using-namespace)

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : engine_(seed) {}
  /// A number from 0 to before `count`; the same on every platform.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  std::int64_t integer() {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    constexpr std::array<std::int64_t, 14> odd{0,   1,    2,     3,         -1,           -2,       255,
                                               256, most, -most, -most - 1, most / 2 + 1, most / 2, 5};
    return odd[below(odd.size())];
  }
  std::int64_t dim() { return static_cast<std::int64_t>(below(5)) - 2; }
  Scalar number() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::array<double, 9> odd{
        0, -0.0, 0.5, -1.5, 1e300, infinity, -infinity, std::numeric_limits<double>::quiet_NaN(), 3};
    return below(2) == 0 ? Scalar(integer()) : Scalar(odd[below(odd.size())]);
  }
  std::vector<std::int64_t> shape() {
    static const std::vector<std::vector<std::int64_t>> shapes{
        {}, {0}, {1}, {3}, {0, 3}, {3, 0}, {2, 3}, {3, 3}, {2, 0, 3}, {2, 3, 1}, {1, 2, 4, 4}, {0, 2, 4, 4}};
    return shapes[below(shapes.size())];
  }
  Tensor tensor() {
    const auto type = this->type();
    Tensor made = empty(shape(), TensorOptions().dtype(kDouble));
    Tensor flat = made.view({-1});
    for (std::int64_t i = 0; i < made.numel(); ++i) flat[i] = static_cast<double>(below(5)) - 1;
    made = made.to(type);
    if (made.dim() == 2 && below(3) == 0) made = made.t();
    if (made.dim() > 0 && below(4) == 0) made = made.slice(0, 1);
    if (isFloatingType(type) && below(2) == 0) made.requires_grad_();
    return made;
  }
  /// What an operation gave: it may be changed in place.
  Tensor result() {
    const Tensor made = tensor();
    return below(3) == 0 ? made.detach() : made.clone();
  }
  Tensor index() { return tensor().detach().to(kLong); }
  Tensor mask() { return tensor().detach().to(kBool); }
  ScalarType type() {
    constexpr std::array<ScalarType, 8> types{kBool, kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble};
    return types[below(types.size())];
  }
  std::int64_t small() { return static_cast<std::int64_t>(below(6)) - 1; }
  std::int64_t reduction() { return static_cast<std::int64_t>(below(3)); }
  double real() {
    constexpr std::array<double, 8> odd{0,
                                        -0.0,
                                        0.5,
                                        -1.5,
                                        1e300,
                                        1,
                                        std::numeric_limits<double>::infinity(),
                                        std::numeric_limits<double>::quiet_NaN()};
    return odd[below(odd.size())];
  }
  template <class T, std::size_t count>
  const T& one_of(const T (&all)[count]) {
    return all[below(count)];
  }

 private:
  std::mt19937_64 engine_;
};

using OfOne = Tensor (*)(const Tensor&);
constexpr OfOne of_one[] = {&neg,   &abs,   &sqrt,  &exp,  &log, &relu,     &sigmoid,     &tanh,  &sin,
                            &cos,   &floor, &ceil,  &sign, &erf, &square,   &reciprocal,  &rsqrt, &log1p,
                            &expm1, &isnan, &isinf, &silu, &t,   &isfinite, &logical_not, &round, &squeeze,
                            &clone, &sum,   &mean,  &max,  &min, &prod};

using OfTwo = Tensor (*)(const Tensor&, const Tensor&);
constexpr OfTwo of_two[] = {&mul,     &div,         &pow,        &eq,        &ne,         &lt,           &le,
                            &gt,      &ge,          &max,        &remainder, &min,        &floor_divide, &maximum,
                            &minimum, &logical_and, &logical_or, &mm,        &bmm,        &mv,           &matmul,
                            &dot,     &outer,       &clamp_min,  &clamp_max, &logical_xor};

using OfTensorAndNumber = Tensor (*)(const Tensor&, Scalar);
constexpr OfTensorAndNumber of_tensor_and_number[] = {&mul,       &div,       &pow,          &eq,  &ne,
                                                      &lt,        &le,        &gt,           &ge,  &clamp_min,
                                                      &remainder, &clamp_max, &floor_divide, &elu, &leaky_relu};

using InPlace = Tensor& (Tensor::*)();
constexpr InPlace in_place[] = {
    &Tensor::neg_,     &Tensor::abs_,         &Tensor::sqrt_,       &Tensor::exp_,   &Tensor::log_,    &Tensor::relu_,
    &Tensor::sigmoid_, &Tensor::tanh_,        &Tensor::sin_,        &Tensor::cos_,   &Tensor::square_, &Tensor::floor_,
    &Tensor::ceil_,    &Tensor::sign_,        &Tensor::reciprocal_, &Tensor::rsqrt_, &Tensor::erf_,    &Tensor::log1p_,
    &Tensor::expm1_,   &Tensor::logical_not_, &Tensor::zero_,       &Tensor::round_};

using InPlaceWithTensor = Tensor& (Tensor::*)(const Tensor&);
constexpr InPlaceWithTensor in_place_with_tensor[] = {
    &Tensor::mul_,       &Tensor::div_,          &Tensor::pow_,         &Tensor::clamp_min_,  &Tensor::clamp_max_,
    &Tensor::remainder_, &Tensor::floor_divide_, &Tensor::logical_and_, &Tensor::logical_or_, &Tensor::logical_xor_};

using InPlaceWithNumber = Tensor& (Tensor::*)(Scalar);
constexpr InPlaceWithNumber in_place_with_number[] = {&Tensor::mul_,       &Tensor::div_,         &Tensor::pow_,
                                                      &Tensor::clamp_min_, &Tensor::clamp_max_,   &Tensor::remainder_,
                                                      &Tensor::fill_,      &Tensor::floor_divide_};

using Operation = Tensor (*)(Draws&);
constexpr Operation operations[] = {
    // Elementwise.
    [](Draws& d) { return d.one_of(of_one)(d.tensor()); },
    [](Draws& d) { return d.one_of(of_two)(d.tensor(), d.tensor()); },
    [](Draws& d) { return d.one_of(of_tensor_and_number)(d.tensor(), d.number()); },
    [](Draws& d) {
      Tensor x = d.result();
      return (x.*d.one_of(in_place))();
    },
    [](Draws& d) {
      Tensor x = d.result();
      return (x.*d.one_of(in_place_with_tensor))(d.tensor());
    },
    [](Draws& d) {
      Tensor x = d.result();
      return (x.*d.one_of(in_place_with_number))(d.number());
    },
    [](Draws& d) { return d.tensor().add(d.tensor(), d.number()); },
    [](Draws& d) { return d.tensor().sub(d.number(), d.number()); },
    [](Draws& d) { return d.result().add_(d.tensor(), d.number()); },
    [](Draws& d) { return d.result().sub_(d.number(), d.number()); },
    [](Draws& d) { return d.result().copy_(d.tensor()); },
    [](Draws& d) { return d.number() - d.tensor(); },
    [](Draws& d) { return d.number() / d.tensor(); },
    [](Draws& d) { return pow(d.number(), d.tensor()); },
    [](Draws& d) { return remainder(d.number(), d.tensor()); },
    [](Draws& d) { return d.tensor().round(d.integer()); },
    [](Draws& d) { return d.tensor().clamp(d.number(), d.number()); },
    [](Draws& d) { return d.tensor().clamp(d.tensor(), d.tensor()); },
    [](Draws& d) { return d.result().clamp_(d.number(), d.number()); },
    [](Draws& d) { return where(d.mask(), d.tensor(), d.tensor()); },
    [](Draws& d) { return where(d.mask(), d.tensor(), d.number()); },
    [](Draws& d) { return where(d.mask(), d.number(), d.number()); },
    [](Draws& d) { return d.tensor().masked_fill(d.mask(), d.number()); },
    [](Draws& d) { return d.tensor().masked_fill(d.mask(), d.tensor()); },
    [](Draws& d) { return d.result().masked_fill_(d.mask(), d.number()); },
    [](Draws& d) { return gelu(d.tensor(), d.below(2) == 0 ? "none" : "tanh"); },
    [](Draws& d) { return softplus(d.tensor(), d.number(), d.number()); },
    [](Draws& d) { return d.tensor().to(d.type()); },
    // Shapes and places.
    [](Draws& d) {
      return d.tensor().view({d.small(), d.small()});
    },
    [](Draws& d) {
      return d.tensor().reshape({d.integer(), d.integer()});
    },
    [](Draws& d) {
      return d.tensor().expand({d.small(), d.small(), d.small()});
    },
    [](Draws& d) { return d.tensor().flatten(d.dim(), d.integer()); },
    [](Draws& d) {
      return d.tensor().unflatten(d.dim(), {d.integer(), d.integer()});
    },
    [](Draws& d) { return d.tensor().movedim(d.dim(), d.integer()); },
    [](Draws& d) {
      return d.tensor().permute({d.dim(), d.dim()});
    },
    [](Draws& d) { return d.tensor().transpose(d.dim(), d.integer()); },
    [](Draws& d) { return d.tensor().T(); },
    [](Draws& d) { return d.tensor().mT(); },
    [](Draws& d) { return d.tensor().unsqueeze(d.integer()); },
    [](Draws& d) { return d.tensor().squeeze(d.integer()); },
    [](Draws& d) { return d.tensor().select(d.dim(), d.integer()); },
    [](Draws& d) { return d.tensor().slice(d.dim(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return d.tensor().narrow(d.dim(), d.integer(), d.integer()); },
    [](Draws& d) { return d.tensor().chunk(d.small(), d.dim()).at(0); },
    [](Draws& d) { return d.tensor().split(d.integer(), d.dim()).at(0); },
    [](Draws& d) {
      return d.tensor().split({d.integer(), d.integer()}, d.dim()).at(1);
    },
    [](Draws& d) {
      return d.tensor().repeat({d.integer(), d.integer()});
    },
    [](Draws& d) { return d.tensor().repeat_interleave(d.integer(), d.dim()); },
    [](Draws& d) { return d.tensor().repeat_interleave(d.index(), d.dim()); },
    [](Draws& d) { return d.tensor().diag(d.integer()); },
    [](Draws& d) { return d.tensor().tril(d.integer()); },
    [](Draws& d) { return d.tensor().triu(d.integer()); },
    [](Draws& d) {
      return d.tensor().flip({d.dim(), d.dim()});
    },
    [](Draws& d) { return d.tensor().roll(d.integer(), d.dim()); },
    [](Draws& d) { return d.tensor().index_select(d.dim(), d.index()); },
    [](Draws& d) { return d.tensor().gather(d.dim(), d.index()); },
    [](Draws& d) { return d.tensor().index(d.below(2) == 0 ? d.index() : d.mask()); },
    [](Draws& d) { return d.tensor().masked_select(d.mask()); },
    [](Draws& d) {
      return cat({d.tensor(), d.tensor()}, d.dim());
    },
    [](Draws& d) {
      return stack({d.tensor(), d.tensor()}, d.dim());
    },
    // Reductions and order.
    [](Draws& d) {
      return d.tensor().sum({d.dim(), d.dim()}, d.below(2) == 0);
    },
    [](Draws& d) { return d.tensor().mean(d.dim(), d.below(2) == 0); },
    [](Draws& d) { return std::get<0>(d.tensor().max(d.dim())); },
    [](Draws& d) { return std::get<0>(d.tensor().min(d.dim(), true)); },
    [](Draws& d) { return d.tensor().argmax(d.dim()); },
    [](Draws& d) { return d.tensor().argmin(); },
    [](Draws& d) { return d.tensor().all(d.dim()); },
    [](Draws& d) { return d.tensor().any(); },
    [](Draws& d) { return d.tensor().norm(d.number(), d.dim()); },
    [](Draws& d) { return d.tensor().norm(d.number()); },
    [](Draws& d) { return d.tensor().var({d.dim()}, d.number()); },
    [](Draws& d) { return d.tensor().std(d.below(2) == 0); },
    [](Draws& d) { return d.tensor().prod(d.dim()); },
    [](Draws& d) { return d.tensor().cumsum(d.dim()); },
    [](Draws& d) { return d.tensor().logsumexp(d.dim()); },
    [](Draws& d) { return d.tensor().softmax(d.dim()); },
    [](Draws& d) { return d.tensor().log_softmax(d.dim()); },
    [](Draws& d) { return std::get<0>(d.tensor().sort(d.dim())); },
    [](Draws& d) { return d.tensor().argsort(d.dim(), true); },
    [](Draws& d) { return std::get<0>(d.tensor().topk(d.integer(), d.dim())); },
    // Layers and losses.
    [](Draws& d) { return linear(d.tensor(), d.tensor(), d.tensor()); },
    [](Draws& d) { return mse_loss(d.tensor(), d.tensor(), d.reduction()); },
    [](Draws& d) { return l1_loss(d.tensor(), d.tensor(), d.reduction()); },
    [](Draws& d) { return huber_loss(d.tensor(), d.tensor(), d.reduction(), d.real()); },
    [](Draws& d) { return smooth_l1_loss(d.tensor(), d.tensor(), d.reduction(), d.real()); },
    [](Draws& d) { return binary_cross_entropy_with_logits(d.tensor(), d.tensor(), d.tensor(), {}, d.reduction()); },
    [](Draws& d) { return nll_loss(d.tensor(), d.index(), {}, d.reduction(), d.integer()); },
    [](Draws& d) { return cross_entropy_loss(d.tensor(), d.index(), {}, d.reduction(), d.integer(), d.real()); },
    [](Draws& d) { return cross_entropy_loss(d.tensor(), d.tensor(), d.tensor()); },
    [](Draws& d) { return scaled_dot_product_attention(d.tensor(), d.tensor(), d.tensor(), {}, 0, d.below(2) == 0); },
    [](Draws& d) { return layer_norm(d.tensor(), d.shape(), {}, {}, d.real()); },
    [](Draws& d) { return layer_norm(d.tensor(), {3}, d.tensor(), d.tensor()); },
    [](Draws& d) {
      const Tensor none;
      return batch_norm(d.tensor(), d.tensor(), d.tensor(), none, none, true, d.real(), d.real());
    },
    [](Draws& d) { return batch_norm(d.tensor(), {}, {}, d.tensor(), d.tensor(), d.below(2) == 0, 0.1, 1e-5); },
    [](Draws& d) { return embedding(d.tensor(), d.index(), d.integer(), d.below(2) == 0); },
    [](Draws& d) { return one_hot(d.index(), d.integer()); },
    [](Draws& d) { return conv2d(d.tensor(), d.tensor(), {}, d.integer(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return conv2d(d.tensor(), d.tensor(), d.tensor(), 1, d.small()); },
    [](Draws& d) { return max_pool2d(d.tensor(), d.integer(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return max_pool2d(d.tensor(), d.small(), d.small(), d.small(), 1, true); },
    [](Draws& d) { return avg_pool2d(d.tensor(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return avg_pool2d(d.tensor(), d.small(), d.small(), d.small(), true, false, d.integer()); },
    [](Draws& d) {
      return adaptive_avg_pool2d(d.tensor(), {d.integer(), d.small()});
    },
    // New tensors.
    [](Draws& d) { return eye(d.integer(), d.integer(), d.type()); },
    [](Draws& d) {
      return full({d.small(), d.integer()}, d.number(), d.type());
    },
    [](Draws& d) { return full_like(d.tensor(), d.number()); },
    [](Draws& d) { return arange(d.small(), d.small(), d.number(), d.type()); },
    [](Draws& d) { return arange(d.number(), d.number(), Scalar(1e300), d.type()); },
    [](Draws& d) { return linspace(d.number(), d.number(), d.small(), d.type()); },
    [](Draws& d) { return randint(d.integer(), d.integer(), {3}, d.type()); },
    [](Draws& d) { return randperm(d.integer(), d.type()); },
    [](Draws& d) {
      return randn({d.small(), d.integer()}, d.type());
    },
};

/// Reads every element of a result, and goes back to what it was made from.
void use(const Tensor& result) {
  std::int64_t count = 1;
  for (const auto size : result.sizes()) count *= size == 0 ? 0 : size;
  if (count != result.numel()) throw std::logic_error("the sizes do not have the elements");
  if (static_cast<std::int64_t>(result.to_vector<double>().size()) != count) {
    throw std::logic_error("not every element was read");
  }
  if (result.requires_grad() && !result.is_leaf()) result.sum().backward();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::uint64_t first = std::strtoull(arguments[1], nullptr, 10);
  const std::uint64_t cases = std::strtoull(arguments[2], nullptr, 10);
  int errors = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    for (std::size_t number = 0; number < std::size(operations); ++number) {
      Draws draws(seed * 1000 + number);
      try {
        use(operations[number](draws));
      } catch (const Error&) {
        ++errors;
      } catch (const std::exception& error) {
        std::fprintf(stderr, "seed %llu, operation %zu: %s\n", static_cast<unsigned long long>(seed), number,
                     error.what());
        return 1;
      }
    }
  }
  std::printf("%llu calls, %d errors\n", static_cast<unsigned long long>(cases * std::size(operations)), errors);
  return 0;
}
