// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cstdint>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* large = "more than 256 blocks";
/// More than 1024 blocks of 1024 threads: a block that scans one total with each of its
/// threads has too few.
constexpr const char* huge = "more than a million elements";
constexpr const char* over_1024 = "1025 elements";
constexpr const char* few_blocks[] = {"no elements",   "1 element",     "31 elements",
                                      "32 elements",   "33 elements",   "256 elements",
                                      "257 elements",  "1000 elements", over_1024,
                                      "some elements", "as many others"};
constexpr int max_launches = 4;

/// Draws values of both signs, whose sums grow.
void draw(Inputs& inputs, const std::string& name, std::int64_t count) {
  Tensor all = zeros({count}, kInt);
  auto* const values = all.data_ptr<std::int32_t>();
  // The sums of 131072 values are about a hundred million, which float32 cannot
  // represent exactly. Those of a million values fit into int32.
  for (std::int64_t i = 0; i < count; ++i)
    values[i] = static_cast<std::int32_t>(inputs.draw(-1000, 3000));
  inputs.put(name, all);
}

void call(const Inputs& inputs, Outcome& outcome, Returned& returned,
          const std::string& name) {
  const Tensor x = inputs.tensor(name).to(last_device());
  synchronize();
  Tensor result;
  if (outcome.attempt(name, [&] { result = prefix_sum(x); })) {
    returned.keep(name + ": result", result, {{name + ": x", x}});
  }
}

void judge_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& name) {
  outcome.require(name);
  Tensor expected = inputs.tensor(name).clone();
  auto* const sums = expected.data_ptr<std::int32_t>();
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < expected.numel(); ++i) {
    sum += sums[i];
    sums[i] = static_cast<std::int32_t>(sum);
  }
  item.close(expected, outcome.tensor(name + ": result"), 0, name);
  item.close(inputs.tensor(name), outcome.tensor(name + ": x"), 0,
             name + ": x, afterwards");
}

/// The launch that loads most; there must be at least one.
KernelRun largest_of(const std::vector<KernelRun>& kernels) {
  return *std::ranges::max_element(
      kernels, {}, [](const KernelRun& kernel) { return kernel.counts.load_sectors; });
}
/// Whether the launch that loads most has a block for each 4096 elements.
bool is_parallel(const Recording& recording, std::int64_t n) {
  const auto kernels = recording.kernels();
  return !kernels.empty() &&
         4096 * static_cast<std::int64_t>(largest_of(kernels).counts.blocks) >= n;
}

/// The most sectors that the loads, and the stores, of all launches may touch.
std::int64_t max_sectors(std::int64_t n) { return 5 * n / 16 + 512; }

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "the prefix sums are correct for up to 1100 elements, and x does not change", 1},
      {"many", 2, Kind::result,
       "the prefix sums are correct for more than 256 blocks of 256 threads, and for "
       "more than a million elements",
       3},
      {"placed", 1, Kind::placement, "the result is on the device of x", 2},
      {"launches", 1, Kind::cost,
       "at most 4 launches of kernels of yours, and no other work", 2},
      {"parallel", 1, Kind::cost,
       "the launch that loads most has at least n / 4096 blocks", 2},
      {"loads", 1, Kind::cost, "at most 5 n / 16 + 512 sectors are loaded", 2},
      {"stores", 1, Kind::cost, "at most 5 n / 16 + 512 sectors are stored", 2}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  const std::int64_t sizes[] = {0,   1,   31,   32,   33,
                                256, 257, 1000, 1025, inputs.draw(34, 1100)};
  for (std::size_t i = 0; i < std::size(sizes); ++i)
    draw(inputs, few_blocks[i], sizes[i]);
  // A result that was kept from the previous call is wrong here.
  draw(inputs, few_blocks[std::size(sizes)], sizes[std::size(sizes) - 1]);
  draw(inputs, large,
       131072 + inputs.draw(
                    257, 1200));  // more than two steps of 256 totals of 256 elements
  draw(inputs, huge, 1'048'576 + inputs.draw(1025, 5000));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  for (const char* const name : few_blocks) call(inputs, outcome, returned, name);
  // Many more launches for a large tensor, or one block for a huge one, would take
  // long.
  if (static_cast<int>(outcome.recording_or_error(over_1024).kernels().size()) <=
      max_launches) {
    call(inputs, outcome, returned, large);
    if (is_parallel(outcome.recording_or_error(large), inputs.tensor(large).numel())) {
      call(inputs, outcome, returned, huge);
    }
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const std::int64_t n = inputs.tensor(large).numel();
  judgement.item("values", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const char* const name : few_blocks) judge_values(item, inputs, outcome, name);
  });
  judgement.item("many", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    judge_values(item, inputs, outcome, large);
    if (is_parallel(outcome.recording(large), n))
      judge_values(item, inputs, outcome, huge);
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const char* const name : few_blocks)
      item.placed(outcome, std::string(name) + ": result", last_device());
  });
  const auto judge_cost = [&](const char* name, const auto& judge_recording) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (item.lacks_gpus(1) || item.lacks_counts(outcome, large)) return;
      const Recording& recording = outcome.recording(large);
      item.expect(!recording.kernels().empty(), "a launch of a kernel", "no launch",
                  large);
      std::uint64_t loaded = 0;
      for (const KernelRun& kernel : recording.kernels())
        loaded += kernel.counts.load_bytes;
      item.at_least(4 * n, static_cast<std::int64_t>(loaded),
                    "bytes loaded from global memory", large);
      if (!recording.kernels().empty()) judge_recording(item, recording);
    });
  };
  judgement.item("launches", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1) || item.lacks_counts(outcome, over_1024)) return;
    for (const char* const name : {over_1024, large}) {
      const Recording& recording = outcome.recording(name);
      const auto launches = static_cast<std::int64_t>(recording.kernels().size());
      item.expect(launches > 0, "a launch of a kernel", "no launch", name);
      item.at_most(max_launches, launches, "launches", name);
      item.equal(0, recording.launches() - launches, "tensor operations", name);
      item.equal(0, recording.copies(), "copies between devices", name);
    }
  });
  judge_cost("parallel", [&](ItemJudgement& item, const Recording& recording) {
    const KernelRun most = largest_of(recording.kernels());
    const auto blocks = static_cast<std::int64_t>(most.counts.blocks);
    item.expect(4096 * blocks >= n,
                "at least " + std::to_string((n + 4095) / 4096) + " blocks",
                counted(blocks, "blocks") + " of " + most.name, large);
  });
  judge_cost("loads", [&](ItemJudgement& item, const Recording& recording) {
    std::uint64_t sectors = 0;
    for (const KernelRun& kernel : recording.kernels())
      sectors += kernel.counts.load_sectors;
    item.at_most(max_sectors(n), static_cast<std::int64_t>(sectors), "sectors loaded",
                 large);
  });
  judge_cost("stores", [&](ItemJudgement& item, const Recording& recording) {
    std::uint64_t sectors = 0;
    for (const KernelRun& kernel : recording.kernels())
      sectors += kernel.counts.store_sectors;
    item.at_most(max_sectors(n), static_cast<std::int64_t>(sectors), "sectors stored",
                 large);
  });
}

}  // namespace d2l::check
