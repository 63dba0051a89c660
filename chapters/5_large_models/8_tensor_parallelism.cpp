// SPDX-License-Identifier: MIT
// Section 5.8: tensor parallelism: an MLP and attention whose matrices are divided
// between ranks, and what must be sent for that.
#include <cmath>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/links.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Tensor parallelism
//
// *Twenty-five minutes.* After this lesson you can divide an MLP and the heads of
// attention between ranks, say what is sent for that, and say which links it needs.
//
// Section 5.7 divides what a rank *stores* between two steps. Each layer still computes
// with all its parameters and keeps all its activations on one GPU. If a layer itself
// is too large, or too slow, several GPUs must compute it together. Section 3.1 called
// that *tensor parallelism*. There one process drove all GPUs. Here it is as in chapter
// 4: a rank for each GPU, which has its own part and nothing else. What it needs from
// others must be sent, and the ledger counts that.
//
// ## Two operations
//
// Let all ranks have the same input x, and each a part of the layer. The forward pass
// needs no communication for that. In the backward pass each rank computes the gradient
// of x for its own part of the layer. The gradient of x is the sum of them: an
// all-reduce. So we need an operation (section 2.11.1) whose forward pass changes
// nothing, and whose backward pass adds up:

struct ToAllParts : autograd::Function<ToAllParts> {
  static Tensor forward(autograd::AutogradContext* /*ctx*/, const Tensor& x) {
    return x.clone();
  }
  static autograd::variable_list backward(autograd::AutogradContext* /*ctx*/,
                                          autograd::variable_list gradients) {
    const Tensor sum = gradients[0].clone();
    dist::all_reduce(sum).wait();
    return {sum};
  }
};

// %%
// The second operation is the opposite. The forward pass adds up what the ranks have
// computed. Now all ranks have the same sum. They compute the same loss from it, and
// the same gradient of the sum, which is also that of each term. So the backward pass
// sends nothing.

struct SumOfParts : autograd::Function<SumOfParts> {
  static Tensor forward(autograd::AutogradContext* /*ctx*/, const Tensor& part) {
    Tensor sum = part.clone();
    dist::all_reduce(sum).wait();
    return sum;
  }
  static autograd::variable_list backward(autograd::AutogradContext* /*ctx*/,
                                          autograd::variable_list gradients) {
    return gradients;
  }
};

// %%
// These are f and g of Megatron-LM (Shoeybi et al., 2019).
//
// ## Split an MLP
//
// From here on there are four ranks. (With fewer GPUs they share them, and without one
// all are on the CPU. What is sent does not depend on that.) The MLP of a transformer
// has two layers, y = gelu(x · A) · B, and a hidden layer that is four times as wide as
// x. All ranks draw the same A and B, to compare the results. In a real program a rank
// has its parts only.

int main() {
  start_ranks(4);
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const int size = dist::get_world_size();
  const std::vector<Device>& own = dist::local_devices();
  const Device device =
      own.empty() ? cpu()
                  : own[static_cast<std::size_t>(dist::get_local_rank()) % own.size()];
  const auto part_of = [&](const Tensor& whole, std::int64_t dim) {
    const auto parts = whole.detach().chunk(size, dim);
    return parts[static_cast<std::size_t>(rank)].clone().requires_grad_();
  };
  manual_seed(8);
  constexpr std::int64_t rows = 64;
  constexpr std::int64_t width = 128;
  const Tensor x = randn({rows, width}, device).requires_grad_();
  const Tensor A = (randn({width, 4 * width}, device) / 11).requires_grad_();
  const Tensor B = (randn({4 * width, width}, device) / 22).requires_grad_();
  const Tensor y = gelu(x.mm(A)).mm(B);
  y.square().sum().backward();
  show(x.nbytes(), A.nbytes(), y.nbytes());

  // %%
  // Rank r gets a quarter of the *columns* of A. So it computes a quarter of the hidden
  // values, and each of these completely, because a hidden value is the product of a
  // row of x and one column of A. It can apply gelu to them. A quarter of the hidden
  // values needs a quarter of the *rows* of B, and their product is one of four terms
  // of y.
  //
  // **Predict first.** How many bytes does each rank send in the forward pass, and how
  // many in the backward pass? (Each of k ranks sends 2(k − 1)/k times the bytes of a
  // tensor in an all-reduce: section 3.5.)
  const Tensor part_A = part_of(A, 1);
  const Tensor part_B = part_of(B, 0);
  const Tensor own_x = x.detach().requires_grad_();
  TransferLedger ledger;
  const auto sent = [&ledger] {
    const std::int64_t bytes = ledger.sent_bytes(Connection::network);
    ledger.clear();
    return bytes;
  };
  const Tensor term = gelu(ToAllParts::apply(own_x).mm(part_A)).mm(part_B);
  const Tensor sum = SumOfParts::apply(term);
  const std::int64_t of_forward = sent();
  sum.square().sum().backward();
  show(of_forward, sent());
  const auto is_close = [](const Tensor& a, const Tensor& b) {
    return allclose(a, b, /*rtol=*/1e-4, /*atol=*/1e-3);
  };
  show(is_close(sum, y), is_close(own_x.grad(), x.grad()));
  show(is_close(part_A.grad(), part_of(A.grad(), 1)),
       is_close(part_B.grad(), part_of(B.grad(), 0)));

  // %%
  // 2 · 3/4 · 32768 = 49152 bytes in each pass: one all-reduce of the output, and one
  // of the gradient of the input. The hidden values, 131072 bytes, stay where they are.
  // So do the matrices, their gradients, and the optimizer's state.
  //
  // Why is gelu allowed between the layers, and not behind the second one? A split by
  // columns gives a rank *some of the values*, and a split by rows *a term of every
  // value*. A function of a sum is not the sum of the function. So gelu of the terms is
  // wrong, and gelu of their sum is right:
  show(is_close(SumOfParts::apply(gelu(term)), gelu(y)),
       is_close(gelu(SumOfParts::apply(term)), gelu(y)));

  // %%
  // ## Both layers by columns
  //
  // What does "columns, then rows" save? Compare it with a split of both layers by
  // columns, in which the ranks gather the columns of each result. The gradient of what
  // they have gathered is again a sum, and each rank needs it for its own columns: a
  // reduce-scatter.
  struct Gather : autograd::Function<Gather> {
    static Tensor forward(autograd::AutogradContext* /*ctx*/, const Tensor& part) {
      std::vector<Tensor> parts;
      for (int r = 0; r < dist::get_world_size(); ++r)
        parts.push_back(empty_like(part));
      dist::all_gather(parts, part).wait();
      return cat(parts, 1);
    }
    static autograd::variable_list backward(autograd::AutogradContext* /*ctx*/,
                                            autograd::variable_list gradients) {
      const auto parts = gradients[0].chunk(dist::get_world_size(), 1);
      const Tensor sum = parts[0].clone();
      dist::reduce_scatter(sum, parts).wait();
      return {sum};
    }
  };
  own_x.mutable_grad() = Tensor();
  ledger.clear();
  const Tensor hidden = Gather::apply(gelu(ToAllParts::apply(own_x).mm(part_A)));
  const Tensor gathered = Gather::apply(hidden.mm(part_of(B, 1)));
  const std::int64_t of_gathering = sent();
  // The reduce-scatter adds the gradients of four equal losses: take a quarter of each.
  (gathered.square().sum() / static_cast<double>(size)).backward();
  show(of_gathering, sent());
  show(is_close(gathered, y), is_close(own_x.grad(), x.grad()));

  // %%
  // That is three times as many bytes, and five exchanges in place of two. The hidden
  // values are the largest tensor here, and they go to all ranks, which also store
  // them.
  //
  // ## Split attention
  //
  // Attention is a pair of layers, too. Its first layer makes queries, keys and values.
  // A head uses some columns of each, and no head needs the values of another. So a
  // rank takes two of eight heads: their columns of the three matrices, and the same
  // rows of the output matrix.
  //
  // **Predict first.** How many bytes does each rank send, forward and backward?
  const Tensor qkv = randn({3, width, width}, device) / 11;
  const Tensor output = randn({width, width}, device) / 11;
  const auto attention = [](const Tensor& input, const Tensor& first,
                            const Tensor& second) {
    std::vector<Tensor> heads;  // (heads, rows, 16) of queries, keys and values
    for (std::int64_t i = 0; i < 3; ++i)
      heads.push_back(input.mm(first[i]).reshape({rows, -1, 16}).transpose(0, 1));
    const Tensor mixed = scaled_dot_product_attention(heads[0], heads[1], heads[2]);
    return mixed.transpose(0, 1).reshape({rows, -1}).mm(second);
  };
  const Tensor attended = SumOfParts::apply(
      attention(ToAllParts::apply(own_x), part_of(qkv, 2), part_of(output, 0)));
  const std::int64_t of_heads = sent();
  attended.sum().backward();
  show(of_heads, sent(), is_close(attended, attention(x, qkv, output)));

  // %%
  // The same as for the MLP. So a block of a transformer, attention and MLP, has two
  // all-reduces in the forward pass and two in the backward pass, each of the size of
  // its input. Everything that computes on single rows, such as a layer normalisation,
  // each rank does for itself, with all rows.
  //
  // ## Which links does it need?
  //
  // The layer behind the sum needs the sum, so nothing can be computed meanwhile, as it
  // could with the gradients of section 3.6. The ranks wait for each all-reduce. Take
  // 32 blocks of width 4096 and 8192 tokens of 16 bits, on eight GPUs. These are the
  // modelled milliseconds of all 128 all-reduces, over the links of section 3.1 and two
  // networks:
  constexpr std::int64_t blocks = 32;
  constexpr std::int64_t model_width = 4096;
  constexpr std::int64_t tokens = 8192;
  const auto milliseconds = [](const char* link) {
    const double one = all_reduce_seconds(AllReduce::ring, 8, 2 * tokens * model_width,
                                          link_named(link));
    return std::round(1000.0 * 4 * blocks * one);
  };
  show(milliseconds("NVLink 4"), milliseconds("InfiniBand NDR"),
       milliseconds("100 Gbit/s Ethernet"));

  // %%
  // **Predict first.** Is that much? A block has 12 times width² parameters. A step
  // takes 2 operations for each parameter and token in the forward pass, and 4 in the
  // backward pass. How many milliseconds do eight H200 compute, at their peak for 16
  // bits?
  const auto operations =
      6.0 * 12 * static_cast<double>(model_width * model_width * blocks * tokens);
  show(std::round(1000 * operations / 8 / card_named("H200").processor.float16));

  // %%
  // Over NVLink the ranks wait for about as long as they compute at the peak, and over
  // the networks 8 and 31 times as long. So tensor parallelism stays within a server,
  // where the links are fast, and that bounds it: to eight GPUs in most servers. A
  // larger model is also divided by its layers, which is section 5.8.1.
  //
  // ## What to try next
  //
  // - Leave out `ToAllParts`. Which gradients are wrong then, and which would be wrong
  //   in a network with more layers in front of this one?
  // - Add biases: one for the hidden values, one for y. Which of them is divided, and
  //   what happens if each rank adds the other one? Exercise 5.8 asks for that.
  // - Use six heads in place of eight. What would each of four ranks have to do?
  dist::destroy_process_group();
}
