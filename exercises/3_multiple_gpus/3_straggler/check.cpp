// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// Case 0 has no rows, case 1 one GPU, case 2 one row, case 3 a GPU that takes longer to
// begin than all rows last, case 4 equal GPUs, case 5 the most GPUs and rows, case 6
// times for which 32 bits are too few, and case 7 has 66,000 to 67,000 rows. The others
// are drawn between these.
constexpr int calls = 12;
enum Call { no_rows, one_gpu, one_row, late_gpu, equal_gpus, most, slow, many_rows };

struct Case {
  std::string name;
  std::int64_t rows;
  std::vector<Speed> gpus;
  std::vector<std::int64_t>
      parts;  ///< a division, not the best, for step_time and weights
};

Case case_of(const Inputs& inputs, int call) {
  Case one{"case " + std::to_string(call), 0, {}, {}};
  one.rows = inputs.integer(one.name + " rows");
  const auto starts = inputs.tensor(one.name + " starts").to_vector<std::int64_t>();
  const auto rows = inputs.tensor(one.name + " row").to_vector<std::int64_t>();
  for (std::size_t i = 0; i < starts.size(); ++i)
    one.gpus.push_back({starts[i], rows[i]});
  one.parts = inputs.tensor(one.name + " parts").to_vector<std::int64_t>();
  return one;
}

template <class T>
Tensor as_tensor(std::vector<T> list, Dtype dtype) {
  return from_blob(list.data(), {static_cast<std::int64_t>(list.size())}, dtype)
      .clone();
}

/// The earliest end, by trying: the first time at which the GPUs together can have done
/// all rows.
std::int64_t earliest_end(const Case& one) {
  const auto done_by = [&](std::int64_t time) {
    std::int64_t done = 0;
    for (const Speed& gpu : one.gpus)
      done += time < gpu.start ? 0 : (time - gpu.start) / gpu.row;
    return done;
  };
  std::int64_t low = 0;
  std::int64_t high =
      one.rows == 0 ? 0 : one.gpus[0].start + one.rows * one.gpus[0].row;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (done_by(middle) >= one.rows) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

std::int64_t end_of(const std::vector<std::int64_t>& parts,
                    const std::vector<Speed>& gpus) {
  std::int64_t latest = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    latest =
        std::max(latest, parts[i] == 0 ? 0 : gpus[i].start + parts[i] * gpus[i].row);
  }
  return latest;
}

std::string divide_of(const Case& one) { return "divide, " + one.name; }
std::string time_of(const Case& one) { return "step_time, " + one.name; }
std::string weights_of(const Case& one) { return "weights, " + one.name; }

}  // namespace

std::vector<Item> items() {
  return {
      {"rows", 1, Kind::result, "all rows are assigned, and no GPU has fewer than 0",
       2},
      {"earliest", 3, Kind::result, "no other division ends earlier", 2},
      {"time", 2, Kind::result, "the step ends with the last GPU that has rows", 1},
      {"weights", 2, Kind::result,
       "the sum of the means, each times its weight, is the mean over all rows", 4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int call = 0; call < calls; ++call) {
    const auto name = "case " + std::to_string(call);
    const std::int64_t gpus = call == one_gpu    ? 1
                              : call == late_gpu ? 3
                              : call == most     ? 8
                                                 : inputs.draw(2, 8);
    const std::int64_t rows = call == no_rows     ? 0
                              : call == one_row   ? 1
                              : call == late_gpu  ? inputs.draw(10, 20)
                              : call == most      ? 400
                              : call == many_rows ? inputs.draw(66000, 67000)
                                                  : inputs.draw(40, 399);
    std::vector<std::int64_t> starts;
    std::vector<std::int64_t> row;
    std::vector<std::int64_t> parts;
    const std::int64_t unit = call == slow ? 100'000'000 : 1;
    for (std::int64_t i = 0; i < gpus; ++i) {
      const bool is_late = call == late_gpu && i == 0;
      const bool is_like_first = call == equal_gpus && i > 0;
      starts.push_back(is_like_first ? starts[0]
                       : is_late     ? 100000
                                     : unit * inputs.draw(20, 300));
      row.push_back(is_like_first ? row[0] : is_late ? 1 : unit * inputs.draw(5, 60));
      parts.push_back(call == no_rows || i == 1 ? 0
                      : is_late                 ? 1
                                : (call == many_rows ? 3'000'000'000 : 1) *
                                      inputs.draw(1, 50));
    }
    inputs.put(name + " rows", rows);
    inputs.put(name + " starts", as_tensor(starts, kLong));
    inputs.put(name + " row", as_tensor(row, kLong));
    inputs.put(name + " parts", as_tensor(parts, kLong));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int call = 0; call < calls; ++call) {
    const Case one = case_of(inputs, call);
    outcome.attempt(divide_of(one), [&] {
      outcome.put(divide_of(one), as_tensor(divide(one.rows, one.gpus), kLong));
    });
    outcome.attempt(time_of(one),
                    [&] { outcome.put(time_of(one), step_time(one.parts, one.gpus)); });
    outcome.attempt(weights_of(one), [&] {
      outcome.put(weights_of(one), as_tensor(weights(one.parts), kDouble));
    });
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each =
      [&](ItemJudgement& item,
          const std::function<void(const Case&, const std::vector<std::int64_t>&)>&
              look) {
        for (int call = 0; call < calls; ++call) {
          const Case one = case_of(inputs, call);
          outcome.require(divide_of(one));
          const auto parts = outcome.tensor(divide_of(one)).to_vector<std::int64_t>();
          std::int64_t sum = 0;
          bool positive = true;
          for (const std::int64_t part : parts) {
            sum += part;
            positive = positive && part >= 0;
          }
          item.equal(static_cast<std::int64_t>(one.gpus.size()),
                     static_cast<std::int64_t>(parts.size()), "GPUs", one.name);
          item.expect(positive, "0 or more rows for each GPU", repr(parts), one.name);
          item.equal(one.rows, sum, "rows of all GPUs", one.name);
          if (parts.size() == one.gpus.size()) look(one, parts);
        }
      };
  judgement.item("rows", [&](ItemJudgement& item) {
    each(item, [](const Case& /*one*/, const std::vector<std::int64_t>& /*parts*/) {});
  });
  judgement.item("earliest", [&](ItemJudgement& item) {
    each(item, [&](const Case& one, const std::vector<std::int64_t>& parts) {
      item.at_most(earliest_end(one), end_of(parts, one.gpus), "microseconds",
                   one.name);
    });
  });
  judgement.item("time", [&](ItemJudgement& item) {
    for (int call = 0; call < calls; ++call) {
      const Case one = case_of(inputs, call);
      outcome.require(time_of(one));
      item.equal(end_of(one.parts, one.gpus), outcome.integer(time_of(one)),
                 "microseconds", one.name);
    }
  });
  judgement.item("weights", [&](ItemJudgement& item) {
    for (int call = 0; call < calls; ++call) {
      const Case one = case_of(inputs, call);
      outcome.require(weights_of(one));
      std::int64_t all = 0;
      for (const std::int64_t part : one.parts) all += part;
      std::vector<double> expected;
      for (const std::int64_t part : one.parts) {
        expected.push_back(
            part == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all));
      }
      item.close(as_tensor(expected, kDouble), outcome.tensor(weights_of(one)), 1e-9,
                 one.name);
    }
  });
}

}  // namespace d2l::check
