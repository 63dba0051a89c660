// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"
#include "rank_calls.h"

namespace d2l::check {
namespace {

constexpr int max_ranks = 5;
constexpr std::int64_t max_bytes = 400;

/// One to five ranks. The middle one of three has no rows; of five, neither the first
/// nor the last has some. With two ranks, the first has more than 65535 rows. The last
/// three have another number of columns.
struct Case {
  int ranks;
  const char* kind;
  [[nodiscard]] std::string name() const {
    return "standardise on " + counted(ranks, "ranks") + ", " + kind;
  }
  [[nodiscard]] bool has_three_columns() const {
    return kind == std::string("three columns");
  }
};

constexpr Case cases[] = {{1, "three columns"}, {2, "three columns"},
                          {3, "three columns"}, {4, "three columns"},
                          {5, "three columns"}, {2, "one column"},
                          {3, "one column"},    {3, "seven columns"}};

constexpr double constant = 3;  // the numbers of the third column

/// Whether the means of two ranks, each times its share of the rows, do not have the
/// constant as their sum.
bool shares_are_rounded(std::int64_t rows, std::int64_t others) {
  const auto all = static_cast<double>(rows + others);
  return constant * (static_cast<double>(rows) / all) +
             constant * (static_cast<double>(others) / all) !=
         constant;
}

std::string rows_of(int rank) { return "rows of rank " + std::to_string(rank); }

/// The rows of a rank in a case.
Tensor given(const Inputs& inputs, const Case& one, int rank) {
  const bool is_first_of_all = one.ranks == max_ranks && rank == 0;
  const bool is_long = one.ranks == 2 && rank == 0 && one.has_three_columns();
  Tensor rows = inputs.tensor(is_long ? "long rows" : rows_of(rank));
  const bool has_none =
      is_first_of_all || (one.ranks == max_ranks && rank + 1 == max_ranks);
  if (has_none) rows = rows.narrow(0, 0, 0);
  if (one.kind == std::string("one column")) rows = rows.narrow(1, 0, 1);
  if (one.kind == std::string("seven columns"))
    rows = cat({rows, rows * -3, rows.narrow(1, 0, 1)}, 1);
  return rows.clone();
}

/// The standardised rows of a rank, computed from those of all ranks.
Tensor expected(const Inputs& inputs, const Case& one, int rank) {
  std::vector<Tensor> all;
  for (int r = 0; r < one.ranks; ++r) all.push_back(given(inputs, one, r).to(kDouble));
  const Tensor table = cat(all);
  const Tensor mean = table.mean(0);
  const Tensor deviation = (table - mean).square().mean(0).sqrt();
  const Tensor own = given(inputs, one, rank).to(kDouble) - mean;
  return where(deviation > 0, own / deviation, zeros_like(own)).to(kFloat);
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 3, Kind::result,
       "the rows are standardised by the statistics of all ranks", 1},
      {"large", 1, Kind::result, "columns with a large mean keep their precision", 3},
      {"constant", 1, Kind::result, "a column of one number becomes 0", 4},
      {"rows", 1, Kind::result, "the given rows do not change", 2},
      {"bytes", 2, Kind::cost, "no rank sends more than 400 bytes", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // The first column differs from rank to rank. The second has a large mean, which is
  // not a multiple of 4: a sum of float32, element by element, would be. The third is
  // constant.
  const auto drawn = [](std::int64_t rows, int rank) {
    return stack({randn({rows}) * (rank + 1.0) - 2.0 * rank, randn({rows}) + 1001,
                  full({rows}, constant)},
                 1);
  };
  std::vector<std::int64_t> rows(max_ranks);
  do {
    for (int rank = 0; rank < max_ranks; ++rank) {
      rows[static_cast<std::size_t>(rank)] =
          rank == 1 ? 0 : inputs.draw(60, 90) * (rank + 1);
    }
  } while (!shares_are_rounded(rows[0], rows[2]));
  for (int rank = 0; rank < max_ranks; ++rank)
    inputs.put(rows_of(rank), drawn(rows[static_cast<std::size_t>(rank)], rank));
  inputs.put("long rows", drawn(inputs.draw(66000, 67000), 0));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases) {
    std::vector<Tensor> rows;
    for (int rank = 0; rank < one.ranks; ++rank)
      rows.push_back(given(inputs, one, rank));
    const bool returned = attempt_ranks(outcome, one.name(), one.ranks, [&](int rank) {
      return standardise(rows[static_cast<std::size_t>(rank)]);
    });
    if (!returned) return;  // the others would wait as long
    for (int rank = 0; rank < one.ranks; ++rank) {
      outcome.put(of_rank(one.name(), rank) + ": rows",
                  rows[static_cast<std::size_t>(rank)]);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each =
      [&](const std::function<void(const Case&, int, const std::string&)>& look) {
        for (const Case& one : cases) {
          outcome.require(one.name());
          for (int rank = 0; rank < one.ranks; ++rank)
            look(one, rank, of_rank(one.name(), rank));
        }
      };
  const auto expect_column = [&](ItemJudgement& item, std::int64_t column,
                                 const auto& tolerance_of) {
    each([&](const Case& one, int rank, const std::string& name) {
      const Tensor found = outcome.tensor(name);
      const Tensor right = expected(inputs, one, rank);
      const bool alike = found.sizes() == right.sizes() && found.dtype() == kFloat;
      item.expect(alike, repr(right.sizes()) + " of float32",
                  repr(found.sizes()) + " of " + repr(found.dtype()), name);
      if (!alike) return;
      for (std::int64_t i = column; i < right.size(1); i += 3) {
        const Tensor wanted = right.select(1, i);
        item.close(wanted, found.select(1, i), tolerance_of(wanted),
                   name + ", column " + std::to_string(i));
      }
    });
  };
  judgement.item("values", [&](ItemJudgement& item) {
    expect_column(item, 0, [](const Tensor&) { return 1e-4; });
  });
  judgement.item("large", [&](ItemJudgement& item) {
    // close() is relative to the largest number; this limit is not.
    expect_column(item, 1, [](const Tensor& wanted) {
      return wanted.numel() == 0 ? 0 : 1e-3 / wanted.abs().max().item<double>();
    });
  });
  judgement.item("constant", [&](ItemJudgement& item) {
    expect_column(item, 2, [](const Tensor&) { return 1e-6; });
  });
  judgement.item("rows", [&](ItemJudgement& item) {
    each([&](const Case& one, int rank, const std::string& name) {
      item.close(given(inputs, one, rank), outcome.tensor(name + ": rows"), 0, name);
    });
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    each([&](const Case& one, int rank, const std::string& name) {
      if (!one.has_three_columns()) return;
      const auto& recording = outcome.recording(one.name());
      const auto sent = sent_bytes(recording, rank, [](int) { return true; });
      if (one.ranks > 1) item.at_least(1, sent, "bytes sent", name);
      item.at_most(max_bytes, sent, "bytes sent", name);
    });
  });
}

}  // namespace d2l::check
