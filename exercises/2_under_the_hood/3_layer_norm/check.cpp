// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <cmath>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* cases[] = {"1 column",      "31 columns",    "32 columns",
                                 "33 columns",    "1000 columns",  "1024 columns",
                                 "small numbers", "constant rows", "one row",
                                 "many rows",     "no rows"};
constexpr const char* far_from_zero = "a large mean";
constexpr const char* expanded = "the gradient of a sum";
constexpr const char* only_x = "weight and bias without gradient";
constexpr const char* only_parameters = "x without gradient";
constexpr const char* only_weight = "x and bias without gradient";
constexpr const char* only_bias = "x and weight without gradient";
constexpr const char* earlier = "the earlier of two results";
constexpr const char* later = "the later of two results";
constexpr const char* written = "a write before backward()";

struct Expected {
  Tensor result;
  Tensor x;
  Tensor weight;
  Tensor bias;
};

/// The result and the gradients in float64.
Expected expected_of(const Inputs& inputs, const std::string& name,
                     bool all_ones = false) {
  const auto rows = static_cast<std::size_t>(inputs.tensor(name).size(0));
  const auto columns = static_cast<std::size_t>(inputs.tensor(name).size(1));
  const auto x = inputs.tensor(name).to_vector<double>();
  const auto weight = inputs.tensor(name + ": weight").to_vector<double>();
  const auto bias = inputs.tensor(name + ": bias").to_vector<double>();
  auto g = inputs.tensor(name + ": g").to_vector<double>();
  if (all_ones) g.assign(g.size(), 1);
  std::vector<double> result(x.size());
  std::vector<double> of_x(x.size());
  std::vector<double> of_weight(columns);
  std::vector<double> of_bias(columns);
  const auto n = static_cast<double>(columns);
  for (std::size_t begin = 0; begin < rows * columns; begin += columns) {
    double mean = 0;
    double variance = 0;
    for (std::size_t i = 0; i < columns; ++i) mean += x[begin + i] / n;
    for (std::size_t i = 0; i < columns; ++i)
      variance += (x[begin + i] - mean) * (x[begin + i] - mean) / n;
    const double deviation = std::sqrt(variance + inputs.number(name + ": eps"));
    const auto normal = [&](std::size_t i) {
      return (x[begin + i] - mean) / deviation;
    };
    double slopes = 0;
    double products = 0;
    for (std::size_t i = 0; i < columns; ++i) {
      const double slope = g[begin + i] * weight[i];
      result[begin + i] = normal(i) * weight[i] + bias[i];
      slopes += slope / n;
      products += slope * normal(i) / n;
      of_weight[i] += g[begin + i] * normal(i);
      of_bias[i] += g[begin + i];
    }
    for (std::size_t i = 0; i < columns; ++i) {
      of_x[begin + i] =
          (g[begin + i] * weight[i] - slopes - normal(i) * products) / deviation;
    }
  }
  const auto made = [](const std::vector<double>& values, const Tensor& like) {
    return tensor(values, kFloat).reshape(like.sizes());
  };
  const Tensor matrix = inputs.tensor(name);
  const Tensor row = inputs.tensor(name + ": weight");
  return {made(result, matrix), made(of_x, matrix), made(of_weight, row),
          made(of_bias, row)};
}

/// Compares, relative to the largest number, or to 1 if that is smaller.
void close(ItemJudgement& item, const Tensor& expected, const Tensor& found,
           double tolerance, const std::string& where) {
  item.close(expected, found, tolerance, where, 1);
}

struct Arguments {
  Tensor x;
  Tensor weight;
  Tensor bias;
};

/// Which of the arguments need a gradient.
struct Needs {
  bool x = true;
  bool weight = true;
  bool bias = true;
};

constexpr Needs needs_weight{.x = false, .bias = false};
constexpr Needs needs_bias{.x = false, .weight = false};

Arguments arguments(const Inputs& inputs, const std::string& name,
                    const Needs& need = {}) {
  const auto copy = [&](const std::string& of, bool needs) {
    return inputs.tensor(of).to(last_device()).detach().requires_grad_(needs);
  };
  return {copy(name, need.x), copy(name + ": weight", need.weight),
          copy(name + ": bias", need.bias)};
}

std::string backward_of(const std::string& name) { return name + ", backward"; }

void put_gradients(Outcome& outcome, const std::string& name, const Arguments& given) {
  if (given.x.grad().defined())
    outcome.result(name + ": gradient of x", given.x.grad());
  if (given.weight.grad().defined())
    outcome.result(name + ": gradient of weight", given.weight.grad());
  if (given.bias.grad().defined())
    outcome.result(name + ": gradient of bias", given.bias.grad());
}

/// Stores the arguments as they are after a call, and the gradient of its result if
/// there is one.
void put_arguments(Outcome& outcome, const std::string& name, const Arguments& given,
                   const Tensor& g) {
  outcome.put(name + ": x afterwards", given.x);
  outcome.put(name + ": weight afterwards", given.weight);
  outcome.put(name + ": bias afterwards", given.bias);
  if (g.defined()) outcome.put(name + ": g afterwards", g);
}

/// Computes a case, forward and backward, with the inputs of `source`.
void run_case(const Inputs& inputs, Outcome& outcome, const std::string& name,
              const std::string& source, const Needs& need = {}) {
  const Arguments given = arguments(inputs, source, need);
  const Tensor g = inputs.tensor(source + ": g").to(last_device());
  Tensor result;
  if (!outcome.attempt(name, [&] {
        result = ::layer_norm(given.x, given.weight, given.bias,
                              inputs.number(source + ": eps"));
      })) {
    return;
  }
  outcome.result(name, result.detach());
  const Tensor loss = name == expanded ? result.sum() : Tensor();
  if (!outcome.attempt(backward_of(name),
                       [&] { loss.defined() ? loss.backward() : result.backward(g); }))
    return;
  put_gradients(outcome, name, given);
  put_arguments(outcome, name, given, g);
}

/// Computes two results of the same sizes before the gradients of both.
void run_two(const Inputs& inputs, Outcome& outcome) {
  struct Call {
    const char* name;
    const char* source;
    Arguments given;
    Tensor result;
  };
  std::vector<Call> calls{{earlier, cases[1], arguments(inputs, cases[1]), {}},
                          {later, later, arguments(inputs, later), {}}};
  for (Call& call : calls) {
    const bool has_returned = outcome.attempt(call.name, [&] {
      const Arguments& given = call.given;
      call.result = ::layer_norm(given.x, given.weight, given.bias,
                                 inputs.number(std::string(call.source) + ": eps"));
    });
    if (!has_returned || !call.result.defined()) return;
  }
  for (Call& call : calls) outcome.result(call.name, call.result.detach());
  for (Call& call : calls) {
    const Tensor g = inputs.tensor(std::string(call.source) + ": g").to(last_device());
    if (!outcome.attempt(backward_of(call.name), [&] { call.result.backward(g); }))
      return;
    put_gradients(outcome, call.name, call.given);
  }
  // This changes every argument that shares memory with a result.
  for (Call& call : calls) call.result.detach().fill_(77);
  for (Call& call : calls) put_arguments(outcome, call.name, call.given, Tensor());
}

/// Writes to x between forward and backward.
void run_written(const Inputs& inputs, Outcome& outcome) {
  const std::string source = cases[1];
  const Arguments given = arguments(inputs, source);
  outcome.attempt(written, [&] {
    Tensor x = given.x * 1;
    const Tensor result =
        ::layer_norm(x, given.weight, given.bias, inputs.number(source + ": eps"));
    x.mul_(2);
    try {
      result.backward(inputs.tensor(source + ": g").to(last_device()));
    } catch (const ValueError& error) {
      outcome.put(std::string(written) + ": error", error.what());
    }
  });
  put_gradients(outcome, written, given);
}

void judge_input(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 const std::string& name, const std::string& source) {
  outcome.require(backward_of(name));
  const std::string what = name + ": gradient of x";
  close(item, expected_of(inputs, source, name == expanded).x, outcome.tensor(what),
        1e-4, what);
}

void judge_parameters(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                      const std::string& name, const std::string& source,
                      const Needs& need = {}) {
  outcome.require(backward_of(name));
  const Expected expected = expected_of(inputs, source, name == expanded);
  const auto judge_one = [&](const Tensor& right, const std::string& what) {
    close(item, right, outcome.tensor(what), 1e-4, what);
  };
  if (need.weight) judge_one(expected.weight, name + ": gradient of weight");
  if (need.bias) judge_one(expected.bias, name + ": gradient of bias");
}

/// Expects that the arguments of a call equal the inputs of `source`.
void judge_arguments(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                     const std::string& name, const std::string& source) {
  for (const auto& [of, which] :
       {std::pair("", ": x"), std::pair(": weight", ": weight"),
        std::pair(": bias", ": bias")}) {
    item.close(inputs.tensor(source + of), outcome.tensor(name + which + " afterwards"),
               0, name + which + ", afterwards");
  }
}

std::int64_t loaded(const Recording& recording) {
  std::uint64_t bytes = 0;
  for (const KernelRun& kernel : recording.kernels()) bytes += kernel.counts.load_bytes;
  return static_cast<std::int64_t>(bytes);
}

void put_case(Inputs& inputs, const std::string& name, const Tensor& x) {
  const std::int64_t columns = x.size(1);
  inputs.put(name, x);
  inputs.put(name + ": weight", randn({columns}) + 0.5);
  inputs.put(name + ": bias", randn({columns}));
  inputs.put(name + ": g", randn(x.sizes()));
  constexpr double choices[] = {1e-5, 1e-3, 0.1, 1};
  inputs.put(name + ": eps", choices[inputs.draw(0, 3)]);
}

}  // namespace

std::vector<Item> items() {
  // "saved" is not of the kind result, because the error comes from the student's
  // process.
  return {
      {"values", 2, Kind::result, "the result is correct, and no argument changes", 1},
      {"large", 1, Kind::result, "the result is correct if the mean is large", 1},
      {"input", 2, Kind::result, "the gradient of x is correct", 2},
      {"parameters", 1, Kind::result, "the gradients of weight and bias are correct",
       3},
      {"saved", 1, Kind::cost,
       "a write to x before backward() is an error, or changes no gradient", 2},
      {"placement", 1, Kind::placement,
       "the result and the gradients are on the device of x", 1},
      {"launches", 1, Kind::cost,
       "one kernel forward, whose threads share many rows, and at most two backward",
       1},
      {"loads", 2, Kind::cost,
       "at most 3 floats per element are loaded forward, and at most 9 backward", 2},
      {"atomics", 1, Kind::cost, "no atomic operations", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const std::int64_t columns : {1, 31, 32, 33}) {
    const Tensor x = randn({inputs.draw(3, 7), columns}) * 2 + 1;
    put_case(inputs, std::to_string(columns) + (columns == 1 ? " column" : " columns"),
             x);
  }
  put_case(inputs, "1000 columns", randn({inputs.draw(3, 5), 1000}) * 2 + 1);
  put_case(inputs, "1024 columns", randn({2, 1024}) - 3);
  put_case(inputs, "small numbers",
           randn({inputs.draw(40, 50), inputs.draw(40, 60)}) * 0.05);
  put_case(inputs, "constant rows",
           tensor({{0.25f}, {-0.375f}, {0.f}})
               .expand({3, inputs.draw(34, 70)})
               .contiguous());
  put_case(inputs, "one row", randn({1, inputs.draw(34, 70)}));
  put_case(inputs, "no rows", zeros({0, 33}));
  put_case(inputs, "many rows", randn({inputs.draw(1030, 1060), 9}) + 1);
  // What was kept from the earlier call is wrong here.
  put_case(inputs, later, randn(inputs.tensor(cases[1]).sizes()));
  put_case(inputs, far_from_zero, randn({4, inputs.draw(500, 1000)}) + 3000);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  if (num_gpus() == 0) return;
  for (const char* const name : cases) run_case(inputs, outcome, name, name);
  run_case(inputs, outcome, far_from_zero, far_from_zero);
  run_two(inputs, outcome);
  run_case(inputs, outcome, only_x, cases[1], {.weight = false, .bias = false});
  run_case(inputs, outcome, only_parameters, cases[1], {.x = false});
  run_case(inputs, outcome, only_weight, cases[1], needs_weight);
  run_case(inputs, outcome, only_bias, cases[1], needs_bias);
  run_written(inputs, outcome);
  // Last: a kernel that reads beyond the gradient loses the device.
  run_case(inputs, outcome, expanded, cases[3]);
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_item = [&](const char* name, const auto& work) {
    judgement.item(name, [&](ItemJudgement& item) {
      if (!item.lacks_gpus(1)) work(item);
    });
  };
  judge_item("values", [&](ItemJudgement& item) {
    for (const char* const name : cases) {
      outcome.require(name);
      close(item, expected_of(inputs, name).result, outcome.tensor(name), 1e-4, name);
      if (!outcome.recording_or_error(backward_of(name)).error.empty())
        continue;  // the other items say so
      judge_arguments(item, inputs, outcome, name, name);
      item.close(inputs.tensor(std::string(name) + ": g"),
                 outcome.tensor(std::string(name) + ": g afterwards"), 0,
                 std::string(name) + ": g, afterwards");
    }
    for (const auto& [name, source] :
         {std::pair(earlier, cases[1]), std::pair(later, later)}) {
      outcome.require(name);
      close(item, expected_of(inputs, source).result, outcome.tensor(name), 1e-4, name);
      if (!outcome.recording_or_error(backward_of(name)).error.empty()) continue;
      judge_arguments(item, inputs, outcome, name, source);
    }
  });
  judge_item("large", [&](ItemJudgement& item) {
    outcome.require(far_from_zero);
    close(item, expected_of(inputs, far_from_zero).result,
          outcome.tensor(far_from_zero), 5e-3, far_from_zero);
  });
  judge_item("input", [&](ItemJudgement& item) {
    for (const char* const name : cases) judge_input(item, inputs, outcome, name, name);
    judge_input(item, inputs, outcome, expanded, cases[3]);
    judge_input(item, inputs, outcome, only_x, cases[1]);
    judge_input(item, inputs, outcome, earlier, cases[1]);
    judge_input(item, inputs, outcome, later, later);
  });
  judge_item("parameters", [&](ItemJudgement& item) {
    for (const char* const name : cases)
      judge_parameters(item, inputs, outcome, name, name);
    judge_parameters(item, inputs, outcome, expanded, cases[3]);
    judge_parameters(item, inputs, outcome, only_parameters, cases[1]);
    judge_parameters(item, inputs, outcome, earlier, cases[1]);
    judge_parameters(item, inputs, outcome, later, later);
    judge_parameters(item, inputs, outcome, only_weight, cases[1], needs_weight);
    judge_parameters(item, inputs, outcome, only_bias, cases[1], needs_bias);
  });
  judge_item("saved", [&](ItemJudgement& item) {
    outcome.require(written);
    judge_input(item, inputs, outcome, cases[1], cases[1]);  // without a write
    const std::string error = std::string(written) + ": error";
    if (outcome.contains(error)) {
      item.expect(outcome.text(error).find("modified by an inplace operation") !=
                      std::string::npos,
                  "the error of a write in place", outcome.text(error), written);
      return;
    }
    const Expected expected = expected_of(inputs, cases[1]);
    for (const auto& [of, right] : {std::pair(": gradient of x", expected.x),
                                    std::pair(": gradient of weight", expected.weight),
                                    std::pair(": gradient of bias", expected.bias)}) {
      const std::string what = std::string(written) + of;
      close(item, right, outcome.tensor(what), 1e-4, what);
    }
  });
  judge_item("placement", [&](ItemJudgement& item) {
    for (const char* const name : cases) {
      item.placed(outcome, name, last_device());
      for (const char* const of :
           {": gradient of x", ": gradient of weight", ": gradient of bias"}) {
        item.placed(outcome, name + std::string(of), last_device());
      }
    }
  });
  judge_item("launches", [&](ItemJudgement& item) {
    for (const std::string name : {"31 columns", "1000 columns", expanded}) {
      if (item.lacks_counts(outcome, name)) return;
      const Recording& forward = outcome.recording(name);
      const Recording& backward = outcome.recording(backward_of(name));
      const auto kernels = static_cast<std::int64_t>(forward.kernels().size());
      const auto backward_kernels =
          static_cast<std::int64_t>(backward.kernels().size());
      item.equal(1, kernels, "launches of a kernel forward", name);
      item.at_most(3, forward.launches() - kernels, "other launches forward", name);
      for (const Recording* const recording : {&forward, &backward}) {
        item.equal(0, recording->operations() - recording->copies_within(),
                   "operations of the library", name);
      }
      item.expect(backward_kernels >= 1, "a kernel backward", "no kernel", name);
      item.at_most(2, backward_kernels, "launches of a kernel backward", name);
      item.at_most(6, backward.launches() - backward_kernels, "other launches backward",
                   name);
      item.equal(0, forward.copies() + backward.copies(), "copies between devices",
                 name);
    }
    if (item.lacks_counts(outcome, "many rows")) return;
    for (const KernelRun& run : outcome.recording("many rows").kernels())
      item.spread(run.counts, "many rows");
  });
  judge_item("loads", [&](ItemJudgement& item) {
    for (const std::string name : {"1000 columns", "1024 columns"}) {
      if (item.lacks_counts(outcome, name)) return;
      const std::int64_t bytes = 4 * inputs.tensor(name).numel();
      item.at_least(bytes, loaded(outcome.recording(name)), "bytes loaded forward",
                    name);
      item.at_least(bytes, loaded(outcome.recording(backward_of(name))),
                    "bytes loaded backward", name);
      item.at_most(3 * bytes, loaded(outcome.recording(name)), "bytes loaded forward",
                   name);
      item.at_most(9 * bytes, loaded(outcome.recording(backward_of(name))),
                   "bytes loaded backward", name);
    }
  });
  judge_item("atomics", [&](ItemJudgement& item) {
    for (const char* const name : cases) {
      if (inputs.tensor(name).numel() == 0) continue;
      if (item.lacks_counts(outcome, name)) return;
      std::uint64_t atomics = 0;
      for (const std::string& part : {std::string(name), backward_of(name)}) {
        const auto kernels = outcome.recording(part).kernels();
        item.expect(!kernels.empty(), "a kernel", "no kernel", part);
        item.at_least(4 * inputs.tensor(name).numel(), loaded(outcome.recording(part)),
                      "bytes loaded", part);
        for (const KernelRun& kernel : kernels) atomics += kernel.counts.atomics;
      }
      item.equal(0, static_cast<std::int64_t>(atomics), "atomic operations", name);
    }
  });
}

}  // namespace d2l::check
