// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <limits>
#include <set>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {"one value",         "one bin",           "32 bins",
                                 "32 bins of others", "300 bins",          "1024 bins",
                                 "equal values",      "many equal values", "no value"};

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Judges the counts of the launch of each call that has one.
void judge_counts(
    ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
    const std::function<void(const KernelCounts&, const char* call)>& judge) {
  for (const char* const call : calls) {
    if (item.lacks_counts(outcome, call)) return;
    const auto kernels = outcome.recording(call).kernels();
    const auto launches = static_cast<std::int64_t>(kernels.size());
    if (inputs.tensor(call).numel() == 0) {
      item.at_most(1, launches, "launches", call);
    } else {
      item.equal(1, launches, "launches", call);
    }
    item.equal(0, outcome.recording(call).operations(), "operations of the library",
               call);
    for (const KernelRun& run : kernels) {
      item.at_least(4 * inputs.tensor(call).numel(), whole(run.counts.load_bytes),
                    "bytes loaded from global memory", call);
      judge(run.counts, call);
    }
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "each bin has the number of its values, and other values are not counted", 1},
      {"placed", 1, Kind::placement, "the result is on the device of the values", 1},
      {"launches", 1, Kind::cost,
       "one launch of at most 32 blocks, whose threads share the values; at least 8 "
       "blocks from 8192 values on, and none without a value",
       1},
      {"reads", 1, Kind::cost, "each value is read once, by neighbouring lanes", 1},
      {"barriers", 1, Kind::cost, "at most two barriers per block", 2},
      {"atomics", 2, Kind::cost,
       "a block adds each of its bins to global memory once, and none that is 0", 3}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  const auto put = [&](const char* call, std::int64_t n, std::int64_t bins,
                       std::int64_t low, std::int64_t high) {
    Tensor values = zeros({n}, kInt);
    for (std::int64_t i = 0; i < n; ++i)
      values.data_ptr<int>()[i] = static_cast<int>(inputs.draw(low, high));
    // The smallest and the largest value that counts, and their neighbours, which are
    // not counted. Values whose low 16 bits would be counted are not counted either.
    const int edges[] = {0,
                         static_cast<int>(bins) - 1,
                         -1,
                         static_cast<int>(bins),
                         std::numeric_limits<int>::min(),
                         std::numeric_limits<int>::max(),
                         65536,
                         -65536};
    for (std::int64_t i = 0; n > 8 && i < 8; ++i)
      values.data_ptr<int>()[i * (n / 9)] = edges[i];
    inputs.put(call, values);
    inputs.put(key(call, "bins"), bins);
  };
  put("no value", 0, 7, 0, 1);
  const std::int64_t single = inputs.draw(0, 8);
  put("one value", 1, 9, single, single);
  put("one bin", inputs.draw(30, 34), 1, -2, 2);
  // Blocks of 1024, 512, 256, … threads divide this number, so a block more than needed
  // is without a value.
  const std::int64_t whole_blocks = 1024 * inputs.draw(1, 3);
  put("32 bins", whole_blocks, 32, -3, 35);
  // A result that was kept from the previous call is wrong here.
  put("32 bins of others", whole_blocks, 32, -3, 35);
  put("300 bins", inputs.draw(9000, 12'000), 300, -20, 350);
  put("1024 bins", inputs.draw(990, 1010), 1024, 0, 1023);
  const std::int64_t only = inputs.draw(0, 99);
  put("equal values", inputs.draw(3000, 5000), 100, only, only);
  // More than 65536 in a bin, and more values than 32 blocks of 1024 threads.
  put("many equal values", inputs.draw(70'000, 80'000), 100, only, only);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor values = inputs.tensor(call).to(last_device());
    Tensor result;
    if (!outcome.attempt(call, [&] {
          result =
              histogram(values, static_cast<int>(inputs.integer(key(call, "bins"))));
        }))
      continue;
    returned.keep(key(call, "result"), result,
                  {{key(call, "values afterwards"), values}});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor values = inputs.tensor(call);
      const std::int64_t bins = inputs.integer(key(call, "bins"));
      Tensor expected = zeros({bins}, kInt);
      for (const int value : values.to_vector<int>()) {
        if (value >= 0 && value < bins) ++expected.data_ptr<int>()[value];
      }
      item.close(expected, outcome.tensor(key(call, "result")), 0, call);
      item.close(values, outcome.tensor(key(call, "values afterwards")), 0,
                 key(call, "values, afterwards"));
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
                 [&](const KernelCounts& counts, const char* call) {
                   const std::int64_t n = inputs.tensor(call).numel();
                   const std::int64_t threads =
                       counts.blocks == 0 ? 1 : whole(counts.threads / counts.blocks);
                   item.expect(threads % 32 == 0, "blocks of a multiple of 32 threads",
                               "blocks of " + counted(threads, "threads"), call);
                   item.at_most(32, whole(counts.blocks), "blocks", call);
                   // The launch for no value is allowed one block.
                   item.at_most(std::max<std::int64_t>(1, (n + threads - 1) / threads),
                                whole(counts.blocks), "blocks", call);
                   item.expect(n < 8192 || counts.blocks >= 8, "at least 8 blocks",
                               counted(whole(counts.blocks), "blocks"), call);
                   if (n >= 8192) item.spread(counts, call);
                 });
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome, [&](const KernelCounts& counts, const char* call) {
          const std::int64_t n = inputs.tensor(call).numel();
          item.at_most(4 * n, whole(counts.load_bytes),
                       "bytes loaded from global memory", call);
          item.at_most((n + 7) / 8, whole(counts.load_sectors), "sectors loaded", call);
        });
  });
  judgement.item("barriers", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, const char* call) {
                   item.at_most(2 * whole(counts.blocks), whole(counts.barriers),
                                "barriers", call);
                 });
  });
  judgement.item("atomics", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome, [&](const KernelCounts& counts, const char* call) {
          std::int64_t found = 0;
          std::set<int> different;
          for (const int value : inputs.tensor(call).to_vector<int>()) {
            if (value < 0 || value >= inputs.integer(key(call, "bins"))) continue;
            ++found;
            different.insert(value);
          }
          item.at_most(
              static_cast<std::int64_t>(different.size()) * whole(counts.blocks),
              whole(counts.atomics - counts.shared_atomics), "atomics on global memory",
              call);
          item.at_most(found, whole(counts.shared_atomics), "atomics on shared memory",
                       call);
        });
  });
}

}  // namespace d2l::check
