// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr std::int64_t width = 32;
constexpr const char* ordinary[] = {
    "1 query and 1 key", "1 query",       "1 key",      "32 queries, 64 keys",
    "31 queries",        "others of 31",  "33 queries", "1030 queries",
    "300 keys",          "equal weights", "long",       "no queries"};
constexpr const char* large[] = {"large scores", "scores far above 0",
                                 "scores far below 0"};
constexpr const char* causal[] = {"causal, 1", "causal, 31", "causal, 32", "causal, 33",
                                  "causal, long"};
constexpr const char* names[] = {"dout", "q", "k", "v", "out", "lse"};
constexpr const char* results[] = {"dq", "dk", "dv"};

std::vector<std::string> all_calls() {
  std::vector<std::string> calls(std::begin(ordinary), std::end(ordinary));
  calls.insert(calls.end(), std::begin(large), std::end(large));
  calls.insert(calls.end(), std::begin(causal), std::end(causal));
  return calls;
}

bool is_causal(const std::string& call) { return call.starts_with("causal"); }

/// A matrix in float64, on the host.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns)
      : columns_(columns), values_(rows * columns) {}
  explicit Matrix(const Tensor& tensor)
      : columns_(static_cast<std::size_t>(tensor.size(1))),
        values_(tensor.to_vector<double>()) {}

  [[nodiscard]] std::size_t rows() const { return values_.size() / columns_; }
  double& operator()(std::size_t i, std::size_t j) { return values_[i * columns_ + j]; }
  double operator()(std::size_t i, std::size_t j) const {
    return values_[i * columns_ + j];
  }
  [[nodiscard]] double largest() const {
    return values_.empty() ? 0 : *std::max_element(values_.begin(), values_.end());
  }
  [[nodiscard]] Tensor to_float() const {
    return tensor(values_, kDouble)
        .reshape(
            {static_cast<std::int64_t>(rows()), static_cast<std::int64_t>(columns_)})
        .to(kFloat);
  }

 private:
  std::size_t columns_;
  std::vector<double> values_;
};

/// The sum of the products of a row of each, or of their absolute values.
double product(const Matrix& a, std::size_t i, const Matrix& b, std::size_t j,
               bool absolute = false) {
  double sum = 0;
  for (std::size_t c = 0; c < width; ++c)
    sum += absolute ? std::fabs(a(i, c) * b(j, c)) : a(i, c) * b(j, c);
  return sum;
}

/// The weights of a query, and the log-sum-exp of its scores.
double weigh(const Matrix& q, std::size_t query, const Matrix& k, bool of_causal,
             std::vector<double>& weights) {
  weights.assign(of_causal ? query + 1 : k.rows(), 0);
  for (std::size_t key = 0; key < weights.size(); ++key)
    weights[key] = product(q, query, k, key) / std::sqrt(static_cast<double>(width));
  const double max = *std::max_element(weights.begin(), weights.end());
  double total = 0;
  for (double& weight : weights) total += weight = std::exp(weight - max);
  for (double& weight : weights) weight /= total;
  return max + std::log(total);
}

/// The three gradients, and the sums of the absolute values of what each adds up.
struct Expected {
  Matrix dq, dk, dv;
  Matrix of_dq, of_dk, of_dv;
};

Expected expected_of(const Inputs& inputs, const std::string& call) {
  const auto matrix = [&](const char* name) {
    return Matrix(inputs.tensor(key(call, name)));
  };
  const Matrix dout = matrix("dout");
  const Matrix q = matrix("q");
  const Matrix k = matrix("k");
  const Matrix v = matrix("v");
  const Matrix empty_q(q.rows(), width);
  const Matrix empty_k(k.rows(), width);
  Expected expected{empty_q, empty_k, empty_k, empty_q, empty_k, empty_k};
  std::vector<double> weights;
  for (std::size_t query = 0; query < q.rows(); ++query) {
    static_cast<void>(weigh(q, query, k, is_causal(call), weights));
    // Not by way of the result: the mean of dP under the weights is the same number.
    double mean = 0;
    double of_mean = 0;
    for (std::size_t key = 0; key < weights.size(); ++key) {
      mean += weights[key] * product(dout, query, v, key);
      of_mean += weights[key] * product(dout, query, v, key, /*absolute=*/true);
    }
    for (std::size_t key = 0; key < weights.size(); ++key) {
      const double part = weights[key] / std::sqrt(static_cast<double>(width));
      const double dscore = part * (product(dout, query, v, key) - mean);
      const double of_dscore =
          part * (product(dout, query, v, key, /*absolute=*/true) + of_mean);
      for (std::size_t c = 0; c < width; ++c) {
        expected.dq(query, c) += dscore * k(key, c);
        expected.dk(key, c) += dscore * q(query, c);
        expected.dv(key, c) += weights[key] * dout(query, c);
        expected.of_dq(query, c) += of_dscore * std::fabs(k(key, c));
        expected.of_dk(key, c) += of_dscore * std::fabs(q(query, c));
        expected.of_dv(key, c) += weights[key] * std::fabs(dout(query, c));
      }
    }
  }
  return expected;
}

void judge_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& call, double tolerance) {
  outcome.require(call);
  const Expected expected = expected_of(inputs, call);
  const auto judge = [&](const char* name, const Matrix& values, const Matrix& sums) {
    item.close(values.to_float(), outcome.tensor(key(call, name)), tolerance,
               key(call, name), sums.largest());
  };
  judge("dq", expected.dq, expected.of_dq);
  judge("dk", expected.dk, expected.of_dk);
  judge("dv", expected.dv, expected.of_dv);
  for (const char* const name : names) {
    item.close(inputs.tensor(key(call, name)),
               outcome.tensor(key(call, name) + ", afterwards"), 0,
               key(call, name) + ", afterwards");
  }
}

/// Stores the arguments of a call: `out` and `lse` are what a forward pass returns.
void put_call(Inputs& inputs, const std::string& call, const Tensor& q,
              const Tensor& k) {
  // The mean of the values is not 0, nor is D.
  const Tensor v = 1.5 - rand({k.size(0), width});
  const Matrix queries(q);
  const Matrix keys(k);
  const Matrix values(v);
  Matrix out(queries.rows(), width);
  Matrix lse(queries.rows(), 1);
  std::vector<double> weights;
  for (std::size_t query = 0; query < queries.rows(); ++query) {
    lse(query, 0) = weigh(queries, query, keys, is_causal(call), weights);
    for (std::size_t key = 0; key < weights.size(); ++key) {
      for (std::size_t c = 0; c < width; ++c)
        out(query, c) += weights[key] * values(key, c);
    }
  }
  inputs.put(key(call, "dout"), randn({q.size(0), width}) + 0.25);
  inputs.put(key(call, "q"), q);
  inputs.put(key(call, "k"), k);
  inputs.put(key(call, "v"), v);
  inputs.put(key(call, "out"), out.to_float());
  inputs.put(key(call, "lse"), lse.to_float().reshape({q.size(0)}));
}

/// Atomic operations on global memory.
std::uint64_t global_atomics(const KernelCounts& counts) {
  return counts.atomics - counts.shared_atomics;
}

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Calls `judge` for each call that has queries, with its counts and sizes. Every
/// answer loads q, k, v and dout.
template <class Judge>
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  Judge judge) {
  for (const std::string& call : all_calls()) {
    const std::int64_t n = inputs.tensor(key(call, "q")).size(0);
    if (n == 0) continue;
    if (item.lacks_counts(outcome, call)) return;
    const std::int64_t m = inputs.tensor(key(call, "k")).size(0);
    const KernelCounts counts = counts_of(outcome.recording(call).entries);
    item.at_least(8 * (n + m), whole(counts.load_sectors), "sectors loaded", call);
    judge(counts, n, m, call);
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result, "the gradients are correct, and no argument changes",
       1},
      {"large", 1, Kind::result,
       "they are correct for scores that are large or far below 0", 2},
      {"causal", 2, Kind::result, "they are correct where a query sees no later key",
       4},
      {"placement", 1, Kind::placement, "the gradients are on the device of q", 1},
      {"launches", 1, Kind::cost, "at most 3 launches of your kernels compute them", 1},
      {"memory", 2, Kind::cost, "no matrix of n by m is allocated or stored", 2},
      {"reads", 2, Kind::cost, "16 queries or keys share what a block loads", 3},
      {"skipped", 1, Kind::cost, "a causal call loads no tile that no query sees", 4},
      {"spread", 1, Kind::cost, "all warps and blocks have their share of the work",
       3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto put = [&](const std::string& call, std::int64_t n, std::int64_t m) {
    put_call(inputs, call, randn({n, width}), randn({m, width}));
  };
  put("1 query and 1 key", 1, 1);
  put("1 query", 1, inputs.draw(34, 60));
  put("1 key", inputs.draw(34, 60), 1);
  put("32 queries, 64 keys", 32, 64);
  const std::int64_t keys = inputs.draw(5, 31);
  put("31 queries", 31, keys);
  // Gradients that were kept from the previous call are wrong here.
  put("others of 31", 31, keys);
  put("33 queries", 33, inputs.draw(65, 100));
  // More than most fixed-size arrays hold, with few of the other, because many of both
  // take the emulator too long.
  put("1030 queries", inputs.draw(1025, 1034), 2);
  put("300 keys", 2, inputs.draw(290, 310));
  put_call(inputs, "equal weights", randn({3, width}), zeros({40, width}));
  const std::int64_t n = inputs.draw(140, 150);
  put("long", n, n);
  put("no queries", 0, 5);
  put_call(inputs, "large scores", randn({6, width}) * 30,
           randn({inputs.draw(33, 60), width}) * 10);
  put_call(inputs, "scores far above 0", rand({18, width}) + 1,
           20 + rand({inputs.draw(33, 60), width}));
  put_call(inputs, "scores far below 0", rand({18, width}) + 1,
           -20 - rand({inputs.draw(33, 60), width}));
  for (const std::int64_t size : {1, 31, 32, 33})
    put("causal, " + std::to_string(size), size, size);
  put("causal, long", n, n);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  for (const std::string& call : all_calls()) {
    std::vector<std::pair<std::string, Tensor>> arguments;
    for (const char* const name : names) {
      arguments.emplace_back(key(call, name) + ", afterwards",
                             inputs.tensor(key(call, name)).to(last_device()));
    }
    Gradients result;
    if (!outcome.attempt(call, [&] {
          result = attention_backward(arguments[0].second, arguments[1].second,
                                      arguments[2].second, arguments[3].second,
                                      arguments[4].second, arguments[5].second,
                                      is_causal(call));
        }))
      continue;
    returned.keep(key(call, "dq"), result.dq, arguments);
    returned.keep(key(call, "dk"), result.dk, {});
    returned.keep(key(call, "dv"), result.dv, {});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_item = [&](const char* name, const auto& judge) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (!item.lacks_gpus(1)) judge(item);
    });
  };
  judge_item("values", [&](ItemJudgement& item) {
    for (const char* const call : ordinary)
      judge_values(item, inputs, outcome, call, 1e-5);
  });
  judge_item("large", [&](ItemJudgement& item) {
    // A score of a thousand, in float32, may be off by 1e-3; so is its power, relative
    // to it.
    for (const char* const call : large)
      judge_values(item, inputs, outcome, call, 5e-3);
  });
  judge_item("causal", [&](ItemJudgement& item) {
    for (const char* const call : causal)
      judge_values(item, inputs, outcome, call, 1e-5);
  });
  judge_item("placement", [&](ItemJudgement& item) {
    for (const std::string& call : all_calls()) {
      outcome.require(call);
      for (const char* const name : results)
        item.placed(outcome, key(call, name), last_device());
    }
  });
  judge_item("launches", [&](ItemJudgement& item) {
    for (const std::string& call : all_calls()) {
      const Recording& recording = outcome.recording(call);
      const auto launches = static_cast<std::int64_t>(recording.kernels().size());
      if (inputs.tensor(key(call, "q")).numel() > 0) {
        if (item.lacks_counts(outcome, call)) return;
        item.at_least(1, launches, "launches of a kernel", call);
      }
      item.at_most(3, launches, "launches of a kernel", call);
      item.equal(0, recording.operations(), "operations of the library", call);
      item.equal(0, recording.copies(), "copies between devices", call);
    }
  });
  judge_item("memory", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, std::int64_t m,
                     const std::string& call) {
                   std::int64_t bytes = 0;
                   for (const LedgerEntry& entry : outcome.recording(call).entries) {
                     if (entry.kind == LedgerEntry::Kind::allocation)
                       bytes += entry.bytes;
                   }
                   item.at_most(384 * (n + m), bytes, "bytes allocated", call);
                   // 8 floats of a sector may also be added by atomic operations.
                   item.at_least(
                       4 * (n + 2 * m),
                       whole(counts.store_sectors + global_atomics(counts) / 8),
                       "sectors stored", call);
                   item.at_most(12 * (n + m), whole(counts.store_sectors),
                                "sectors stored", call);
                 });
  });
  judge_item("reads", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, std::int64_t m,
                     const std::string& call) {
                   const std::int64_t of_n = (n + 15) / 16;
                   const std::int64_t of_m = (m + 15) / 16;
                   item.at_most(12 * (n * (of_m + 2) + m * (of_n + 2)),
                                whole(counts.load_sectors), "sectors loaded", call);
                   item.at_most(64 * (n * of_m + m * of_n),
                                whole(global_atomics(counts)), "atomic operations",
                                call);
                 });
  });
  judge_item("skipped", [&](ItemJudgement& item) {
    if (item.lacks_counts(outcome, "long")) return;
    const auto sectors_of = [&](const char* call) {
      return whole(counts_of(outcome.recording(call).entries).load_sectors);
    };
    const std::int64_t limit = sectors_of("long") * 3 / 4;
    item.at_least(1, sectors_of("causal, long"), "sectors loaded", "causal, long");
    item.at_most(limit, sectors_of("causal, long"), "sectors loaded", "causal, long");
  });
  judge_item("spread", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t, std::int64_t,
                     const std::string& call) {
                   if (call == "long") item.spread(counts, call);
                 });
  });
}

}  // namespace d2l::check
