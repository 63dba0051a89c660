// SPDX-License-Identifier: MIT
// Section 2.11.1: a kernel becomes an operation with a gradient, which is checked, and
// with which a network trains.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "d2l/custom_function.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # An operation with a gradient
//
// *Fifteen minutes.* After this lesson you can turn a kernel into an operation with a
// gradient, check the gradient, and train a network with it.
//
// Section 2.11 wrote kernels for softmax. Here is the one with a single pass for the
// maximum and the sum again, with what it needs: `of_block` combines the values of all
// threads of a block, and `Merge` two pairs of a maximum and a sum.

constexpr int max_threads = 256;

/// As many threads as columns, in whole warps, up to the limit.
int threads_for(int columns) { return std::min(max_threads, (columns + 31) / 32 * 32); }

struct alignas(8) MaxAndSum {
  float max;
  float sum;
};

struct Merge {
  __device__ MaxAndSum operator()(MaxAndSum a, MaxAndSum b) const {
    const float max = fmaxf(a.max, b.max);
    const auto rescale = [&](float from) {
      return from == max ? 1.f : expf(from - max);
    };
    return {max, a.sum * rescale(a.max) + b.sum * rescale(b.max)};
  }
};
struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

__device__ float from_lane(float value, int mask) {
  return __shfl_xor_sync(0xffffffff, value, mask);
}
__device__ MaxAndSum from_lane(MaxAndSum value, int mask) {
  return {from_lane(value.max, mask), from_lane(value.sum, mask)};
}

template <class Value, class Combine>
__device__ Value of_block(Value value, Combine combine) {
  __shared__ Value of_warp[max_threads / 32];
  for (int mask = 16; mask > 0; mask /= 2)
    value = combine(value, from_lane(value, mask));
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  value = of_warp[0];
  const int warps = blockDim.x / 32;
  for (int warp = 1; warp < warps; ++warp) value = combine(value, of_warp[warp]);
  return value;
}

__global__ void softmax_forward(const float* x, float* y, int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  MaxAndSum total{-INFINITY, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    total = Merge()(total, {x[begin + i], 1});
  total = of_block(total, Merge());
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    y[begin + i] = expf(x[begin + i] - total.max) / total.sum;
}

// %%
// The kernel is not yet an operation: it has no gradient that `backward()` could
// compute. If `g` is the gradient of a row `y` of the result, the gradient of the input
// is `y[i] * (g[i] - s)`, where `s` is the sum of all `g[j] * y[j]` of the row. So it
// needs the result, not the input, and one reduction. Again a block takes a row.
__global__ void softmax_backward(const float* y, const float* g, float* result,
                                 int columns) {
  const auto begin = static_cast<std::int64_t>(blockIdx.x) * columns;
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    sum += y[begin + i] * g[begin + i];
  sum = of_block(sum, Sum());
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    result[begin + i] = y[begin + i] * (g[begin + i] - sum);
}

// %%
// `autograd::Function` combines the two kernels. It has LibTorch's names, so the same
// code works with LibTorch.
//
// - `forward` computes the result, and saves in `ctx` what `backward` will need. The
//   operations inside `forward` are not recorded for the gradient.
// - `backward` gets a gradient for each result, and returns one for each argument of
//   `forward` after `ctx`.
// - `Softmax::apply(x)` calls `forward`, and records the call if `x` requires a
//   gradient.
//
// Two lines would be easy to forget. A kernel takes a pointer and assumes rows without
// gaps, but a tensor may be a view: the gradient of a `sum()` is one number that is
// expanded to a matrix, with strides of 0. `contiguous()` copies only if it is needed.
// And `save_for_backward` is more than a member variable: if the program writes to `y`
// in place before `backward()`, `backward()` reports an error instead of a wrong
// gradient.
Tensor softmax(const Tensor& any) {
  const Tensor x = any.contiguous();
  Tensor y = empty(x.sizes(), x.options());
  const int columns = static_cast<int>(x.size(1));
  if (x.numel() > 0) {
    softmax_forward<<<static_cast<int>(x.size(0)), threads_for(columns), 0,
                      stream(x.device())>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                            columns);
  }
  return y;
}

struct Softmax : autograd::Function<Softmax> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x) {
    const Tensor y = softmax(x);
    ctx->save_for_backward({y});
    return y;
  }

  static autograd::variable_list backward(autograd::AutogradContext* ctx,
                                          autograd::variable_list grad_outputs) {
    const Tensor y = ctx->get_saved_variables()[0];
    const Tensor g = grad_outputs[0].contiguous();
    Tensor result = zeros(y.sizes(), y.options());
    const int columns = static_cast<int>(y.size(1));
    if (y.numel() > 0) {
      softmax_backward<<<static_cast<int>(y.size(0)), threads_for(columns), 0,
                         stream(y.device())>>>(y.data_ptr<float>(), g.data_ptr<float>(),
                                               result.data_ptr<float>(), columns);
    }
    return {result};
  }
};

// %%
// A gradient of your own must be checked. First against the gradient of the library's
// `softmax`, and then against the definition: change one input a little, up and down,
// and see how much the result changes. That needs no second implementation, so it is
// what you can do for an operation that no library has.
void check_the_gradient() {
  const Tensor x = randn({5, 70}, gpu(0)).requires_grad_();
  const Tensor weights = randn({5, 70}, gpu(0));
  const Tensor loss = (Softmax::apply(x) * weights).sum();
  loss.backward();
  const Tensor ours = x.grad().clone();
  x.set_grad(Tensor());
  (x.softmax(1) * weights).sum().backward();
  show(Softmax::apply(x).grad_fn()->name());
  show(ours.allclose(x.grad(), 1e-5, 1e-7));

  double largest_difference = 0;
  const NoGradGuard unrecorded;
  for (int column = 0; column < 70; ++column) {
    Tensor step = zeros({5, 70}, gpu(0));
    step[2][column] = 0.01;
    const Tensor up = (softmax(x + step)[2] * weights[2]).sum();
    const Tensor down = (softmax(x - step)[2] * weights[2]).sum();
    const double slope = (up - down).item<double>() / 0.02;
    largest_difference =
        std::max(largest_difference, std::abs(slope - ours[2][column].item<double>()));
  }
  show(largest_difference < 1e-4);
}

// %%
// ## A network trains with it
//
// Here is a network of two layers, as in section 1.4, once with the kernels above and
// once with `log_softmax`. The loss is the negative logarithm of the probability of the
// correct class. Both start with the same parameters.
//
// **Predict first.** A step needs one softmax forward and one backward. How many
// kernels of ours does the program launch in ten steps? The function returns the loss
// of every fifth step.
std::vector<std::string> train(bool with_our_kernels, int steps) {
  manual_seed(7);
  const Tensor inputs = randn({64, 20}, gpu(0));
  const Tensor classes = matmul(inputs, randn({20, 10}, gpu(0))).argmax(1, true);
  const Tensor is_class = classes.eq(arange(10, gpu(0))).to(kFloat);
  const nn::Sequential net{nn::Linear(20, 32), nn::ReLU(),
                           nn::Linear(32, 10)};  // braces: made from left to right
  net->to(gpu(0));
  optim::SGD optimizer(net->parameters(), optim::SGDOptions(0.5));
  std::vector<std::string> losses;
  for (int step = 0; step < steps; ++step) {
    const Tensor scores = net(inputs);
    const Tensor logarithms =
        with_our_kernels ? Softmax::apply(scores).log() : scores.log_softmax(1);
    const Tensor loss = (is_class * logarithms).sum() / -64;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
    if (step % 5 == 0)
      losses.push_back(std::to_string(loss.item<float>()).substr(0, 6));
  }
  return losses;
}

void train_a_network() {
  show(train(true, 21));
  show(train(false, 21));
  TransferLedger ledger;
  static_cast<void>(train(true, 10));
  std::int64_t ours = 0;
  for (const LedgerEntry& entry : ledger.entries()) {
    if (entry.name == "kernel" || entry.name == "softmax_backward") ++ours;
  }
  show(ours);  // 0 on a card, whose ledger has no launches of our own
}

// %%
// The losses agree, and fall. Ten steps launch 20 of our kernels. The 64 rows of this
// network have 10 columns, so a block is one warp: `threads_for` matters, since with
// 256 threads 246 would have nothing to do.
//
// Two things are better in the library's version. It keeps the logarithm, so a
// probability that is rounded to 0 does no harm. Ours would give a loss of ∞, or `nan`
// if the probability is that of another class, because 0 · −∞ is `nan`. And its loss is
// fewer operations: a good kernel also fuses what follows.
//
// The functions of this lesson in order:
int main() {
  manual_seed(5);
  check_the_gradient();
  train_a_network();

  // %%
  // ## What to try next
  //
  // - `softmax_backward` reads `y` and `g` twice. Keep both in registers, and count the
  //   loads before and after.
  // - Leave `contiguous()` out of `backward`, and call
  //   `Softmax::apply(x).sum().backward()`. What do the checks report?
  // - Write to the result before `backward()`: `y.mul_(2)`. Which operation does the
  //   error name?
}
