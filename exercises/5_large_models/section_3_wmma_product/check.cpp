// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {
    "one element", "about one tile", "about two tiles",     "others of these sizes",
    "a long row",  "many rows",      "many columns",        "large numbers",
    "whole tiles", "25 tiles",       "numbers of any sign", "no columns"};
constexpr std::int64_t width = 16;

std::int64_t tiles(std::int64_t size) { return (size + width - 1) / width; }
std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// The product in float64, row by row of b: another order than that of a thread.
Tensor expected_of(const Tensor& a, const Tensor& b) {
  const auto x = a.to(kFloat).to_vector<float>();
  const auto y = b.to(kFloat).to_vector<float>();
  const auto m = static_cast<std::size_t>(a.size(0));
  const auto k = static_cast<std::size_t>(a.size(1));
  const auto n = static_cast<std::size_t>(b.size(1));
  std::vector<double> sums(m * n, 0.0);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t row = 0; row < m; ++row) {
      for (std::size_t column = 0; column < n; ++column) {
        sums[row * n + column] +=
            static_cast<double>(x[row * k + i]) * y[i * n + column];
      }
    }
  }
  Tensor expected = zeros({a.size(0), b.size(1)});
  for (std::size_t i = 0; i < sums.size(); ++i)
    expected.data_ptr<float>()[i] = static_cast<float>(sums[i]);
  return expected;
}

/// The sizes of the matrices of a call.
struct Sizes {
  std::int64_t m;
  std::int64_t k;
  std::int64_t n;
};

/// Judges the launch of each call that has one.
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::function<void(const KernelRun&, const Sizes&,
                                           const char* call)>& judge) {
  for (const char* const call : calls) {
    if (item.lacks_counts(outcome, call)) return;
    const Tensor a = inputs.tensor(key(call, "a"));
    const Sizes sizes{a.size(0), a.size(1), inputs.tensor(key(call, "b")).size(1)};
    const auto kernels = outcome.recording(call).kernels();
    const auto launches = static_cast<std::int64_t>(kernels.size());
    // Nothing is to be added without columns, so a launch is not needed.
    if (sizes.k > 0 || launches > 0) item.equal(1, launches, "launches", call);
    item.equal(0, outcome.recording(call).operations(), "operations of the library",
               call);
    for (const KernelRun& run : kernels) {
      item.at_least(2 * sizes.k * (sizes.m + sizes.n), whole(run.counts.load_bytes),
                    "bytes loaded from global memory", call);
      item.at_least(4 * sizes.m * sizes.n, whole(run.counts.store_bytes),
                    "bytes stored", call);
      judge(run, sizes, call);
    }
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result,
       "the result is the product in float32; a and b do not change", 1},
      {"placed", 1, Kind::placement, "the result is on the device of a", 1},
      {"launches", 1, Kind::cost, "one launch", 2},
      {"products", 3, Kind::cost, "tensor cores multiply each pair of tiles once", 2},
      {"reads", 1, Kind::cost, "the elements are read once for each tile", 2},
      {"spread", 1, Kind::cost, "all warps have their share of the work", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto put = [&](const char* call, std::int64_t m, std::int64_t k, std::int64_t n,
                       double scale = 1) {
    inputs.put(key(call, "a"), ((rand({m, k}) + 0.5) * scale).to(kHalf));
    inputs.put(key(call, "b"), ((rand({k, n}) + 0.5) * scale).to(kHalf));
  };
  put("one element", 1, 1, 1);
  put("about one tile", inputs.draw(15, 17), inputs.draw(15, 17), inputs.draw(15, 17));
  const std::int64_t m = inputs.draw(31, 33);
  const std::int64_t k = inputs.draw(17, 35);
  const std::int64_t n = inputs.draw(33, 35);
  put("about two tiles", m, k, n);
  // A result that was kept from the previous call is wrong here.
  put("others of these sizes", m, k, n);
  put("a long row", 1, inputs.draw(1000, 1100), inputs.draw(17, 20));
  put("many rows", inputs.draw(1000, 1100), inputs.draw(1, 3), inputs.draw(17, 20));
  put("many columns", inputs.draw(17, 20), inputs.draw(1, 3), inputs.draw(1000, 1100));
  // Sums of more than a million.
  put("large numbers", inputs.draw(17, 20), inputs.draw(40, 50), inputs.draw(17, 20),
      200);
  put("whole tiles", 32, 48, 16);
  put("25 tiles", inputs.draw(65, 79), inputs.draw(33, 40), inputs.draw(65, 79));
  // Small whole numbers, whose products and sums are exact.
  for (const char* const which : {"a", "b"}) {
    Tensor whole_numbers = zeros({19, 19});
    for (std::int64_t i = 0; i < whole_numbers.numel(); ++i) {
      whole_numbers.data_ptr<float>()[i] = static_cast<float>(inputs.draw(-9, 9));
    }
    inputs.put(key("numbers of any sign", which), whole_numbers.to(kHalf));
  }
  put("no columns", inputs.draw(2, 20), 0, inputs.draw(2, 20));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor a = inputs.tensor(key(call, "a")).to(last_device());
    const Tensor b = inputs.tensor(key(call, "b")).to(last_device());
    Tensor result;
    if (!outcome.attempt(call, [&] { result = product(a, b); })) continue;
    returned.keep(key(call, "result"), result,
                  {{key(call, "a afterwards"), a}, {key(call, "b afterwards"), b}});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor a = inputs.tensor(key(call, "a"));
      const Tensor b = inputs.tensor(key(call, "b"));
      item.close(expected_of(a, b), outcome.tensor(key(call, "result")), 1e-5, call);
      item.close(a, outcome.tensor(key(call, "a afterwards")), 0,
                 key(call, "a, afterwards"));
      item.close(b, outcome.tensor(key(call, "b afterwards")), 0,
                 key(call, "b, afterwards"));
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      item.placed(outcome, key(call, "result"), last_device());
    }
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [](const KernelRun&, const Sizes&, const char*) {});
  });
  judgement.item("products", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelRun& run, const Sizes& sizes, const char* call) {
                   item.equal(tiles(sizes.m) * tiles(sizes.k) * tiles(sizes.n) * width *
                                  width * width,
                              whole(run.counts.matrix_multiply_adds),
                              "multiply-adds of tensor cores", call);
                 });
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelRun& run, const Sizes& sizes, const char* call) {
                   item.at_most(
                       tiles(sizes.m) * tiles(sizes.n) * sizes.k * 2 * width * 2,
                       whole(run.counts.load_bytes), "bytes loaded from global memory",
                       call);
                 });
  });
  judgement.item("spread", [&](ItemJudgement& item) {
    const auto call = "25 tiles";
    if (item.lacks_counts(outcome, call)) return;
    for (const KernelRun& run : outcome.recording(call).kernels()) {
      item.spread(run.counts, call);
    }
  });
}

}  // namespace d2l::check
