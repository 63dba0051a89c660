// SPDX-License-Identifier: MIT
// Attention in float64, on the host, for the check.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "d2l/d2l.h"

namespace d2l::check {

/// Sums, and the sums of the absolute values of what each adds up, in heads of n rows
/// of d numbers.
class Sums {
 public:
  Sums(std::int64_t heads, std::int64_t n, std::int64_t d)
      : shape_{heads, n, d},
        values_(static_cast<std::size_t>(heads * n * d)),
        absolute_(values_.size()) {}
  explicit Sums(const Tensor& tensor)
      : Sums(tensor.size(0), tensor.size(1), tensor.size(2)) {
    values_ = tensor.to_vector<double>();
  }

  [[nodiscard]] std::int64_t heads() const { return shape_[0]; }
  [[nodiscard]] std::int64_t n() const { return shape_[1]; }
  [[nodiscard]] std::int64_t d() const { return shape_[2]; }
  [[nodiscard]] double at(std::int64_t head, std::int64_t row, std::int64_t c) const {
    return values_[index(head, row, c)];
  }
  void set(std::int64_t head, std::int64_t row, double value, double absolute) {
    values_[index(head, row, 0)] = value;
    absolute_[index(head, row, 0)] = absolute;
  }
  /// Adds a row of another matrix, times a factor. `of_factor` is the sum of the
  /// absolute values that the factor is made of.
  void add(std::int64_t head, std::int64_t row, const Sums& other,
           std::int64_t other_head, std::int64_t other_row, double factor,
           double of_factor) {
    for (std::int64_t c = 0; c < d(); ++c) {
      const double value = other.at(other_head, other_row, c);
      values_[index(head, row, c)] += factor * value;
      absolute_[index(head, row, c)] += of_factor * std::fabs(value);
    }
  }

  /// The largest sum of absolute values.
  [[nodiscard]] double scale() const {
    return *std::max_element(absolute_.begin(), absolute_.end());
  }
  /// In float32. Numbers of one column have no dimension for it.
  [[nodiscard]] Tensor tensor() const {
    const Tensor all = d2l::tensor(values_, kDouble).to(kFloat);
    return d() == 1 ? all.reshape({heads(), n()}) : all.reshape({heads(), n(), d()});
  }

 private:
  [[nodiscard]] std::size_t index(std::int64_t head, std::int64_t row,
                                  std::int64_t c) const {
    return static_cast<std::size_t>((head * n() + row) * d() + c);
  }

  std::vector<std::int64_t> shape_;
  std::vector<double> values_;
  std::vector<double> absolute_;
};

/// The gradients of the arguments of attention.
struct Gradients {
  Sums dq, dk, dv;
};

/// Attention of these arguments. A query head uses the head of its group.
class Attention {
 public:
  Attention(const Tensor& q, const Tensor& k, const Tensor& v, bool causal)
      : q_(q), k_(k), v_(v), causal_(causal) {}

  [[nodiscard]] Sums out() const {
    Sums out(q_.heads(), q_.n(), q_.d());
    each_query([&](std::int64_t head, std::int64_t query, const Row& row) {
      for (std::int64_t key = 0; key < size(row.weights); ++key)
        out.add(head, query, v_, group(head), key, of(row.weights, key),
                of(row.weights, key));
    });
    return out;
  }
  [[nodiscard]] Sums lse() const {
    Sums lse(q_.heads(), q_.n(), 1);
    each_query([&](std::int64_t head, std::int64_t query, const Row& row) {
      lse.set(head, query, row.lse, std::max(std::fabs(row.lse), row.scale));
    });
    return lse;
  }
  [[nodiscard]] Gradients gradients(const Tensor& of_out) const {
    const Sums dout(of_out);
    Gradients result{Sums(q_.heads(), q_.n(), q_.d()), Sums(k_.heads(), k_.n(), k_.d()),
                     Sums(k_.heads(), k_.n(), k_.d())};
    each_query([&](std::int64_t head, std::int64_t query, const Row& row) {
      const std::int64_t of_keys = group(head);
      // Not by way of the result: the mean of dP under the weights is the same number.
      std::vector<std::pair<double, double>> dp;
      std::pair<double, double> mean;
      for (std::int64_t key = 0; key < size(row.weights); ++key) {
        dp.push_back(product(dout, head, query, v_, of_keys, key));
        mean.first += of(row.weights, key) * dp.back().first;
        mean.second += of(row.weights, key) * dp.back().second;
      }
      for (std::int64_t key = 0; key < size(row.weights); ++key) {
        const double weight = of(row.weights, key);
        const auto [value, absolute] = dp[static_cast<std::size_t>(key)];
        const double dscore = weight * (value - mean.first) * root();
        const double of_dscore = weight * (absolute + mean.second) * root();
        result.dq.add(head, query, k_, of_keys, key, dscore, of_dscore);
        result.dk.add(of_keys, key, q_, head, query, dscore, of_dscore);
        result.dv.add(of_keys, key, dout, head, query, weight, weight);
      }
    });
    return result;
  }

 private:
  struct Row {
    std::vector<double> weights;  // of the keys that the query sees
    double lse = 0;
    double scale = 0;  // the largest score, if all its terms were positive
  };

  [[nodiscard]] double root() const {
    return 1 / std::sqrt(static_cast<double>(q_.d()));
  }
  [[nodiscard]] std::int64_t group(std::int64_t head) const {
    return head / (q_.heads() / k_.heads());
  }
  static std::int64_t size(const std::vector<double>& values) {
    return static_cast<std::int64_t>(values.size());
  }
  static double of(const std::vector<double>& values, std::int64_t i) {
    return values[static_cast<std::size_t>(i)];
  }

  /// The sum of the products of two rows, and of their absolute values.
  static std::pair<double, double> product(const Sums& a, std::int64_t a_head,
                                           std::int64_t a_row, const Sums& b,
                                           std::int64_t b_head, std::int64_t b_row) {
    std::pair<double, double> sum;
    for (std::int64_t c = 0; c < a.d(); ++c) {
      const double term = a.at(a_head, a_row, c) * b.at(b_head, b_row, c);
      sum.first += term;
      sum.second += std::fabs(term);
    }
    return sum;
  }

  [[nodiscard]] Row row_of(std::int64_t head, std::int64_t query) const {
    Row row;
    const std::int64_t keys = causal_ ? query + 1 : k_.n();
    for (std::int64_t key = 0; key < keys; ++key) {
      const auto [score, absolute] = product(q_, head, query, k_, group(head), key);
      row.weights.push_back(score * root());
      row.scale = std::max(row.scale, absolute * root());
    }
    const double max = *std::max_element(row.weights.begin(), row.weights.end());
    double total = 0;
    for (double& weight : row.weights) total += weight = std::exp(weight - max);
    for (double& weight : row.weights) weight /= total;
    row.lse = max + std::log(total);
    return row;
  }

  template <class Work>
  void each_query(const Work& work) const {
    for (std::int64_t head = 0; head < q_.heads(); ++head) {
      for (std::int64_t query = 0; query < q_.n(); ++query)
        work(head, query, row_of(head, query));
    }
  }

  Sums q_, k_, v_;
  bool causal_;
};

}  // namespace d2l::check
