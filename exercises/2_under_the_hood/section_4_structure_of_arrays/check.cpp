// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <utility>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* calls[] = {"one particle", "31 particles",   "33 particles",
                                 "33 others",    "many particles", "no particle"};
constexpr const char* columns[] = {"x", "y", "z", "mass"};

std::int64_t whole(std::uint64_t count) { return static_cast<std::int64_t>(count); }

/// Judges the counts of the launch of each call that has one.
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::function<void(const KernelCounts&, std::int64_t n,
                                           const char* call)>& judge) {
  for (const char* const call : calls) {
    if (item.lacks_counts(outcome, call)) return;
    const std::int64_t n = inputs.tensor(call).size(0);
    const auto kernels = outcome.recording(call).kernels();
    item.equal(n == 0 ? 0 : 1, static_cast<std::int64_t>(kernels.size()), "launches",
               call);
    item.equal(0, outcome.recording(call).operations(), "operations of the library",
               call);
    for (const KernelRun& run : kernels) {
      item.at_least(16 * n, whole(run.counts.load_bytes), "bytes loaded", call);
      item.at_least(16 * n, whole(run.counts.store_bytes), "bytes stored", call);
      judge(run.counts, n, call);
    }
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "the four tensors have the columns of the matrix, which does not change", 1},
      {"placed", 1, Kind::placement,
       "the four tensors are contiguous, and on the device of the particles", 1},
      {"launches", 1, Kind::cost,
       "one launch, whose threads share the particles, or none without particles", 1},
      {"loads", 2, Kind::cost, "each sector of the matrix is fetched once", 2},
      {"stores", 1, Kind::cost, "each sector of the results is written once", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // A result that was kept from the first 33 particles is wrong for the others. The
  // last size but one is more than 1024 blocks of 256 threads.
  const std::int64_t sizes[] = {1, 31, 33, 33, inputs.draw(263'000, 270'000), 0};
  for (std::size_t i = 0; i < std::size(calls); ++i)
    inputs.put(calls[i], randn({sizes[i], 4}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  Returned returned(outcome);
  for (const char* const call : calls) {
    const Tensor particles = inputs.tensor(call).to(last_device());
    Particles result;
    if (!outcome.attempt(call, [&] { result = take_apart(particles); })) continue;
    const Tensor* const found[] = {&result.x, &result.y, &result.z, &result.mass};
    returned.keep("", Tensor(), {{key(call, "particles afterwards"), particles}});
    for (std::size_t i = 0; i < std::size(columns); ++i) {
      returned.keep(key(call, columns[i]), *found[i], {});
      outcome.put(key(call, columns[i]) + " is contiguous",
                  found[i]->defined() && found[i]->is_contiguous());
    }
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      const Tensor particles = inputs.tensor(call);
      const auto values = particles.to_vector<float>();
      for (std::size_t column = 0; column < std::size(columns); ++column) {
        Tensor expected = zeros({particles.size(0)});
        for (std::int64_t i = 0; i < particles.size(0); ++i) {
          expected.data_ptr<float>()[i] =
              values[static_cast<std::size_t>(4 * i) + column];
        }
        item.close(expected, outcome.tensor(key(call, columns[column])), 0,
                   key(call, columns[column]));
      }
      item.close(particles, outcome.tensor(key(call, "particles afterwards")), 0,
                 key(call, "particles, afterwards"));
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const char* const call : calls) {
      outcome.require(call);
      for (const char* const column : columns) {
        item.placed(outcome, key(call, column), last_device());
        item.expect(outcome.flag(key(call, column) + " is contiguous"),
                    "a contiguous tensor", "a view", key(call, column));
      }
    }
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, const char* call) {
                   if (n >= 8192) item.spread(counts, call);
                 });
  });
  judgement.item("loads", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, const char* call) {
                   item.at_most((n + 1) / 2, whole(counts.load_sectors),
                                "sectors loaded", call);
                 });
  });
  judgement.item("stores", [&](ItemJudgement& item) {
    judge_counts(item, inputs, outcome,
                 [&](const KernelCounts& counts, std::int64_t n, const char* call) {
                   item.at_most(4 * ((n + 7) / 8), whole(counts.store_sectors),
                                "sectors stored", call);
                 });
  });
}

}  // namespace d2l::check
