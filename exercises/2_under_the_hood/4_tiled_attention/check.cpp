// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr std::int64_t width = 32;
constexpr const char* ordinary[] = {"1 key",
                                    "31 keys",
                                    "32 keys",
                                    "33 keys",
                                    "100 keys",
                                    "1 query",
                                    "16 queries",
                                    "17 queries",
                                    "17 others",
                                    "4100 keys",
                                    "1030 queries",
                                    "equal scores",
                                    "increasing scores",
                                    "decreasing scores",
                                    "no queries"};
constexpr const char* large[] = {"large scores", "scores far below 0",
                                 "equal scores of minus a million"};

/// Every case, by name.
std::vector<std::string> all_cases() {
  std::vector<std::string> names(std::begin(ordinary), std::end(ordinary));
  names.insert(names.end(), std::begin(large), std::end(large));
  return names;
}

/// Attention in float64.
Tensor expected_of(const Inputs& inputs, const std::string& name) {
  const Tensor queries = inputs.tensor(name + ": q");
  const auto q = queries.to_vector<double>();
  const auto k = inputs.tensor(name + ": k").to_vector<double>();
  const auto v = inputs.tensor(name + ": v").to_vector<double>();
  const std::size_t columns = width;
  std::vector<double> result(q.size());
  std::vector<double> weights(k.size() / columns);
  for (std::size_t row = 0; row < q.size(); row += columns) {
    for (std::size_t key = 0; key < weights.size(); ++key) {
      double score = 0;
      for (std::size_t c = 0; c < columns; ++c)
        score += q[row + c] * k[key * columns + c];
      weights[key] = score / std::sqrt(static_cast<double>(width));
    }
    const double max = *std::max_element(weights.begin(), weights.end());
    double total = 0;
    for (double& weight : weights) total += weight = std::exp(weight - max);
    for (std::size_t key = 0; key < weights.size(); ++key) {
      for (std::size_t c = 0; c < columns; ++c)
        result[row + c] += weights[key] / total * v[key * columns + c];
    }
  }
  return tensor(result, kDouble).reshape(queries.sizes());
}

void judge_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& name, double tolerance) {
  outcome.require(name);
  const Tensor found = outcome.tensor(name);
  item.expect(found.dtype() == kFloat, "float32", "another dtype", name);
  item.close(expected_of(inputs, name), found.to(kDouble), tolerance, name);
  for (const char* const which : {": q", ": k", ": v"}) {
    item.close(inputs.tensor(name + which),
               outcome.tensor(name + which + " afterwards"), 0,
               name + which + ", afterwards");
  }
}

void put_case(Inputs& inputs, const std::string& name, const Tensor& q,
              const Tensor& k) {
  inputs.put(name + ": q", q);
  inputs.put(name + ": k", k);
  // The largest value is 1, so that a tolerance is one relative to it. The mean of the
  // values is not 0.
  inputs.put(name + ": v", 1 - rand({k.size(0), width}));
}

/// Calls `judge` with the counts of each case that has queries, and their numbers of
/// queries and keys.
template <class Judge>
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  Judge judge) {
  if (item.lacks_gpus(1)) return;
  for (const std::string& name : all_cases()) {
    const std::int64_t n = inputs.tensor(name + ": q").size(0);
    if (n == 0) continue;
    if (item.lacks_counts(outcome, name)) return;
    const KernelCounts sum = counts_of(outcome.recording(name).entries);
    const std::int64_t m = inputs.tensor(name + ": k").size(0);
    item.at_least(4 * width * (n + 2 * m), static_cast<std::int64_t>(sum.load_bytes),
                  "bytes loaded", name);
    judge(sum, n, m, name);
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result, "the result is correct, and no argument changes", 1},
      {"large", 2, Kind::result, "the result is correct for scores of any magnitude",
       2},
      {"placement", 1, Kind::placement, "the result is on the device of q", 1},
      {"launches", 1, Kind::cost,
       "one launch of one kernel computes it, and none for 0 queries", 1},
      {"reads", 2, Kind::cost,
       "16 queries share a read of the keys and values, and no scores are stored", 1},
      {"barriers", 1, Kind::cost, "at most two barriers for each 32 keys", 3},
      {"passes", 1, Kind::cost, "each access to shared memory takes one pass", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const std::int64_t keys : {1, 31, 32, 33, 100}) {
    put_case(inputs, std::to_string(keys) + (keys == 1 ? " key" : " keys"),
             randn({inputs.draw(2, 15), width}), randn({keys, width}));
  }
  for (const std::int64_t queries : {1, 16, 17}) {
    put_case(inputs, std::to_string(queries) + (queries == 1 ? " query" : " queries"),
             randn({queries, width}), randn({inputs.draw(34, 60), width}));
  }
  const Tensor queries = inputs.tensor("17 queries: q");
  put_case(inputs, "17 others", randn(queries.sizes()),
           randn(inputs.tensor("17 queries: k").sizes()));
  // More keys or queries than most fixed-size arrays hold, with few of the other,
  // because many of both take the emulator too long.
  put_case(inputs, "4100 keys", randn({1, width}),
           randn({4097 + inputs.draw(0, 9), width}));
  put_case(inputs, "1030 queries", randn({1025 + inputs.draw(0, 9), width}),
           randn({2, width}));
  put_case(inputs, "no queries", zeros({0, width}), randn({5, width}));
  put_case(inputs, "equal scores", randn({3, width}),
           zeros({inputs.draw(65, 90), width}));
  // All queries are positive, so the scores grow or fall with the factor of the key.
  const std::int64_t keys = inputs.draw(70, 120);
  const Tensor factors =
      (arange(static_cast<double>(keys), kFloat) * 0.1).reshape({keys, 1});
  put_case(inputs, "increasing scores", rand({4, width}) + 0.5,
           factors * ones({keys, width}) * 0.2);
  put_case(inputs, "decreasing scores", rand({4, width}) + 0.5,
           factors * ones({keys, width}) * -0.2);
  put_case(inputs, "large scores", randn({6, width}) * 30,
           randn({inputs.draw(70, 100), width}) * 10);
  put_case(inputs, "scores far below 0", rand({3, width}) + 1,
           -20 - rand({inputs.draw(33, 63), width}));
  // A running maximum that starts above them leaves no weight.
  put_case(inputs, "equal scores of minus a million", full({2, width}, 1000, kFloat),
           full({40, width}, -177, kFloat));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  for (const std::string& name : all_cases()) {
    const auto on_device = [&](const char* which) {
      return inputs.tensor(name + which).to(last_device());
    };
    const Tensor q = on_device(": q");
    const Tensor k = on_device(": k");
    const Tensor v = on_device(": v");
    Tensor result;
    if (!outcome.attempt(name, [&] { result = attention(q, k, v); })) continue;
    returned.keep(name, result,
                  {{name + ": q afterwards", q},
                   {name + ": k afterwards", k},
                   {name + ": v afterwards", v}});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const char* const name : ordinary)
      judge_values(item, inputs, outcome, name, 1e-5);
  });
  judgement.item("large", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    // A score of some thousands, in float32, is off by up to 1e-3; so is its power,
    // relative to it.
    for (const char* const name : large)
      judge_values(item, inputs, outcome, name, 5e-3);
  });
  judgement.item("placement", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const std::string& name : all_cases())
      item.placed(outcome, name, last_device());
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const std::string& name : all_cases()) {
      const bool queries = inputs.tensor(name + ": q").numel() > 0;
      const Recording& recording = outcome.recording(name);
      if (queries && item.lacks_counts(outcome, name)) return;
      const auto kernels = static_cast<std::int64_t>(recording.kernels().size());
      item.equal(queries ? 1 : 0, kernels, "launches of a kernel", name);
      item.at_most(1, recording.launches() - kernels, "other launches", name);
      item.equal(0, recording.operations(), "operations of the library", name);
      item.equal(0, recording.copies(), "copies between devices", name);
    }
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, std::int64_t m,
                     const std::string& name) {
                   item.at_most(4 * width * (n + 2 * m * ((n + 15) / 16)),
                                static_cast<std::int64_t>(counts.load_bytes),
                                "bytes loaded", name);
                   item.equal(4 * width * n,
                              static_cast<std::int64_t>(counts.store_bytes),
                              "bytes stored", name);
                 });
  });
  judgement.item("barriers", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t, std::int64_t m,
                     const std::string& name) {
                   item.at_most(
                       2 * ((m + 31) / 32) * static_cast<std::int64_t>(counts.blocks),
                       static_cast<std::int64_t>(counts.barriers), "barriers", name);
                 });
  });
  judgement.item("passes", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t, std::int64_t,
                     const std::string& name) {
                   item.at_most(static_cast<std::int64_t>(counts.shared_requests),
                                static_cast<std::int64_t>(counts.shared_passes),
                                "passes of shared memory", name);
                 });
  });
}

}  // namespace d2l::check
