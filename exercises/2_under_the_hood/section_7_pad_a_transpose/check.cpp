// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {
    "one row",        "one column", "whole tiles", "other whole tiles",
    "about one tile", "tall",       "wide",        "ten by ten tiles"};

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Judges the counts of the launch of each call.
void judge_counts(
    ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
    const std::function<void(const KernelCounts&, std::int64_t rows,
                             std::int64_t columns, const char* call)>& judge) {
  for (const char* const call : calls) {
    if (item.lacks_counts(outcome, call)) return;
    const auto kernels = outcome.recording(call).kernels();
    item.equal(1, static_cast<std::int64_t>(kernels.size()), "launches", call);
    item.equal(0, outcome.recording(call).operations(), "operations of the library",
               call);
    const Tensor x = inputs.tensor(call);
    for (const KernelRun& run : kernels) {
      item.at_least(4 * x.numel(), whole(run.counts.load_bytes),
                    "bytes loaded from global memory", call);
      item.at_least(4 * x.numel(), whole(run.counts.store_bytes), "bytes stored", call);
      judge(run.counts, x.size(0), x.size(1), call);
    }
  }
}

}  // namespace

std::vector<Item> items() {
  return {{"values", 2, Kind::result,
           "the result is the transpose of x, which does not change", 1},
          {"placed", 1, Kind::placement, "the result is on the device of x", 1},
          {"requests", 1, Kind::cost,
           "one launch, in which each warp loads and stores 32 elements at once", 1},
          {"sectors", 1, Kind::cost, "loads and stores touch neighbouring sectors", 2},
          {"passes", 2, Kind::cost, "each access to shared memory takes one pass", 3},
          {"barriers", 1, Kind::cost, "at most one barrier per block", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // More than 65536 elements, and more than 1024 tiles in each of the two dimensions.
  inputs.put("one row", randn({1, inputs.draw(66'000, 67'000)}));
  inputs.put("one column", randn({inputs.draw(66'000, 67'000), 1}));
  inputs.put("ten by ten tiles", randn({inputs.draw(290, 319), inputs.draw(290, 319)}));
  const std::int64_t rows = 32 * inputs.draw(1, 2);
  const std::int64_t columns = 32 * inputs.draw(3, 4);
  inputs.put("whole tiles", randn({rows, columns}));
  // A result that was kept from the previous call is wrong here.
  inputs.put("other whole tiles", randn({rows, columns}));
  inputs.put("about one tile", rand({inputs.draw(31, 33), inputs.draw(31, 33)}) + 1);
  inputs.put("tall", rand({inputs.draw(97, 130), inputs.draw(5, 25)}) + 1);
  inputs.put("wide", rand({inputs.draw(34, 60), inputs.draw(100, 130)}) + 1);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor x = inputs.tensor(call).to(last_device());
    Tensor result;
    if (!outcome.attempt(call, [&] { result = transposed(x); })) continue;
    returned.keep(key(call, "result"), result, {{key(call, "x afterwards"), x}});
    outcome.put(key(call, "is contiguous"), result.defined() && result.is_contiguous());
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor x = inputs.tensor(call);
      Tensor expected = zeros({x.size(1), x.size(0)});
      for (std::int64_t row = 0; row < x.size(0); ++row) {
        for (std::int64_t column = 0; column < x.size(1); ++column) {
          expected.data_ptr<float>()[column * x.size(0) + row] =
              x.data_ptr<float>()[row * x.size(1) + column];
        }
      }
      item.close(expected, outcome.tensor(key(call, "result")), 0, call);
      item.close(x, outcome.tensor(key(call, "x afterwards")), 0,
                 key(call, "x, afterwards"));
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      item.placed(outcome, key(call, "result"), last_device());
      item.expect(outcome.flag(key(call, "is contiguous")), "a contiguous result",
                  "a view", call);
    }
  });
  judgement.item("requests", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t rows,
                     std::int64_t columns, const char* call) {
                   item.at_most(rows * ((columns + 31) / 32),
                                whole(counts.load_requests), "load requests", call);
                   item.at_most(columns * ((rows + 31) / 32),
                                whole(counts.store_requests), "store requests", call);
                 });
  });
  judgement.item("sectors", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t rows,
                     std::int64_t columns, const char* call) {
                   const std::int64_t each =
                       rows % 32 == 0 && columns % 32 == 0 ? 4 : 5;
                   item.at_most(each * rows * ((columns + 31) / 32),
                                whole(counts.load_sectors), "sectors loaded", call);
                   item.at_most(each * columns * ((rows + 31) / 32),
                                whole(counts.store_sectors), "sectors stored", call);
                 });
  });
  judgement.item("passes", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelCounts& counts, std::int64_t, std::int64_t, const char* call) {
          item.at_most(whole(counts.shared_requests), whole(counts.shared_passes),
                       "passes of shared memory", call);
        });
  });
  judgement.item("barriers", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelCounts& counts, std::int64_t, std::int64_t, const char* call) {
          item.at_most(whole(counts.blocks), whole(counts.barriers), "barriers", call);
        });
  });
}

}  // namespace d2l::check
