// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <string_view>
#include <utility>

#include "d2l/kernel_checks.h"
#include "exercise.h"

namespace d2l::check {
namespace {

constexpr std::int64_t part = 256;

/// A function, by the name of its item, and the barriers that a block of its kernel may
/// execute.
struct Function {
  std::string_view item;
  std::int64_t max_barriers;
};
constexpr Function functions[] = {{"differences", 1}, {"from_first", 1}, {"sums", 9}};
constexpr const char* inputs_of_calls[] = {"one element", "a short part", "two parts",
                                           "a part and a short one",
                                           "more than 1024 parts"};
constexpr const char* max_parts = inputs_of_calls[4];
/// The number of calls with an input; each launch runs its threads in another order.
int rounds_of(const std::string& input) { return input == max_parts ? 1 : 4; }

std::string name_of(const Function& function, const char* input) {
  return std::string(function.item) + ", " + input;
}

Tensor expected_of(const Function& function, const Tensor& x) {
  const auto values = x.to_vector<float>();
  std::vector<float> expected;
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool first = i % part == 0;
    if (function.item == "differences")
      expected.push_back(first ? 0.0f : values[i] - values[i - 1]);
    if (function.item == "from_first")
      expected.push_back(values[i] - values[i / part * part]);
    if (function.item != "sums") continue;
    sum = (first ? 0 : sum) + values[i];
    if (first) expected.emplace_back();
    expected.back() = static_cast<float>(sum);
  }
  return tensor(expected);
}

/// Calls what the student repaired.
Tensor call(const Function& function, const Tensor& x) {
  if (function.item == "differences") return differences(x);
  if (function.item == "from_first") return from_first(x);
  return sums_of_parts(x);
}

/// Judges the counts of each call.
void judge_counts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::function<void(const KernelCounts&, const Function&,
                                           const char* input)>& judge) {
  for (const Function& function : functions) {
    for (const char* const input : inputs_of_calls) {
      const std::string name = name_of(function, input);
      if (item.lacks_counts(outcome, name)) return;
      const auto kernels = outcome.recording(name).kernels();
      const int rounds = rounds_of(input);
      item.equal(rounds, static_cast<std::int64_t>(kernels.size()),
                 "launches in " + counted(rounds, "calls"), name);
      item.equal(0, outcome.recording(name).operations(), "operations of the library",
                 name);
      for (const KernelRun& run : kernels) {
        // An element that is alone in its part need not be read for its differences.
        item.at_least(4 * (inputs.tensor(input).numel() - 1),
                      static_cast<std::int64_t>(run.counts.load_bytes),
                      "bytes loaded from global memory", name);
        judge(run.counts, function, input);
      }
    }
  }
}

}  // namespace

std::vector<Item> items() {
  // Not of the kind result, because the reports come from the student's process.
  return {
      {"differences", 2, Kind::cost,
       "differences() is correct in every order of the threads, and nothing is "
       "reported",
       1},
      {"from_first", 2, Kind::cost,
       "from_first() is correct in every order of the threads, and nothing is reported",
       2},
      {"sums", 2, Kind::cost,
       "sums_of_parts() is correct in every order of the threads, and nothing is "
       "reported",
       3},
      {"placed", 1, Kind::placement, "the results are on the device of x", 1},
      {"barriers", 1, Kind::cost, "at most 1, 1 and 9 barriers per block", 3},
      {"reads", 1, Kind::cost, "one launch each, which reads each element once", 1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  inputs.put("one element", rand({1}) + 1);
  inputs.put("a part and a short one", rand({part + inputs.draw(1, 200)}) + 1);
  // Multiples of 1/8 of either sign, whose sums and differences are exact.
  const auto eighths = [&](std::int64_t n) {
    Tensor x = zeros({n});
    for (std::int64_t i = 0; i < n; ++i)
      x.data_ptr<float>()[i] = static_cast<float>(inputs.draw(-8000, 8000)) / 8;
    return x;
  };
  inputs.put("a short part", eighths(inputs.draw(33, 250)));
  inputs.put("two parts", eighths(2 * part));
  inputs.put(max_parts, eighths(1025 * part + inputs.draw(1, 200)));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  Returned returned(outcome);
  const bool emulated =
      device_properties(gpu(0)).kind == DeviceKind::virtual_gpu_on_host;
  for (const Function& function : functions) {
    for (const char* const input : inputs_of_calls) {
      const std::string name = name_of(function, input);
      const Tensor x = inputs.tensor(input).to(last_device());
      std::vector<Tensor> results;
      // The reports are kept apart from the errors of the device, so that one wrong
      // kernel does not hide the others.
      std::string reports;
      const auto calls = [&] {
        for (int round = 0; round < rounds_of(input); ++round)
          results.push_back(call(function, x));
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
        returned.keep(name + ", call " + std::to_string(round + 1), results[round],
                      {{name + ": x afterwards", x}});
      }
    }
  }
  returned.store_again();
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  for (const Function& function : functions) {
    judgement.item(std::string(function.item), [&](ItemJudgement& item) {
      for (const char* const input : inputs_of_calls) {
        const std::string name = name_of(function, input);
        outcome.require(name);
        const std::string& report = outcome.text(name + ": report");
        item.expect(report.empty(), "no report", report, name);
        const Tensor x = inputs.tensor(input);
        for (int round = 1; round <= rounds_of(input); ++round) {
          const std::string call = name + ", call " + std::to_string(round);
          const double tolerance = function.item == "sums" ? 1e-5 : 1e-6;
          item.close(expected_of(function, x), outcome.tensor(call), tolerance, call);
        }
        item.close(x, outcome.tensor(name + ": x afterwards"), 0,
                   name + ": x, afterwards");
      }
    });
  }
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const Function& function : functions) {
      for (const char* const input : inputs_of_calls) {
        const std::string name = name_of(function, input);
        outcome.require(name);
        item.placed(outcome, name + ", call 1", last_device());
      }
    }
  });
  judgement.item("barriers", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelCounts& counts, const Function& function, const char* input) {
          item.at_most(function.max_barriers * static_cast<std::int64_t>(counts.blocks),
                       static_cast<std::int64_t>(counts.barriers), "barriers",
                       name_of(function, input));
        });
  });
  judgement.item("reads", [&](ItemJudgement& item) {
    judge_counts(
        item, inputs, outcome,
        [&](const KernelCounts& counts, const Function& function, const char* input) {
          item.at_most(4 * inputs.tensor(input).numel(),
                       static_cast<std::int64_t>(counts.load_bytes),
                       "bytes loaded from global memory", name_of(function, input));
          const auto atomics = static_cast<std::int64_t>(counts.atomics);
          item.at_most(0, atomics - static_cast<std::int64_t>(counts.shared_atomics),
                       "atomic operations on global memory", name_of(function, input));
          if (inputs.tensor(input).numel() == 1) return;
          item.expect(counts.shared_requests + counts.shared_atomics > 0,
                      "accesses to shared memory", "none", name_of(function, input));
        });
  });
}

}  // namespace d2l::check
