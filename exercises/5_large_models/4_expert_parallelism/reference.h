// SPDX-License-Identifier: MIT
// What a mixture of experts computes, on one device, and how many rows its ranks
// exchange.
#pragma once

#include <string>
#include <vector>

#include "d2l/check.h"
#include "exercise.h"

namespace d2l::check {

/// A step. `kind` says what is special.
struct Case {
  int ranks;
  int own;  ///< experts of a rank
  int top;
  const char* kind;
  [[nodiscard]] std::int64_t experts() const { return std::int64_t{ranks} * own; }
  [[nodiscard]] std::string name() const {
    return counted(ranks, "ranks") + ", " + counted(experts(), "experts") + ", top " +
           std::to_string(top) + kind;
  }
  [[nodiscard]] std::string forward() const { return "forward, " + name(); }
  [[nodiscard]] std::string backward() const { return "backward(), " + name(); }
  [[nodiscard]] bool has(const char* what) const {
    return std::string(kind).find(what) != std::string::npos;
  }
  [[nodiscard]] Dtype dtype() const { return has(" float32") ? kFloat : kDouble; }
  [[nodiscard]] std::int64_t bytes() const { return has(" float32") ? 4 : 8; }
  [[nodiscard]] double tolerance() const { return has(" float32") ? 1e-4 : 1e-12; }
  [[nodiscard]] bool x_requires_grad() const { return !has("x without"); }
  [[nodiscard]] bool has_gaps() const { return has("tokens"); }
};

inline constexpr const char* names[] = {"W1", "b1", "W2", "b2"};

/// One device, in float64: each expert computes all tokens, and a mask selects.
class Reference {
 public:
  Reference(const Inputs& inputs, const Case& one) : one_(one) {
    const auto leaf = [&](const std::string& what) {
      return inputs.tensor(key(one.name(), what)).to(kDouble).requires_grad_();
    };
    for (int which = 0; which < 4; ++which) weights_[which] = leaf(names[which]);
    for (int rank = 0; rank < one.ranks; ++rank) {
      const auto suffix = " of rank " + std::to_string(rank);
      x.push_back(leaf("x" + suffix));
      router.push_back(leaf("router"));
      const Tensor p = softmax(x.back().mm(router.back()), 1);
      const Tensor chosen = p.detach().argsort(1, /*descending=*/true);
      const Tensor mask = one_hot(chosen.narrow(1, 0, one.top), one.experts()).sum(1);
      result.push_back(zeros_like(x.back()));
      for (std::int64_t e = 0; e < one.experts(); ++e) {
        const auto of = [&](int which) { return weights_[which][e]; };
        const Tensor f = gelu(x.back().mm(of(0)) + of(1)).mm(of(2)) + of(3);
        result.back() = result.back() + f * (p * mask).narrow(1, e, 1);
      }
      result.back().backward(
          inputs.tensor(key(one.name(), "change" + suffix)).to(kDouble));
      rows_.push_back(mask.sum(0).to_vector<std::int64_t>());
    }
  }

  std::vector<Tensor> x, router, result;  ///< of each rank
  [[nodiscard]] Tensor expert_gradient(std::int64_t expert, int which) const {
    return weights_[which].grad()[expert];
  }
  [[nodiscard]] std::int64_t features() const { return weights_[3].size(1); }
  /// Rows of all ranks for an expert.
  [[nodiscard]] std::int64_t rows_of_expert(std::int64_t expert) const {
    std::int64_t sum = 0;
    for (int rank = 0; rank < one_.ranks; ++rank) sum += rows(rank, expert);
    return sum;
  }
  /// Rows that leave a rank, and rows that come to it.
  [[nodiscard]] std::int64_t left(int rank) const {
    return one_.top * tokens(rank) - rows_between(rank, rank);
  }
  [[nodiscard]] std::int64_t came(int rank) const {
    return computed(rank) - rows_between(rank, rank);
  }
  /// Of the matrix products of the forward pass.
  [[nodiscard]] std::int64_t flops_of(int rank) const {
    const std::int64_t of_expert = 4 * computed(rank) * weights_[1].size(1);
    return features() * (2 * tokens(rank) * one_.experts() + of_expert);
  }

 private:
  [[nodiscard]] std::int64_t tokens(int rank) const {
    return result[static_cast<std::size_t>(rank)].size(0);
  }
  [[nodiscard]] std::int64_t rows(int rank, std::int64_t expert) const {
    return rows_[static_cast<std::size_t>(rank)][static_cast<std::size_t>(expert)];
  }
  [[nodiscard]] std::int64_t rows_between(int from, int to) const {
    std::int64_t sum = 0;
    for (int e = to * one_.own; e < (to + 1) * one_.own; ++e) sum += rows(from, e);
    return sum;
  }
  [[nodiscard]] std::int64_t computed(int rank) const {
    std::int64_t sum = 0;
    for (int from = 0; from < one_.ranks; ++from) sum += rows_between(from, rank);
    return sum;
  }

  Case one_;
  Tensor weights_[4];
  std::vector<std::vector<std::int64_t>> rows_;
};

}  // namespace d2l::check
