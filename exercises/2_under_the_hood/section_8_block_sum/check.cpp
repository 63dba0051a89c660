// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <span>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {"one element",         "31 elements",
                                 "33 elements below 0", "1000 elements of either sign",
                                 "1000 elements",       "1024 elements",
                                 "many elements",       "a million elements",
                                 "no element"};

/// Judges the counts of the launch of each call that has one.
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::function<void(const KernelCounts&, std::int64_t n,
                                           const char* call)>& judge) {
  for (const char* const call : calls) {
    if (item.lacks_counts(outcome, call)) return;
    const std::int64_t n = inputs.tensor(call).numel();
    const auto kernels = outcome.recording(call).kernels();
    item.expect(n == 0 || !kernels.empty(), "a launch of a kernel", "no launch", call);
    item.equal(0, outcome.recording(call).operations(), "operations of the library",
               call);
    for (const KernelRun& run : kernels) {
      item.at_least(4 * n, static_cast<std::int64_t>(run.counts.load_bytes),
                    "bytes loaded from global memory", call);
      judge(run.counts, n, call);
    }
  }
}

/// Each warp leaves its sum. After the barrier, one warp reads them with one access, or
/// one of its threads reads those of the other warps one after the other, as CUB's
/// BlockReduce does. The values of single threads, instead, are one access more.
std::int64_t max_shared_accesses(const KernelCounts& counts) {
  const auto others = std::max(counts.warps - counts.blocks, counts.blocks);
  return static_cast<std::int64_t>(counts.warps + others);
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "the result is the sum of all elements; x does not change", 1},
      {"placed", 1, Kind::placement, "the result is on the device of x", 1},
      {"launches", 1, Kind::cost,
       "one launch of at most 64 blocks, at least 16 from 65536 elements on, and none "
       "without an element",
       1},
      {"reads", 1, Kind::cost, "each element is read once, by neighbouring lanes", 1},
      {"barriers", 1, Kind::cost,
       "at most one barrier per block, and one access to shared memory per warp, "
       "before and after it",
       2},
      {"atomics", 1, Kind::cost, "at most one atomic per block", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // A million elements are 16 for each thread of the largest grid, 64 blocks of 1024
  // threads.
  const std::int64_t sizes[] = {1,
                                31,
                                33,
                                1000,
                                1000,
                                1024,
                                inputs.draw(90'000, 110'000),
                                1'048'576 + inputs.draw(1, 999),
                                0};
  for (std::size_t i = 0; i < std::size(calls); ++i)
    inputs.put(calls[i], rand({sizes[i]}) + 0.5);
  inputs.put(calls[2], -inputs.tensor(calls[2]));
  // Multiples of 1/8, whose sums are exact in any order.
  Tensor eighths = inputs.tensor(calls[3]);
  for (float& value : std::span(eighths.data_ptr<float>(), 1000))
    value = static_cast<float>(inputs.draw(-800, 800)) / 8;
  inputs.put(calls[3], eighths);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor x = inputs.tensor(call).to(last_device());
    Tensor result;
    if (!outcome.attempt(call, [&] { result = sum_of(x); })) continue;
    returned.keep(key(call, "result"), result, {{key(call, "x afterwards"), x}});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor x = inputs.tensor(call);
      double sum = 0;
      for (const float value : x.to_vector<float>()) sum += value;
      item.close(full({}, sum, kFloat), outcome.tensor(key(call, "result")), 1e-5,
                 call);
      item.close(x, outcome.tensor(key(call, "x afterwards")), 0,
                 key(call, "x, afterwards"));
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      item.placed(outcome, key(call, "result"), last_device());
    }
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      if (item.lacks_counts(outcome, call)) return;
      const auto launches =
          static_cast<std::int64_t>(outcome.recording(call).kernels().size());
      if (inputs.tensor(call).numel() == 0) {
        item.at_most(1, launches, "launches", call);
      } else {
        item.equal(1, launches, "launches", call);
      }
    }
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, const char* call) {
                   const auto blocks = static_cast<std::int64_t>(counts.blocks);
                   const auto threads =
                       static_cast<std::int64_t>(counts.threads) / blocks;
                   item.at_most(64, blocks, "blocks", call);
                   // The launch for no element is allowed one block.
                   item.at_most(std::max<std::int64_t>(1, (n + threads - 1) / threads),
                                blocks, "blocks", call);
                   item.expect(n < 65536 || blocks >= 16, "at least 16 blocks",
                               counted(blocks, "blocks"), call);
                 });
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, const char* call) {
                   item.at_most((n + 7) / 8 + 8,
                                static_cast<std::int64_t>(counts.load_sectors),
                                "sectors loaded", call);
                   item.at_most((n + 31) / 32 + 8,
                                static_cast<std::int64_t>(counts.load_requests),
                                "load requests", call);
                   item.at_most(4 * n, static_cast<std::int64_t>(counts.load_bytes),
                                "bytes loaded from global memory", call);
                 });
  });
  judgement.item("barriers", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t, const char* call) {
                   item.at_most(static_cast<std::int64_t>(counts.blocks),
                                static_cast<std::int64_t>(counts.barriers), "barriers",
                                call);
                   item.at_most(max_shared_accesses(counts),
                                static_cast<std::int64_t>(counts.shared_requests),
                                "accesses to shared memory", call);
                 });
  });
  judgement.item("atomics", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t, const char* call) {
                   item.at_most(static_cast<std::int64_t>(counts.blocks),
                                static_cast<std::int64_t>(counts.atomics), "atomics",
                                call);
                 });
  });
}

}  // namespace d2l::check
