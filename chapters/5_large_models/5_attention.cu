// SPDX-License-Identifier: MIT
// Section 5.5: attention without its matrix of scores: the result, the gradient, a
// causal mask, and a cache of keys and values.
#include <algorithm>
#include <cmath>
#include <vector>

#include "d2l/custom_function.h"
#include "d2l/figures.h"
#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Attention
//
// *Thirty minutes.* After this lesson you can compute attention and its gradient
// without storing the matrix of scores, say which bytes that saves and which it does
// not, and say what a cache of keys and values is for.
//
// A transformer reads a text as *tokens*, words or parts of words, and compares each
// token with the others. For this, each of n tokens has a *query*, a *key* and a
// *value*: the rows of matrices q, k and v. The *score* of a query and a key is their
// dot product, divided by the root of the number of columns. Softmax makes each row of
// scores into probabilities, and the result is the mean of the values, weighted by
// them. With tensors, for 32 columns:
constexpr int width = 32;

Tensor plain_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const Tensor scores = (q / std::sqrt(static_cast<double>(width))).matmul(k.t());
  return scores.softmax(1).matmul(v);
}

struct Rows {
  Tensor q, k, v;
};

Rows random_rows(std::int64_t n) {
  const auto rows = [n] { return randn({n, width}, gpu(0)).requires_grad_(); };
  return {rows(), rows(), rows()};  // braces: made from left to right
}

/// The bytes that `work` adds to the memory at its peak.
template <class Work>
std::int64_t peak_of(const Work& work) {
  const TransferLedger ledger;
  work();
  return ledger.memory_peak(gpu(0)).bytes -
         ledger.memory_over_time(gpu(0)).front().bytes;
}

// %%
// A layer has several *heads*, each with matrices of its own. All numbers below are for
// one head and one text.
//
// **Predict first.** The lines have n, the peak of the memory, and the bytes that the
// operations read and write, where a matrix counts once for each operation that uses
// it. By what factor do the two grow when n doubles?
void measure_plain_attention() {
  const NoGradGuard unrecorded;
  for (const std::int64_t n : {64, 128, 256}) {
    const Rows x = random_rows(n);
    const TransferLedger ledger;
    const std::int64_t peak = peak_of([&] { plain_attention(x.q, x.k, x.v); });
    show(n, peak, ledger.launched_bytes());
  }
}

// %%
// Both grow nearly fourfold. At the peak there are two matrices of n² floats, the
// scores and the probabilities, and q divided by the root: 8n² + 128n bytes. Both
// matrices are written once and read once, so 16n² + 768n bytes are moved. For 100000
// tokens, the two matrices of a single head have 80 GB.
//
// ## In tiles
//
// A row of the matrix is needed for one row of the result only. If its scores arrive
// piece by piece, online softmax (section 2.11) keeps their maximum and the sum of
// their powers, and corrects the sum when the maximum grows. A weighted sum of the
// values can be corrected in the same way, so no row needs to be stored. This method,
// with its gradient, is known as *FlashAttention* (Dao et al., 2022).
//
// Ours is simple: a thread has one query in its registers, and computes one row of the
// result. The block goes over the keys and values in *tiles* of as many rows as it has
// threads. These functions copy a tile to shared memory and back. Rows beyond the last
// one become 0. A row in shared memory has one more element, so that threads that read
// different rows use different banks (section 2.7).
using Row = float[width + 1];

__device__ void load(Row* tile, const float* matrix, int first, int n) {
  const int rows = static_cast<int>(blockDim.x);
  for (int i = static_cast<int>(threadIdx.x); i < rows * width; i += rows) {
    const bool exists = first + i / width < n;
    tile[i / width][i % width] = exists ? matrix[first * width + i] : 0;
  }
}

__device__ void store(float* matrix, const Row* tile, int first, int n) {
  const int rows = static_cast<int>(blockDim.x);
  for (int i = static_cast<int>(threadIdx.x); i < rows * width; i += rows) {
    if (first + i / width < n) matrix[first * width + i] = tile[i / width][i % width];
  }
}

// %%
// In the inner loop, all threads of a warp read the same element of a key at the same
// time, which is one pass. The last line stores the *log-sum-exp* of each row, the
// logarithm of the sum of its powers, for the gradient. `causal` is explained below.
template <int rows>
__global__ void attend(const float* q, const float* k, const float* v, float* result,
                       float* log_sums, int n, bool causal) {
  __shared__ Row keys[rows];
  __shared__ Row values[rows];
  const int thread = static_cast<int>(threadIdx.x);
  const int first = static_cast<int>(blockIdx.x) * rows;
  const int query = first + thread;
  load(keys, q, first, n);
  __syncthreads();
  float of_query[width];
  for (int c = 0; c < width; ++c) of_query[c] = keys[thread][c] * rsqrtf(width);
  float max = -INFINITY;
  float total = 0;
  float sum[width] = {};
  const int end_of_block = causal ? min(first + rows, n) : n;
  const int end = causal ? min(query + 1, n) : n;
  for (int begin = 0; begin < end_of_block; begin += rows) {
    __syncthreads();  // all threads have read the tile before
    load(keys, k, begin, n);
    load(values, v, begin, n);
    __syncthreads();
    for (int i = 0; i < min(rows, end - begin); ++i) {
      float score = 0;
      for (int c = 0; c < width; ++c) score += of_query[c] * keys[i][c];
      const float new_max = fmaxf(max, score);
      const float shrink = expf(max - new_max);
      const float power = expf(score - new_max);
      total = total * shrink + power;
      for (int c = 0; c < width; ++c) sum[c] = sum[c] * shrink + power * values[i][c];
      max = new_max;
    }
  }
  __syncthreads();
  for (int c = 0; c < width; ++c) values[thread][c] = sum[c] / total;
  __syncthreads();
  store(result, values, first, n);
  if (query < n) log_sums[query] = max + logf(total);
}

template <int rows>
Tensor attended(const Rows& x, bool causal, const Tensor& log_sums) {
  Tensor result = empty(x.q.sizes(), x.q.options());
  const int n = static_cast<int>(x.q.size(0));
  attend<rows><<<(n + rows - 1) / rows, rows, 0, stream(x.q.device())>>>(
      x.q.data_ptr<float>(), x.k.data_ptr<float>(), x.v.data_ptr<float>(),
      result.data_ptr<float>(), log_sums.data_ptr<float>(), n, causal);
  return result;
}

// %%
// **Predict first.** The lines have n, the rows of a block, the peak, the bytes of the
// loaded sectors, and whether the result is correct: within 1e-5 of the largest number
// of float64. By what do the peak and the bytes grow when n doubles, and with the rows?
bool same(const Tensor& found, const Tensor& expected) {
  return (found - expected).abs().max().le(expected.abs().max() * 1e-5).item<bool>();
}

template <int rows>
void measure_tiles(std::int64_t n) {
  const Rows x = random_rows(n);
  Tensor result;
  std::int64_t sectors = 0;
  const std::int64_t peak = peak_of([&] {
    const Tensor log_sums = empty({n}, x.q.options());
    const auto work = [&] { result = attended<rows>(x, false, log_sums); };
    sectors = static_cast<std::int64_t>(counts_of(work).load_sectors);
  });
  const Tensor expected = plain_attention(x.q.cpu().to(kDouble), x.k.cpu().to(kDouble),
                                          x.v.cpu().to(kDouble));
  show(std::vector<std::int64_t>{n, rows, peak, 32 * sectors},
       same(result.cpu().to(kDouble), expected));
}

void measure_tiled_attention() {
  const NoGradGuard unrecorded;
  measure_tiles<32>(64);
  measure_tiles<32>(128);
  measure_tiles<32>(256);
  measure_tiles<64>(256);
  measure_tiles<128>(256);
}

// %%
// (On a card the bytes are 0: it does not count.) The *memory* is linear in n: 132
// bytes for each row, for the result and the logarithm, with tensors rounded up to
// multiples of 512. The *bytes* that are loaded are still quadratic. A block loads its
// queries, and all keys and values: together 128n + 256n · n / `rows` bytes. The size
// of the tile is the divisor: a pair of a query and a key costs 8 bytes with 32 rows,
// and 2 with 128. In plain attention it costs 16.
//
// With d columns it is 8d / `rows`, and the tiles must fit into M bytes of shared
// memory. So the bytes are proportional to n²d² / M, as the paper shows. Two things
// favour tiles even more. The products of plain attention really read their operands
// several times (section 2.5). And the keys and values of 100000 tokens are 26 MB,
// which the L2 cache of an A100 holds, while a matrix of 40 GB comes from memory.
//
// ## The gradient
//
// Autograd keeps the probabilities P for the backward pass. With tiles, the backward
// pass computes them again: P = exp(S − L), where S are the scores, and L is the
// log-sum-exp that `attend` has stored for the row. Let O be the result, dO its
// gradient, and ∘ the product of elements. Then dV = Pᵀ dO and dP = dO Vᵀ, as for every
// product of matrices. Softmax has the gradient of section 2.11.1: dS = P ∘ (dP − D),
// where D is the sum of a row of P ∘ dP.
//
// It seems that D needs a whole row of P. But an element of dP is the dot product of a
// row of dO with a value v, and D = Σ P (dO · v) = dO · Σ P v. The last sum is the row
// of O. So D is the sum of a row of dO ∘ O, which is computed beforehand, and a tile of
// dS needs no other tile. Finally dQ = dS K / √d and dK = dSᵀ Q / √d.
//
// Here a tile of P has 32 columns, and is a tensor: this backward pass saves memory,
// but moves no fewer bytes. A kernel keeps the tile on the chip (exercise 5.5).
struct TiledAttention : autograd::Function<TiledAttention> {
  static constexpr int rows = 32;

  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& q,
                        const Tensor& k, const Tensor& v, bool causal) {
    const Tensor log_sums = empty({q.size(0), 1}, q.options());
    Tensor result = attended<rows>({q, k, v}, causal, log_sums);
    ctx->save_for_backward({q, k, v, result});
    ctx->saved_data["log_sums"] = log_sums;
    ctx->saved_data["causal"] = causal;
    return result;
  }

  static autograd::variable_list backward(autograd::AutogradContext* ctx,
                                          autograd::variable_list gradients) {
    const auto saved = ctx->get_saved_variables();
    const Rows x{saved[0], saved[1], saved[2]};
    const Tensor& g = gradients[0];
    const Tensor log_sums = ctx->saved_data["log_sums"].toTensor();
    const bool causal = ctx->saved_data["causal"].toBool();
    const double scale = 1 / std::sqrt(static_cast<double>(width));
    const Tensor sums = (g * saved[3]).sum({1}, /*keepdim=*/true);
    const Rows d{zeros_like(x.q), empty_like(x.k), empty_like(x.v)};
    const std::int64_t n = x.q.size(0);
    for (std::int64_t first = 0; first < n; first += rows) {
      const std::int64_t count = std::min<std::int64_t>(rows, n - first);
      const auto tile = [&](const Tensor& of) { return of.narrow(0, first, count); };
      const std::int64_t from = causal ? first : 0;
      const auto used = [&](const Tensor& of) { return of.narrow(0, from, n - from); };
      Tensor p = (used(x.q).matmul(tile(x.k).t()) * scale).sub_(used(log_sums)).exp_();
      if (causal) p = p.tril();
      Tensor dp = used(g).matmul(tile(x.v).t());
      const Tensor ds = dp.sub_(used(sums)).mul_(p).mul_(scale);
      used(d.q).add_(ds.matmul(tile(x.k)));
      tile(d.k).copy_(ds.t().matmul(used(x.q)));
      tile(d.v).copy_(p.t().matmul(used(g)));
    }
    return {d.q, d.k, d.v, Tensor()};
  }
};

// %%
// **Predict first.** The lines have n, and the peaks of a forward and a backward pass,
// plain and in tiles. What will the second peak be when n doubles?
Tensor gradients_of(const Rows& x, const Tensor& result) {
  (result * arange(width, gpu(0))).sum().backward();
  Tensor gradients = cat({x.q.grad(), x.k.grad(), x.v.grad()});
  for (const Tensor& one : {x.q, x.k, x.v}) one.set_grad(Tensor());
  return gradients;
}

void compare_the_gradients() {
  const auto plain = [](const Rows& x) {
    return gradients_of(x, plain_attention(x.q, x.k, x.v));
  };
  const auto tiled = [](const Rows& x) {
    return gradients_of(x, TiledAttention::apply(x.q, x.k, x.v, false));
  };
  for (const std::int64_t n : {64, 128, 256}) {
    const Rows x = random_rows(n);
    const std::int64_t of_plain = peak_of([&] { plain(x); });
    const std::int64_t of_tiled = peak_of([&] { tiled(x); });
    show(std::vector<std::int64_t>{n, of_plain, of_tiled}, same(tiled(x), plain(x)));
  }
  const Rows x = random_rows(256);
  const TransferLedger ledger;
  plain(x);
  const std::size_t end = ledger.memory_over_time(gpu(0)).size();
  tiled(x);
  show_svg(memory_svg(ledger.memory_over_time(gpu(0)), {{0, "plain"}, {end, "tiles"}}),
           "The memory of a step with plain attention, whose peak is in its backward "
           "pass, and with tiles: eight equal waves, less than half as high.");
}

// %%
// It nearly doubles, since a tile of n by 32 is linear in n; each of the eight waves is
// a tile. Between the passes, q, k, v, the result and n logarithms are kept. The plain
// peak has P, dP and dS in the backward pass: 12n² bytes and more.
//
// ## A causal mask
//
// A model that writes text must not see what comes later: query i may use the keys up
// to i. In plain attention, such a *causal* mask sets the scores above the diagonal to
// −∞, and the work stays the same. A tile that is wholly above the diagonal need not
// even be loaded: the loop in `attend` ends at the last row of the block, and
// `backward` omits the queries before the tile. On the diagonal, some pairs are masked.
//
// The library's function, with PyTorch's name, is `scaled_dot_product_attention`. We
// compare results and gradients with it, also where n is no multiple of the tile.
//
// **Predict first.** With 256 rows there are 8 by 8 tiles of scores, and 17408 sectors
// are loaded. How many of the tiles are left with a mask, and how many sectors?
void compare_with_the_library() {
  for (const bool causal : {false, true}) {
    for (const std::int64_t n : {1, 100, 256}) {
      const Rows x = random_rows(n);
      Tensor ours;
      const auto work = [&] { ours = TiledAttention::apply(x.q, x.k, x.v, causal); };
      const std::uint64_t sectors = counts_of(work).load_sectors;
      const Tensor its = scaled_dot_product_attention(x.q, x.k, x.v, {}, 0, causal);
      const Tensor gradients = gradients_of(x, ours);
      show(n, sectors, same(ours, its) && same(gradients, gradients_of(x, its)));
    }
  }
  const NoGradGuard unrecorded;
  const Rows x = random_rows(256);
  show(peak_of([&] { scaled_dot_product_attention(x.q, x.k, x.v); }));
}

// %%
// 1 + 2 + … + 8 = 36 tiles of 256 sectors, and 1024 sectors for the queries. For large
// n, about half of the work is left.
//
// The last line is the peak of the library's function without a mask: that of plain
// attention. PyTorch has several versions of it. On a card it takes one in tiles, where
// sizes and dtype allow it, in 16 bits with tensor cores (section 5.3).
//
// ## A cache of keys and values
//
// A model writes a text token by token. A new token needs the keys and values of all
// earlier tokens. Those do not change, since no token sees a later one. So keep them:
// this is a *KV cache*. Then a step computes one row of q, k and v, and the attention
// of one query. Without it, a step computes all rows and results again, because the
// next layer needs them. (We omit the mask, which does not change the last row.)
//
// **Predict first.** The lines have n and the bytes for a new token, without and with a
// cache. How do the two grow with n?
void generate() {
  const NoGradGuard unrecorded;
  const Tensor tokens = randn({256, width}, gpu(0));
  const auto weights = [] { return randn({width, width}, gpu(0)) * 0.2; };
  const Rows to{weights(), weights(), weights()};
  const Tensor keys = empty_like(tokens);
  const Tensor values = empty_like(tokens);
  for (std::int64_t n = 1; n <= 256; ++n) {
    TransferLedger ledger;
    const Tensor token = tokens.narrow(0, n - 1, 1);
    keys.narrow(0, n - 1, 1).copy_(token.matmul(to.k));
    values.narrow(0, n - 1, 1).copy_(token.matmul(to.v));
    const Tensor next = plain_attention(token.matmul(to.q), keys.narrow(0, 0, n),
                                        values.narrow(0, 0, n));
    const std::int64_t with = ledger.launched_bytes();
    if (n != 64 && n != 128 && n != 256) continue;
    ledger.clear();
    const Tensor all = tokens.narrow(0, 0, n);
    const Rows x{all.matmul(to.q), all.matmul(to.k), all.matmul(to.v)};
    const Tensor again = plain_attention(x.q, x.k, x.v);
    show(n, ledger.launched_bytes(), with);
    show(same(next[0], again[n - 1]));
  }
}

// %%
// With a cache there are 272 bytes for each token, 256 of them its key and value, and
// 14080 more, mainly for the weights. Without it there are 16n² + 1536n + 12288.
//
// The price is memory. A token of Llama 2 with 7 billion parameters has keys and values
// of 4096 columns in each of 32 layers. In 16 bits that is 0.5 MiB, and 2 GiB for 4096
// tokens. And a step does few operations for each byte of the cache, so memory bounds
// it (section 2.0). In many newer models, several heads share keys and values.
//
// The functions of this lesson in order:
int main() {
  manual_seed(5);
  measure_plain_attention();
  measure_tiled_attention();
  compare_the_gradients();
  compare_with_the_library();
  generate();

  // %%
  // ## What to try next
  //
  // - Leave out `shrink`. For which scores is the result still correct?
  // - Correct once for each tile, not for each key. How many calls of `expf` remain?
  // - Exercise 5.5: the kernel of the backward pass. `./learn next 5.5` shows the task.
}
