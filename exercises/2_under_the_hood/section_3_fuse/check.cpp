// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <limits>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {"one element", "31 elements",         "33 elements",
                                 "33 others",   "numbers of any size", "many elements",
                                 "no element"};

std::int64_t size(const Inputs& inputs, const char* call) {
  return inputs.tensor(key(call, "x")).numel();
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "the result is a * x + y within its limits; x and y do not change", 1},
      {"placed", 1, Kind::placement, "the result is on the device of x", 1},
      {"launches", 2, Kind::cost,
       "one launch in total, whose threads share the elements, and one allocation", 2},
      {"bytes", 1, Kind::cost, "8 bytes are loaded and 4 stored for each element", 1},
      {"waits", 1, Kind::cost, "the host does not wait", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // A result that was kept from the first 33 elements is wrong for the others. The last
  // size but one is more than 1024 blocks of 256 threads.
  const std::int64_t sizes[] = {1, 31, 33, 33, 40, inputs.draw(263'000, 270'000), 0};
  for (std::size_t i = 0; i < std::size(calls); ++i) {
    inputs.put(key(calls[i], "x"), rand({sizes[i]}) * 2 - 1);
    inputs.put(key(calls[i], "y"), rand({sizes[i]}) * 2 - 0.5);
    // Positive and negative factors, with a fraction: both limits are reached.
    inputs.put(key(calls[i], "a"), (inputs.draw(0, 1) == 0 ? 1 : -1) *
                                       (static_cast<double>(inputs.draw(1, 3)) + 0.25));
  }
  // Sums that are huge, tiny or infinite, of either sign.
  Tensor x = inputs.tensor(key(calls[4], "x"));
  const float infinity = std::numeric_limits<float>::infinity();
  const float extremes[] = {infinity, -infinity, 1e38f,    -1e38f, 3e9f,
                            -3e9f,    70000.f,   -70000.f, 1e-30f, -1e-30f};
  std::ranges::copy(extremes, x.data_ptr<float>());
  inputs.put(key(calls[4], "x"), x);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor x = inputs.tensor(key(call, "x")).to(last_device());
    const Tensor y = inputs.tensor(key(call, "y")).to(last_device());
    const auto a = static_cast<float>(inputs.number(key(call, "a")));
    synchronize();
    Tensor result;
    if (!outcome.attempt(call, [&] { result = blend(x, y, a); })) continue;
    returned.keep(key(call, "result"), result,
                  {{key(call, "x afterwards"), x}, {key(call, "y afterwards"), y}});
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor x = inputs.tensor(key(call, "x"));
      const Tensor y = inputs.tensor(key(call, "y"));
      const double a = inputs.number(key(call, "a"));
      Tensor expected = zeros({x.numel()});
      for (std::int64_t i = 0; i < x.numel(); ++i) {
        const double value = a * x.data_ptr<float>()[i] + y.data_ptr<float>()[i];
        expected.data_ptr<float>()[i] = static_cast<float>(std::clamp(value, 0.0, 1.0));
      }
      // Relative to 1, which the largest value need not be: one element may be 0.
      item.close(expected, outcome.tensor(key(call, "result")), 1e-6, call, 1);
      item.close(x, outcome.tensor(key(call, "x afterwards")), 0,
                 key(call, "x, afterwards"));
      item.close(y, outcome.tensor(key(call, "y afterwards")), 0,
                 key(call, "y, afterwards"));
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
      const Recording& recording = outcome.recording(call);
      item.at_most(size(inputs, call) == 0 ? 0 : 1, recording.launches(), "launches",
                   call);
      item.at_most(1, recording.allocations(), "allocations", call);
      if (size(inputs, call) < 8192) continue;
      for (const KernelRun& run : recording.kernels()) item.spread(run.counts, call);
    }
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      if (item.lacks_counts(outcome, call)) return;
      const std::int64_t n = size(inputs, call);
      std::int64_t loaded = 0;
      std::int64_t stored = 0;
      for (const KernelRun& run : outcome.recording(call).kernels()) {
        loaded += static_cast<std::int64_t>(run.counts.load_bytes);
        stored += static_cast<std::int64_t>(run.counts.store_bytes);
      }
      item.equal(8 * n, loaded, "bytes loaded by kernels", call);
      item.equal(4 * n, stored, "bytes stored by kernels", call);
    }
  });
  judgement.item("waits", [&](ItemJudgement& item) {
    for (const char* const call : calls)
      item.at_most(0, outcome.recording(call).synchronisations(), "waits", call);
  });
}

}  // namespace d2l::check
