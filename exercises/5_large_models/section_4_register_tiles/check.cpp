// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {
    "one element", "about a quarter", "about one tile", "others of these sizes",
    "a long row",  "many rows",       "many columns",   "numbers of any sign",
    "nine tiles",  "no columns"};
constexpr std::int64_t width = 64;

std::int64_t tiles(std::int64_t size) { return (size + width - 1) / width; }
std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// The product in float64, row by row of b: another order than that of a thread.
Tensor expected_of(const Tensor& a, const Tensor& b) {
  const auto x = a.to_vector<float>();
  const auto y = b.to_vector<float>();
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
      item.at_least(4 * sizes.k * (sizes.m + sizes.n), whole(run.counts.load_bytes),
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
      {"values", 2, Kind::result, "the result is the product; a and b do not change",
       1},
      {"placed", 1, Kind::placement, "the result is on the device of a", 1},
      {"launches", 1, Kind::cost,
       "one launch, with a block of 256 threads for each tile of 64 by 64", 1},
      {"reads", 1, Kind::cost,
       "a block reads its rows of a and its columns of b once from global memory", 2},
      {"shared", 3, Kind::cost,
       "at most 80 passes of shared memory for each step of the inner dimension", 3},
      {"spread", 1, Kind::cost, "all warps of all blocks have their share of the work",
       1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto put = [&](const char* call, std::int64_t m, std::int64_t k,
                       std::int64_t n) {
    inputs.put(key(call, "a"), rand({m, k}) + 0.5);
    inputs.put(key(call, "b"), rand({k, n}) + 0.5);
  };
  put("one element", 1, 1, 1);
  put("about a quarter", inputs.draw(15, 17), inputs.draw(15, 17), inputs.draw(15, 17));
  const std::int64_t m = inputs.draw(63, 65);
  const std::int64_t k = inputs.draw(31, 65);
  const std::int64_t n = inputs.draw(63, 65);
  put("about one tile", m, k, n);
  // A result that was kept from the previous call is wrong here.
  put("others of these sizes", m, k, n);
  put("a long row", 1, inputs.draw(2000, 2100), inputs.draw(17, 20));
  put("many rows", inputs.draw(2000, 2100), inputs.draw(1, 3), inputs.draw(17, 40));
  put("many columns", inputs.draw(17, 40), inputs.draw(1, 3), inputs.draw(2000, 2100));
  put("nine tiles", inputs.draw(161, 191), inputs.draw(65, 80), inputs.draw(161, 191));
  // Small whole numbers, whose products and sums are exact.
  for (const char* const which : {"a", "b"}) {
    Tensor whole_numbers = zeros({30, 30});
    for (std::int64_t i = 0; i < whole_numbers.numel(); ++i) {
      whole_numbers.data_ptr<float>()[i] = static_cast<float>(inputs.draw(-9, 9));
    }
    inputs.put(key("numbers of any sign", which), whole_numbers);
  }
  put("no columns", inputs.draw(2, 70), 0, inputs.draw(2, 70));
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
                 [&](const KernelRun& run, const Sizes& sizes, const char* call) {
                   item.equal(256,
                              std::int64_t{run.block[0]} * run.block[1] * run.block[2],
                              "threads in a block", call);
                   item.equal(tiles(sizes.m) * tiles(sizes.n), whole(run.counts.blocks),
                              "blocks", call);
                 });
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelRun& run, const Sizes& sizes, const char* call) {
                   item.at_most(
                       tiles(sizes.m) * tiles(sizes.n) * sizes.k * 2 * width * 4,
                       whole(run.counts.load_bytes), "bytes loaded from global memory",
                       call);
                 });
  });
  judgement.item("shared", [&](ItemJudgement& item) {
    // 256 threads with 4 by 4 elements read 8 values each: 8 warps, 64 requests. The
    // tiles are 128 floats in a step, 4 more, and 12 are left for other ways to load
    // them. Tiles may be up to 32 deep.
    constexpr std::int64_t depth = 32;
    constexpr std::int64_t passes = 80;
    judge_counts(item, inputs, outcome,
                 [&](const KernelRun& run, const Sizes& sizes, const char* call) {
                   const std::int64_t steps = (sizes.k + depth - 1) / depth * depth;
                   item.at_most(tiles(sizes.m) * tiles(sizes.n) * steps * passes,
                                whole(run.counts.shared_passes),
                                "passes of shared memory", call);
                 });
  });
  judgement.item("spread", [&](ItemJudgement& item) {
    const auto call = "nine tiles";
    if (item.lacks_counts(outcome, call)) return;
    for (const KernelRun& run : outcome.recording(call).kernels()) {
      item.spread(run.counts, call);
    }
  });
}

}  // namespace d2l::check
