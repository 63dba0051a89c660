// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* sounds[] = {"one sample",
                                  "fewer samples than threads",
                                  "one sample less than threads",
                                  "as many as threads",
                                  "as many others",
                                  "one sample more than threads",
                                  "several samples per thread",
                                  "more than 1024 blocks",
                                  "one block",
                                  "a million samples"};
constexpr const char* no_samples = "no samples";

std::int64_t signed_of(std::uint64_t count) { return static_cast<std::int64_t>(count); }

Tensor faded(const Tensor& sound) {
  Tensor result = sound.clone();
  const auto n = static_cast<double>(sound.numel());
  for (std::int64_t i = 0; i < sound.numel(); ++i) {
    float& sample = result.data_ptr<float>()[i];
    sample = static_cast<float>(sample * (1 - static_cast<double>(i) / n));
  }
  return result;
}

/// Expects no other launch than that of the given grid, no wait, and no copy.
void judge_grid(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                const std::string& sound) {
  const Recording& recording = outcome.recording(sound);
  item.equal(0, recording.synchronisations(), "waits of the host", sound);
  item.equal(0, recording.copies(), "copies between devices", sound);
  if (item.lacks_counts(outcome, sound)) return;
  const auto kernels = recording.kernels();
  if (sound == no_samples) {
    item.at_most(1, recording.launches(), "launches", sound);
  } else {
    item.equal(1, recording.launches(), "launches", sound);
    item.equal(1, static_cast<std::int64_t>(kernels.size()), "launches of kernels",
               sound);
  }
  for (const KernelRun& kernel : kernels) {
    const std::int64_t blocks = inputs.integer(sound + ": blocks");
    const std::int64_t threads = inputs.integer(sound + ": threads");
    item.equal(blocks, kernel.grid[0], "blocks", sound);
    item.equal(threads, kernel.block[0], "threads of a block", sound);
    item.equal(blocks * threads, signed_of(kernel.counts.threads),
               "threads of the grid", sound);
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result,
       "each sample is faded out, for any n; sound does not change", 1},
      {"placed", 1, Kind::placement, "the result is on the device of sound", 2},
      {"grid", 2, Kind::cost,
       "there is one launch, of the given grid, no wait of the host, and no copy", 2},
      {"once", 1, Kind::cost, "each sample is read once and written once", 3},
      {"sectors", 2, Kind::cost, "a warp reads and writes neighbours", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // Odd numbers of blocks and warps: a step that is a fixed power of two must not pass.
  const auto blocks = 1 + 2 * inputs.draw(1, 3);
  const auto threads = 32 * (1 + 2 * inputs.draw(1, 3));
  const auto all = blocks * threads;
  const auto put = [&](const std::string& sound, std::int64_t n,
                       std::int64_t its_blocks, std::int64_t its_threads) {
    inputs.put(sound, randn({n}));
    inputs.put(sound + ": blocks", its_blocks);
    inputs.put(sound + ": threads", its_threads);
  };
  put(no_samples, 0, blocks, threads);
  put("one sample", 1, blocks, threads);
  put("fewer samples than threads", inputs.draw(2, all - 2), blocks, threads);
  put("one sample less than threads", all - 1, blocks, threads);
  put("as many as threads", all, blocks, threads);
  // A result that was kept from the previous call is wrong here.
  put("as many others", all, blocks, threads);
  put("one sample more than threads", all + 1, blocks, threads);
  put("several samples per thread", all * inputs.draw(3, 6) + inputs.draw(1, all - 1),
      blocks, threads);
  // The largest and the smallest grids and blocks, and the largest n of the statement.
  put("more than 1024 blocks", std::int64_t{32} * 1025 + inputs.draw(1, 5000),
      1025 + inputs.draw(1, 50), 32);
  put("one block", std::int64_t{1024} * 2 + inputs.draw(1, 1023), 1, 1024);
  put("a million samples", 1'000'000 - inputs.draw(0, 1), 1 + 2 * inputs.draw(10, 20),
      1024);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  const auto call = [&](const std::string& name) {
    const auto blocks = static_cast<int>(inputs.integer(name + ": blocks"));
    const auto threads = static_cast<int>(inputs.integer(name + ": threads"));
    const Tensor sound = inputs.tensor(name).to(last_device());
    synchronize();
    Tensor result;
    if (!outcome.attempt(name, [&] { result = fade_out(sound, blocks, threads); }))
      return;
    returned.keep(name + ": result", result, {{name + ": sound", sound}});
  };
  for (const char* const sound : sounds) call(sound);
  call(no_samples);
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto for_each_sound = [&](const std::string& name, const auto& judge_sound) {
    judgement.item(name, [&](ItemJudgement& item) {
      for (const char* const sound : sounds) {
        outcome.require(sound);
        judge_sound(item, std::string(sound));
      }
      outcome.require(no_samples);
      judge_sound(item, no_samples);
    });
  };
  for_each_sound("values", [&](ItemJudgement& item, const std::string& sound) {
    item.close(faded(inputs.tensor(sound)), outcome.tensor(sound + ": result"), 1e-6,
               sound);
    item.close(inputs.tensor(sound), outcome.tensor(sound + ": sound"), 0,
               sound + ": sound");
  });
  for_each_sound("placed", [&](ItemJudgement& item, const std::string& sound) {
    if (sound != no_samples) item.placed(outcome, sound + ": result", last_device());
  });
  for_each_sound("grid", [&](ItemJudgement& item, const std::string& sound) {
    judge_grid(item, inputs, outcome, sound);
  });
  const auto for_each_kernel = [&](const std::string& name, const auto& judge_counts) {
    for_each_sound(name, [&](ItemJudgement& item, const std::string& sound) {
      if (sound != no_samples && item.lacks_counts(outcome, sound)) return;
      const KernelCounts sum = counts_of(outcome.recording(sound).entries);
      judge_counts(item, sum, inputs.tensor(sound).numel(), sound);
    });
  };
  for_each_kernel("once", [](ItemJudgement& item, const KernelCounts& sum,
                             std::int64_t n, const std::string& sound) {
    item.equal(4 * n, signed_of(sum.load_bytes), "bytes read", sound);
    item.equal(4 * n, signed_of(sum.store_bytes), "bytes written", sound);
  });
  for_each_kernel("sectors", [](ItemJudgement& item, const KernelCounts& sum,
                                std::int64_t n, const std::string& sound) {
    item.at_most((n + 7) / 8, signed_of(sum.load_sectors), "sectors read", sound);
    item.at_most((n + 7) / 8, signed_of(sum.store_sectors), "sectors written", sound);
    item.at_most((n + 31) / 32, signed_of(sum.load_requests), "requests to read",
                 sound);
    item.at_most((n + 31) / 32, signed_of(sum.store_requests), "requests to write",
                 sound);
  });
}

}  // namespace d2l::check
