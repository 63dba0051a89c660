// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int most_ranks = 5;
constexpr int world_sizes[] = {1, 2, 3, 5};
constexpr std::int64_t most_bytes = 400;

std::string rows_of(int rank) { return "rows of rank " + std::to_string(rank); }
std::string call_of(int ranks) { return "standardise on " + counted(ranks, "ranks"); }

/// The standardised rows of a rank, computed from those of all ranks.
Tensor expected(const Inputs& inputs, int ranks, int rank) {
  std::vector<Tensor> all;
  for (int r = 0; r < ranks; ++r) all.push_back(inputs.tensor(rows_of(r)).to(kDouble));
  const Tensor table = cat(all);
  const Tensor mean = table.mean(0);
  const Tensor deviation = (table - mean).square().mean(0).sqrt();
  const Tensor own = inputs.tensor(rows_of(rank)).to(kDouble) - mean;
  return where(deviation > 0, own / deviation, zeros_like(own)).to(kFloat);
}

}  // namespace

std::vector<Item> items() {
  return {{"values", 3, Kind::result, "the rows are standardised by the statistics of all ranks", 1},
          {"large", 1, Kind::result, "columns with a large mean keep their precision", 3},
          {"constant", 1, Kind::result, "a column of one number becomes 0", 4},
          {"rows", 1, Kind::result, "the given rows do not change", 2},
          {"bytes", 2, Kind::cost, "no rank sends more than 400 bytes", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int rank = 0; rank < most_ranks; ++rank) {
    const std::int64_t rows = rank == 1 ? 0 : inputs.draw(60, 90) * (rank + 1);
    // The first column differs from rank to rank, the second has a large mean, the third is constant.
    inputs.put(rows_of(rank),
               stack({randn({rows}) * (rank + 1.0) + 2.0 * rank, randn({rows}) + 1000, full({rows}, 3.0)}, 1));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const int ranks : world_sizes) {
    std::vector<Tensor> rows;
    for (int rank = 0; rank < ranks; ++rank) rows.push_back(inputs.tensor(rows_of(rank)).clone());
    const bool returned = attempt_ranks(outcome, call_of(ranks), ranks,
                                        [&](int rank) { return standardise(rows[static_cast<std::size_t>(rank)]); });
    if (!returned) return;  // the others would wait as long
    for (int rank = 0; rank < ranks; ++rank) {
      outcome.put(of_rank(call_of(ranks), rank) + ": rows", rows[static_cast<std::size_t>(rank)]);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](const std::function<void(int, int, const std::string&)>& look) {
    for (const int ranks : world_sizes) {
      static_cast<void>(outcome.recording(call_of(ranks)));
      for (int rank = 0; rank < ranks; ++rank) look(ranks, rank, of_rank(call_of(ranks), rank));
    }
  };
  const auto expect_column = [&](ItemJudgement& item, std::int64_t column, double tolerance) {
    each([&](int ranks, int rank, const std::string& name) {
      const Tensor found = outcome.tensor(name);
      const Tensor right = expected(inputs, ranks, rank);
      const bool alike = found.sizes() == right.sizes() && found.dtype() == kFloat;
      item.expect(alike, repr(right.sizes()) + " of float32", repr(found.sizes()) + " of " + repr(found.dtype()), name);
      if (!alike) return;
      item.close(right.select(1, column), found.select(1, column), tolerance, name);
    });
  };
  judgement.item("values", [&](ItemJudgement& item) { expect_column(item, 0, 1e-4); });
  judgement.item("large", [&](ItemJudgement& item) { expect_column(item, 1, 1e-3); });
  judgement.item("constant", [&](ItemJudgement& item) { expect_column(item, 2, 1e-6); });
  judgement.item("rows", [&](ItemJudgement& item) {
    each([&](int /*ranks*/, int rank, const std::string& name) {
      item.close(inputs.tensor(rows_of(rank)), outcome.tensor(name + ": rows"), 0, name);
    });
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](int ranks, int rank, const std::string& name) {
      const auto& recording = outcome.recording(call_of(ranks));
      const auto sent = sent_bytes(recording, rank, [](int) { return true; });
      if (ranks > 1) item.at_least(1, sent, "bytes sent", name);
      item.at_most(most_bytes, sent, "bytes sent", name);
    });
  });
}

}  // namespace d2l::check
