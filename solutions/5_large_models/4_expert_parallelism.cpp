// SPDX-License-Identifier: MIT
// The rows are sorted by expert, and so by rank, because a rank keeps neighbouring
// experts. Then the part of each rank is one range of rows, as an all-to-all needs it.
// A rank receives the rows of rank 0 by expert, then those of rank 1 by expert, and
// sorts them once more, so that each of its experts has one range.
//
// Each sorting is a list of indices. The results are put back with the inverse list,
// which is an `index_select` again: nothing is added up in memory, and its gradient is
// as exact as it is.
//
// The gradient of an exchange is the exchange in the opposite direction. Each rank must
// take part in all of them. So an expert without rows computes with no rows: a rank
// that left it out would have a result without a history, and would miss the backward
// pass, in which the others wait for it.
#include <numeric>

#include "exercise.h"

using namespace d2l;

namespace {

/// Numbers of rows, one for each rank.
using Rows = std::vector<std::int64_t>;

Tensor exchanged(const Tensor& rows, const Rows& to, const Rows& from) {
  const std::int64_t count = std::accumulate(from.begin(), from.end(), std::int64_t{0});
  Tensor received = empty({count, rows.size(1)}, rows.options());
  distributed::all_to_all_single(received, rows.contiguous(), from, to).wait();
  return received;
}

struct Exchange : autograd::Function<Exchange> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& rows,
                        const Rows& to, const Rows& from) {
    ctx->saved_data["to"] = to;
    ctx->saved_data["from"] = from;
    return exchanged(rows, to, from);
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx,
                                          autograd::variable_list gradients) {
    const Rows& to = ctx->saved_data["to"].toIntVector();
    const Rows& from = ctx->saved_data["from"].toIntVector();
    return {exchanged(gradients[0], from, to), Tensor(), Tensor()};
  }
};

Tensor result_of(const Expert& expert, const Tensor& rows) {
  return gelu(rows.mm(expert.W1) + expert.b1).mm(expert.W2) + expert.b2;
}

/// The results of the experts of this rank. `counts` has the rows of each rank for each
/// of them, in the order in which they have come.
Tensor results_of(const std::vector<Expert>& experts, const Tensor& rows,
                  const Rows& counts) {
  const std::size_t own = experts.size();
  std::vector<Rows> rows_of(own);
  std::int64_t row = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (std::int64_t j = 0; j < counts[i]; ++j) rows_of[i % own].push_back(row++);
  }
  Rows order;
  for (const Rows& of_expert : rows_of)
    order.insert(order.end(), of_expert.begin(), of_expert.end());
  const Tensor by_expert = tensor(order, kLong).to(rows.device());
  const Tensor sorted = rows.index_select(0, by_expert);
  std::vector<Tensor> results;
  std::int64_t begin = 0;
  for (std::size_t e = 0; e < own; ++e) {
    const auto count = static_cast<std::int64_t>(rows_of[e].size());
    results.push_back(result_of(experts[e], sorted.narrow(0, begin, count)));
    begin += count;
  }
  return cat(results).index_select(0, by_expert.argsort());
}

/// The sums for each rank of the counts of its experts.
Rows sums_of(const Tensor& counts, std::int64_t ranks) {
  return counts.view({ranks, -1}).sum(1).to_vector<std::int64_t>();
}

}  // namespace

Tensor forward(const Tensor& x, const Mixture& mixture) {
  const std::int64_t ranks = distributed::get_world_size();
  const std::int64_t experts = mixture.router.size(1);

  const auto [gates, chosen] = softmax(x.mm(mixture.router), 1).topk(mixture.top, 1);
  const Tensor order = chosen.flatten().argsort();
  const Tensor sent = one_hot(chosen.flatten(), experts).sum(0).cpu();
  const Tensor received = empty_like(sent);
  distributed::all_to_all_single(received, sent).wait();
  const Rows to = sums_of(sent, ranks);
  const Rows from = sums_of(received, ranks);

  const Tensor tokens = x.repeat_interleave(mixture.top, 0).index_select(0, order);
  const Tensor rows = Exchange::apply(tokens, to, from);
  const Tensor results =
      results_of(mixture.experts, rows, received.to_vector<std::int64_t>());
  const Tensor back = Exchange::apply(results, from, to);
  const Tensor of_tokens =
      back.index_select(0, order.argsort()).view({x.size(0), mixture.top, x.size(1)});
  return (of_tokens * gates.unsqueeze(2)).sum(1);
}
