// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

/// The calls: n and k of each are drawn.
constexpr const char* calls[] = {"one element",
                                 "a warp and one more",
                                 "several blocks",
                                 "whole blocks",
                                 "others",
                                 "one weight",
                                 "numbers of any sign",
                                 "more than 1024 blocks",
                                 "no element"};

/// The sums in float64, with the reads in another order than a kernel's: each input is
/// added to the outputs that it is in.
Tensor expected_of(const Tensor& x, const Tensor& w) {
  const auto values = x.to_vector<float>();
  const auto weights = w.to_vector<float>();
  const auto n = static_cast<std::int64_t>(values.size());
  const auto k = static_cast<std::int64_t>(weights.size());
  std::vector<double> sums(values.size(), 0.0);
  for (std::int64_t at = 0; at < n; ++at) {
    for (std::int64_t j = 0; j < k; ++j) {
      const std::int64_t i = at + k / 2 - j;
      if (i < 0 || i >= n) continue;
      sums[static_cast<std::size_t>(i)] +=
          static_cast<double>(weights[static_cast<std::size_t>(j)]) *
          values[static_cast<std::size_t>(at)];
    }
  }
  Tensor expected = zeros({n});
  for (std::int64_t i = 0; i < n; ++i) {
    expected.data_ptr<float>()[i] =
        static_cast<float>(sums[static_cast<std::size_t>(i)]);
  }
  return expected;
}

/// Judges the counts of the launch of each call that has one.
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::function<void(const KernelRun&, std::int64_t n,
                                           std::int64_t k, const char* call)>& judge) {
  for (const char* const call : calls) {
    if (item.lacks_counts(outcome, call)) return;
    const std::int64_t n = inputs.tensor(key(call, "x")).numel();
    if (n == 0) continue;
    const auto kernels = outcome.recording(call).kernels();
    item.expect(kernels.size() == 1, "1 launch of a kernel",
                counted(static_cast<std::int64_t>(kernels.size()), "launches"), call);
    item.equal(0, outcome.recording(call).operations(), "operations of the library",
               call);
    if (kernels.size() != 1) continue;
    item.at_least(4 * n, static_cast<std::int64_t>(kernels.front().counts.load_bytes),
                  "bytes loaded from global memory", call);
    item.at_least(4 * n, static_cast<std::int64_t>(kernels.front().counts.store_bytes),
                  "bytes stored", call);
    judge(kernels.front(), n, inputs.tensor(key(call, "w")).numel(), call);
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "each element is the weighted sum of its neighbours; x and w do not change", 1},
      {"placed", 1, Kind::placement, "the result is on the device of x", 1},
      {"launches", 1, Kind::cost,
       "one launch, of blocks of at least 128 threads, which share the elements, and "
       "no more blocks than needed",
       2},
      {"reads", 2, Kind::cost, "each block reads its inputs and each weight once", 2},
      {"shared", 1, Kind::cost,
       "at most one barrier per block, and one pass for each access to shared memory",
       3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto put = [&](const char* call, std::int64_t n, std::int64_t k) {
    inputs.put(key(call, "x"), rand({n}) + 0.5);
    inputs.put(key(call, "w"), rand({k}) + 0.5);
  };
  put("no element", 0, 2 * inputs.draw(0, 31) + 1);
  put("one element", 1, 2 * inputs.draw(1, 31) + 1);
  put("a warp and one more", inputs.draw(31, 33),
      inputs.draw(0, 1) == 0 ? 63 : 2 * inputs.draw(1, 10) + 1);
  put("several blocks", inputs.draw(2050, 3000), 2 * inputs.draw(20, 31) + 1);
  const std::int64_t n = 256 * inputs.draw(2, 4);
  const std::int64_t k = 2 * inputs.draw(1, 31) + 1;
  put("whole blocks", n, k);
  put("others", n, k);  // a result that was kept from the previous call is wrong here
  put("more than 1024 blocks", std::int64_t{256} * 1025 + inputs.draw(1, 5000), 3);
  // Multiples of 1/8, whose products and sums are exact.
  put("numbers of any sign", inputs.draw(300, 400), 2 * inputs.draw(1, 31) + 1);
  for (const char* const which : {"x", "w"}) {
    Tensor eighths = inputs.tensor(key("numbers of any sign", which));
    for (std::int64_t i = 0; i < eighths.numel(); ++i) {
      eighths.data_ptr<float>()[i] = static_cast<float>(inputs.draw(-80, 80)) / 8;
    }
    inputs.put(key("numbers of any sign", which), eighths);
  }
  put("one weight", inputs.draw(500, 1100), 1);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor x = inputs.tensor(key(call, "x")).to(last_device());
    const Tensor w = inputs.tensor(key(call, "w")).to(last_device());
    Tensor result;
    if (!outcome.attempt(call, [&] { result = convolve(x, w); })) continue;
    returned.keep(key(call, "result"), result,
                  {{key(call, "x afterwards"), x}, {key(call, "w afterwards"), w}});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor x = inputs.tensor(key(call, "x"));
      const Tensor w = inputs.tensor(key(call, "w"));
      // At most 63 additions of positive numbers, each with a relative error of 6e-8.
      item.close(expected_of(x, w), outcome.tensor(key(call, "result")), 5e-6, call);
      item.close(x, outcome.tensor(key(call, "x afterwards")), 0,
                 key(call, "x, afterwards"));
      item.close(w, outcome.tensor(key(call, "w afterwards")), 0,
                 key(call, "w, afterwards"));
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      item.placed(outcome, key(call, "result"), last_device());
    }
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelRun& run, std::int64_t n, std::int64_t, const char* call) {
          const std::int64_t threads =
              std::int64_t{run.block[0]} * run.block[1] * run.block[2];
          item.expect(threads >= 128, "blocks of at least 128 threads",
                      "blocks of " + counted(threads, "threads"), call);
          item.at_most((n + 127) / 128, static_cast<std::int64_t>(run.counts.blocks),
                       "blocks", call);
          if (n >= 8192) item.spread(run.counts, call);
        });
    item.expect(outcome.recording("no element").kernels().empty(),
                "no launch without elements", "a launch", "no element");
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelRun& run, std::int64_t n, std::int64_t k, const char* call) {
          const auto blocks = static_cast<std::int64_t>(run.counts.blocks);
          item.at_most(4 * (n + blocks * (2 * k - 1)),
                       static_cast<std::int64_t>(run.counts.load_bytes),
                       "bytes loaded from global memory", call);
        });
  });
  judgement.item("shared", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelRun& run, std::int64_t, std::int64_t, const char* call) {
          item.at_most(static_cast<std::int64_t>(run.counts.blocks),
                       static_cast<std::int64_t>(run.counts.barriers), "barriers",
                       call);
          item.at_most(static_cast<std::int64_t>(run.counts.shared_requests),
                       static_cast<std::int64_t>(run.counts.shared_passes),
                       "passes of shared memory", call);
        });
  });
}

}  // namespace d2l::check
