// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <functional>

#include "d2l/kernel_checks.h"
#include "exercise.h"

namespace d2l::check {
namespace {

constexpr std::array<const char*, 5> sizes{"a fit", "small", "awkward", "larger",
                                           "many"};
/// The number of calls with a size; each launch runs its threads in another order.
int rounds_of(const std::string& size) { return size == sizes[4] ? 1 : 3; }
constexpr std::array<const char*, 6> kinds{
    "unknown", "out_of_bounds", "misaligned", "uninitialised", "race", "divergent"};
constexpr std::array bugs{Bug::out_of_bounds, Bug::uninitialised, Bug::race,
                          Bug::divergent, Bug::misaligned};

/// A function, with the names of its item and of its kind of input.
struct Function {
  const char* item;
  const char* name;
  const char* input;
  std::function<Tensor(const Tensor& first, const Inputs& inputs,
                       const std::string& size)>
      expected;
};

Tensor reversed_on_host(const Tensor& x) {
  auto values = x.to_vector<float>();
  for (auto row = values.begin(); row != values.end(); row += x.size(1))
    std::reverse(row, row + x.size(1));
  return tensor(values).reshape(x.sizes());
}

Tensor smoothed_on_host(const Tensor& x) {
  const auto values = x.to_vector<double>();
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double next = values[std::min(i + 1, values.size() - 1)];
    result.push_back((values[i == 0 ? 0 : i - 1] + values[i] + next) / 3);
  }
  return tensor(result, kFloat);
}

Tensor counted_on_host(const Tensor& classes, std::int64_t bins) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(bins));
  for (const std::int64_t value : classes.to_vector<std::int64_t>())
    ++counts[static_cast<std::size_t>(value)];
  return tensor(counts);
}

Tensor largest_on_host(const Tensor& x) {
  const auto values = x.to_vector<float>();
  std::vector<float> result;
  for (auto row = values.begin(); row != values.end(); row += x.size(1)) {
    result.push_back(*std::max_element(row, row + x.size(1)));
  }
  return tensor(result);
}

Tensor scaled_on_host(const Tensor& x, const Tensor& factors) {
  auto values = x.to_vector<float>();
  const auto by = factors.to_vector<float>();
  const auto columns = static_cast<std::size_t>(x.size(1));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= by[i / columns];
  return tensor(values).reshape(x.sizes());
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all{
      {"reversed", "rows_reversed()", "matrix",
       [](const Tensor& x, auto&&...) { return reversed_on_host(x); }},
      {"smoothed", "smoothed()", "signal",
       [](const Tensor& x, auto&&...) { return smoothed_on_host(x); }},
      {"counts", "counts_of()", "classes",
       [](const Tensor& classes, const Inputs& inputs, const std::string& size) {
         return counted_on_host(classes, inputs.integer(size + " bins"));
       }},
      {"largest", "largest_of_rows()", "matrix",
       [](const Tensor& x, auto&&...) { return largest_on_host(x); }},
      {"scaled", "rows_scaled()", "matrix",
       [](const Tensor& x, const Inputs& inputs, const std::string& size) {
         return scaled_on_host(x, inputs.tensor(size + " factors"));
       }}};
  return all;
}

/// Calls what the student repaired.
Tensor call(const Function& function, const Tensor& first, const Tensor& factors,
            const Inputs& inputs, const std::string& size) {
  const std::string_view item = function.item;
  if (item == "reversed") return rows_reversed(first);
  if (item == "smoothed") return smoothed(first);
  if (item == "counts") return ::counts_of(first, inputs.integer(size + " bins"));
  if (item == "largest") return largest_of_rows(first);
  return rows_scaled(first, factors);
}

std::string name_of(const Function& function, const std::string& size) {
  return function.name + (", " + size);
}
std::string input_of(const Function& function, const std::string& size) {
  return size + " " + function.input;
}
std::string call_of(const std::string& name, int round) {
  return name + ", call " + std::to_string(round);
}

}  // namespace

std::vector<Item> items() {
  std::vector<Item> items{{"kinds", 2, Kind::result, "kinds_of_bugs() is correct", 1}};
  for (const Function& function : functions()) {
    // Not of the kind result, because the reports come from the student's process.
    items.push_back(
        {function.item, 1, Kind::cost,
         function.name +
             std::string(
                 " is correct in every order of the threads, and nothing is reported"),
         function.item == std::string("reversed") ? 1 : 2});
  }
  items.push_back({"placed", 1, Kind::placement,
                   "the results are on the device of the first argument", 3});
  items.push_back({"launches", 1, Kind::cost, "each function launches one kernel", 3});
  return items;
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto put = [&](const std::string& size, std::int64_t rows, std::int64_t columns,
                       std::int64_t n, std::int64_t bins) {
    Tensor matrix = randn({rows, columns}) - 1;
    // The largest is the first one that a second step of a warp reads, the last of the
    // row, or anywhere.
    matrix[0][std::min<std::int64_t>(32, columns - 1)] = 5;
    if (rows > 1) matrix[1][columns - 1] = 5;
    inputs.put(size + " matrix", matrix);
    inputs.put(size + " factors", rand({rows}) + 0.5);
    inputs.put(size + " signal", randn({n}));
    std::vector<std::int64_t> classes(static_cast<std::size_t>(n));
    for (std::int64_t& value : classes) value = inputs.draw(0, bins - 1);
    inputs.put(size + " classes", tensor(classes));
    inputs.put(size + " bins", bins);
  };
  put(sizes[0], inputs.draw(1, 3), 64, 128, inputs.draw(2, 10));
  put(sizes[1], inputs.draw(2, 4), inputs.draw(1, 31), inputs.draw(1, 100), 1);
  put(sizes[2], inputs.draw(3, 5), 4 * inputs.draw(9, 30) + inputs.draw(1, 3),
      128 * inputs.draw(2, 4) + 1, inputs.draw(129, 200));
  put(sizes[3], inputs.draw(2, 3), inputs.draw(900, 1024), inputs.draw(1300, 1400),
      1024);
  // More than 1024 rows, more than 1024 blocks of 128 threads, and a class of more than
  // 65536 elements.
  put(sizes[4], 1025 + inputs.draw(1, 50), inputs.draw(3, 5),
      std::int64_t{128} * 1025 + inputs.draw(1, 100), 2);
  // All elements are far below 0: an idle thread must not count as 0, or as any other
  // number.
  inputs.put("small matrix", inputs.tensor("small matrix") * 1e30 - 2e31);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const auto told = kinds_of_bugs();
  for (std::size_t i = 0; i < told.size(); ++i) {
    outcome.put("kind " + std::to_string(i), static_cast<std::int64_t>(told[i]));
  }
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  const bool emulated =
      device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  for (const Function& function : functions()) {
    for (const std::string size : sizes) {
      const std::string name = name_of(function, size);
      const Tensor first = inputs.tensor(input_of(function, size)).to(last_device());
      const Tensor factors = inputs.tensor(size + " factors").to(last_device());
      std::vector<Tensor> results;
      // The reports are kept apart from the errors of the device, so that one wrong
      // kernel does not hide the others.
      std::string reports;
      const auto calls = [&] {
        for (int round = 0; round < rounds_of(size); ++round)
          results.push_back(call(function, first, factors, inputs, size));
      };
      const bool has_returned = outcome.attempt(name, [&] {
        if (emulated) {
          reports = check_kernels(calls);
        } else {
          calls();
        }
      });
      outcome.put(name + ": report", reports.substr(0, reports.find('\n')));
      for (std::size_t round = 0; has_returned && round < results.size(); ++round) {
        returned.keep(call_of(name, static_cast<int>(round) + 1), results[round],
                      {{name + ": argument afterwards", first},
                       {name + ": factors afterwards", factors}});
      }
    }
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("kinds", [&](ItemJudgement& item) {
    for (std::size_t i = 0; i < bugs.size(); ++i) {
      const auto told =
          static_cast<std::size_t>(outcome.integer("kind " + std::to_string(i)));
      item.expect(told == static_cast<std::size_t>(bugs[i]), "the kind of its bug",
                  told < kinds.size() ? kinds[told] : "no kind", functions()[i].name);
    }
  });
  for (const Function& function : functions()) {
    judgement.item(function.item, [&](ItemJudgement& item) {
      if (item.lacks_gpus(1)) return;
      for (const std::string size : sizes) {
        const std::string name = name_of(function, size);
        outcome.require(name);
        const std::string& report = outcome.text(name + ": report");
        item.expect(report.empty(), "no report", report, name);
        const Tensor first = inputs.tensor(input_of(function, size));
        const Tensor expected = function.expected(first, inputs, size);
        for (int round = 1; round <= rounds_of(size); ++round) {
          item.close(expected, outcome.tensor(call_of(name, round)), 1e-6,
                     call_of(name, round), 1);
        }
        item.close(first, outcome.tensor(name + ": argument afterwards"), 0,
                   name + ": the argument, afterwards");
        item.close(inputs.tensor(size + " factors"),
                   outcome.tensor(name + ": factors afterwards"), 0,
                   name + ": the factors, afterwards");
      }
    });
  }
  judgement.item("placed", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const Function& function : functions()) {
      for (const char* const size : sizes) {
        outcome.require(name_of(function, size));
        item.placed(outcome, call_of(name_of(function, size), 1), last_device());
      }
    }
  });
  judgement.item("launches", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const Function& function : functions()) {
      for (const char* const size : sizes) {
        const std::string name = name_of(function, size);
        if (item.lacks_counts(outcome, name)) return;
        const Recording& recording = outcome.recording(name);
        item.equal(rounds_of(size),
                   static_cast<std::int64_t>(recording.kernels().size()),
                   "launches of kernels in " + counted(rounds_of(size), "calls"), name);
        item.equal(0, recording.operations(), "operations of the library", name);
      }
    }
  });
}

}  // namespace d2l::check
