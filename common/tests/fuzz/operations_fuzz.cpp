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

#include "d2l/d2l.h"

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
    constexpr std::array<ScalarType, 6> types{kBool, kByte, kInt, kLong, kFloat, kDouble};
    const auto type = types[below(types.size())];
    Tensor made = empty(shape(), TensorOptions().dtype(kDouble));
    Tensor flat = made.view({-1});
    for (std::int64_t i = 0; i < made.numel(); ++i) flat[i] = static_cast<double>(below(5)) - 1;
    made = made.to(type);
    if (made.dim() == 2 && below(3) == 0) made = made.t();
    if (made.dim() > 0 && below(4) == 0) made = made.slice(0, 1);
    if (isFloatingType(type) && below(2) == 0) made.requires_grad_();
    return made;
  }
  Tensor index() { return tensor().detach().to(kLong); }

 private:
  std::mt19937_64 engine_;
};

using Operation = Tensor (*)(Draws&);
constexpr Operation operations[] = {
    [](Draws& d) {
      return d.tensor().repeat({d.integer(), d.integer()});
    },
    [](Draws& d) { return d.tensor().repeat_interleave(d.integer(), d.dim()); },
    [](Draws& d) { return d.tensor().repeat_interleave(d.index(), d.dim()); },
    [](Draws& d) { return d.tensor().diag(d.integer()); },
    [](Draws& d) { return d.tensor().tril(d.integer()); },
    [](Draws& d) { return d.tensor().roll(d.integer(), d.dim()); },
    [](Draws& d) { return d.tensor().select(d.dim(), d.integer()); },
    [](Draws& d) { return d.tensor().slice(d.dim(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return d.tensor().narrow(d.dim(), d.integer(), d.integer()); },
    [](Draws& d) { return d.tensor().index_select(d.dim(), d.index()); },
    [](Draws& d) { return d.tensor().gather(d.dim(), d.index()); },
    [](Draws& d) { return d.tensor().masked_fill(d.tensor().detach().to(kBool), d.number()); },
    [](Draws& d) { return d.tensor().clamp(d.number(), d.number()); },
    [](Draws& d) { return d.tensor().clamp(d.tensor(), d.tensor()); },
    [](Draws& d) { return where(d.tensor().detach().to(kBool), d.tensor(), d.number()); },
    [](Draws& d) { return d.tensor().norm(d.number(), d.dim()); },
    [](Draws& d) { return d.tensor().var({d.dim()}, d.number()); },
    [](Draws& d) { return d.tensor().prod(d.dim()); },
    [](Draws& d) { return d.tensor().cumsum(d.dim()); },
    [](Draws& d) { return std::get<0>(d.tensor().sort(d.dim())); },
    [](Draws& d) { return std::get<0>(d.tensor().topk(d.integer(), d.dim())); },
    [](Draws& d) { return d.tensor().matmul(d.tensor()); },
    [](Draws& d) { return linear(d.tensor(), d.tensor(), d.tensor()); },
    [](Draws& d) { return d.tensor() + d.tensor(); },
    [](Draws& d) { return d.tensor() * d.number(); },
    [](Draws& d) { return d.tensor().remainder(d.number()); },
    [](Draws& d) { return d.tensor().softmax(d.dim()); },
    [](Draws& d) {
      return cat({d.tensor(), d.tensor()}, d.dim());
    },
    [](Draws& d) { return mse_loss(d.tensor(), d.tensor()); },
    [](Draws& d) { return huber_loss(d.tensor(), d.tensor()); },
    [](Draws& d) { return embedding(d.tensor(), d.index()); },
    [](Draws& d) { return one_hot(d.index(), d.integer()); },
    [](Draws& d) { return eye(d.integer(), d.integer()); },
    [](Draws& d) {
      return linspace(d.number(), d.number(), 3, TensorOptions().dtype(d.below(2) == 0 ? kLong : kFloat));
    },
    [](Draws& d) { return conv2d(d.tensor(), d.tensor(), {}, d.integer(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return max_pool2d(d.tensor(), d.integer(), d.integer(), d.integer(), d.integer()); },
    [](Draws& d) { return avg_pool2d(d.tensor(), d.integer(), d.integer(), d.integer()); },
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
