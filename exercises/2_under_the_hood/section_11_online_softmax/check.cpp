// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr const char* ordinary[] = {
    "1 column",        "31 columns",   "32 columns",   "33 columns", "33 others",
    "1000 columns",    "1024 columns", "1025 columns", "a long row", "the longest row",
    "ordered numbers", "many rows",    "no rows"};
constexpr const char* many_rows = "many rows";
constexpr const char* large[] = {
    "large numbers", "numbers far below 0", "numbers far below 0 in long rows",
    "numbers below -1e34", "numbers below -1e34 in long rows"};
constexpr const char* masked[] = {"a masked beginning", "one number left"};

/// The rows of the case "many rows" that are computed. The emulator takes some 5
/// microseconds for each thread of such a kernel, so one that has more than 128 threads
/// for each row gets fewer: 585 with 1024 threads.
std::int64_t rows_for(std::int64_t threads, std::int64_t rows) {
  return std::min(rows, 600'000 / std::clamp<std::int64_t>(threads, 1, 1024));
}

/// The matrix of a case.
Tensor matrix_of(const Inputs& inputs, const Outcome& outcome,
                 const std::string& name) {
  Tensor x = inputs.tensor(name);
  if (name != many_rows) return x;
  return x.slice(0, 0, rows_for(outcome.integer("threads"), x.size(0))).contiguous();
}

/// Every case, by name.
std::vector<std::string> all_cases() {
  std::vector<std::string> names(std::begin(ordinary), std::end(ordinary));
  names.insert(names.end(), std::begin(large), std::end(large));
  names.insert(names.end(), std::begin(masked), std::end(masked));
  return names;
}

/// Numbers whose largest is the last of the first row, the first of the second, and
/// anywhere in the others.
Tensor drawn(Inputs& inputs, std::int64_t rows, std::int64_t columns,
             double scale = 1) {
  Tensor x = randn({rows, columns}) * scale;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t column = row == 0   ? columns - 1
                                : row == 1 ? 0
                                           : inputs.draw(0, columns - 1);
    x[row][column] = 3 * scale;
  }
  return x;
}

/// The softmax of each row in float64, and the largest of each row.
std::pair<Tensor, Tensor> expected_of(const Tensor& x) {
  const std::int64_t rows = x.size(0);
  const std::int64_t columns = x.size(1);
  auto values = x.to_vector<double>();
  std::vector<double> largest;
  for (std::int64_t row = 0; row < rows; ++row) {
    double* const begin = values.data() + row * columns;
    const double max = *std::max_element(begin, begin + columns);
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i)
      sum += begin[i] = std::exp(begin[i] - max);
    for (std::int64_t i = 0; i < columns; ++i) begin[i] /= sum;
    largest.push_back(1 / sum);
  }
  return {tensor(values, kDouble).reshape({rows, columns}),
          tensor(largest, kDouble).reshape({rows, 1})};
}

void judge_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& name) {
  outcome.require(name);
  const Tensor x = matrix_of(inputs, outcome, name);
  const auto [expected, largest] = expected_of(x);
  const Tensor found = outcome.tensor(name);
  item.expect(found.sizes() == expected.sizes() && found.dtype() == kFloat,
              "a float32 matrix of the shape of x", "another shape or dtype", name);
  if (found.sizes() != expected.sizes()) return;
  item.close(expected / largest, found.to(kDouble) / largest, 1e-4,
             name + ", relative to the largest of each row");
  const Tensor not_zero = (x == -infinity).to(kInt) * (found != 0).to(kInt);
  item.expect(not_zero.numel() == 0 || not_zero.max().item<int>() == 0,
              "0 where x is -inf", "other numbers", name);
  item.close(x, outcome.tensor(name + ": x afterwards"), 0, name + ": x, afterwards");
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "each row is the softmax of the row of x, which does not change", 1},
      {"large", 1, Kind::result, "the result is correct for numbers of any size", 2},
      {"masked", 1, Kind::result, "the result is correct for rows with many -∞", 2},
      {"placement", 1, Kind::placement, "the result is on the device of x", 1},
      {"launches", 1, Kind::cost,
       "one launch of one kernel computes it, whose threads share many rows, and none "
       "for 0 rows",
       1},
      {"reads", 2, Kind::cost,
       "x is read once, and at most twice for more than 1024 columns", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const std::int64_t columns : {1, 31, 32, 33}) {
    inputs.put(std::to_string(columns) + (columns == 1 ? " column" : " columns"),
               drawn(inputs, inputs.draw(3, 6), columns));
  }
  // A result that was kept from the previous call is wrong here.
  inputs.put("33 others", randn(inputs.tensor("33 columns").sizes()));
  for (const std::int64_t columns : {1000, 1024, 1025}) {
    inputs.put(std::to_string(columns) + " columns",
               drawn(inputs, inputs.draw(2, 3), columns));
  }
  inputs.put("a long row", drawn(inputs, 2, inputs.draw(4000, 6000)));
  inputs.put("the longest row", drawn(inputs, 1, 20'000));
  const std::int64_t columns = inputs.draw(1100, 1500);
  const Tensor up = arange(static_cast<double>(columns), kFloat) * 0.05;
  inputs.put("ordered numbers", stack({up, -up}));
  inputs.put(many_rows,
             randn({inputs.draw(4100, 4300), 17}));  // and more than 65536 elements
  inputs.put("no rows", zeros({0, 33}));
  Tensor big = drawn(inputs, 4, inputs.draw(300, 700), 500);
  big[1][0] = 3e38;
  big[1][1] = -3e38;  // the difference overflows float32
  inputs.put("large numbers", big);
  inputs.put("numbers far below 0", drawn(inputs, 3, inputs.draw(300, 1000)) - 1000);
  inputs.put(large[2], drawn(inputs, 3, inputs.draw(1025, 1400)) - 1000);
  inputs.put(large[3], (drawn(inputs, 3, inputs.draw(300, 1000)) - 10) * 1e34);
  inputs.put(large[4], (drawn(inputs, 3, inputs.draw(1025, 1400)) - 10) * 1e34);
  Tensor begin = drawn(inputs, 3, inputs.draw(900, 1000));
  begin.slice(1, 0, inputs.draw(600, 890)).fill_(-infinity);
  inputs.put("a masked beginning", begin);
  Tensor one = full({3, 1300}, -infinity, kFloat);
  one[0][1299] = 3;
  one[1][0] = -7;
  one[2][inputs.draw(1, 1298)] = 0;
  inputs.put("one number left", one);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  outcome.put("threads", 1024);  // for each row of 31 columns
  for (const std::string& name : all_cases()) {
    const Tensor x = matrix_of(inputs, outcome, name).to(last_device());
    Tensor result;
    if (!outcome.attempt(name, [&] { result = ::softmax(x); })) continue;
    returned.keep(name, result, {{name + ": x afterwards", x}});
    const auto kernels = outcome.recording(name).kernels();
    if (name == "31 columns" && !kernels.empty()) {
      const auto& [in_x, in_y, in_z] = kernels[0].block;
      outcome.put("threads",
                  std::int64_t{in_x} * in_y * in_z * kernels[0].grid[0] / x.size(0));
    }
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_cases = [&](const char* name, const auto& cases) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (item.lacks_gpus(1)) return;
      for (const char* const each : cases) judge_values(item, inputs, outcome, each);
    });
  };
  judge_cases("values", ordinary);
  judge_cases("large", large);
  judge_cases("masked", masked);
  judgement.item("placement", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const std::string& name : all_cases())
      item.placed(outcome, name, last_device());
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const std::string& name : all_cases()) {
      const Recording& recording = outcome.recording(name);
      if (inputs.tensor(name).numel() > 0 && item.lacks_counts(outcome, name)) return;
      const auto kernels = static_cast<std::int64_t>(recording.kernels().size());
      item.equal(inputs.tensor(name).numel() > 0 ? 1 : 0, kernels,
                 "launches of a kernel", name);
      item.at_most(1, recording.launches() - kernels, "other launches", name);
      item.equal(0, recording.operations(), "operations of the library", name);
      item.equal(0, recording.copies(), "copies between devices", name);
      if (name != many_rows) continue;
      for (const KernelRun& run : recording.kernels()) item.spread(run.counts, name);
    }
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const std::string& name : all_cases()) {
      if (inputs.tensor(name).numel() == 0) continue;
      const Tensor x = matrix_of(inputs, outcome, name);
      const Recording& recording = outcome.recording(name);
      if (item.lacks_counts(outcome, name)) return;
      std::uint64_t loaded = 0;
      std::uint64_t stored = 0;
      for (const KernelRun& kernel : recording.kernels()) {
        loaded += kernel.counts.load_bytes;
        stored += kernel.counts.store_bytes;
      }
      const std::int64_t reads = x.size(1) <= 1024 ? 1 : 2;
      item.at_least(4 * x.numel(), static_cast<std::int64_t>(loaded), "bytes loaded",
                    name);
      item.at_most(4 * reads * x.numel(), static_cast<std::int64_t>(loaded),
                   "bytes loaded", name);
      item.equal(4 * x.numel(), static_cast<std::int64_t>(stored), "bytes stored",
                 name);
    }
  });
}

}  // namespace d2l::check
