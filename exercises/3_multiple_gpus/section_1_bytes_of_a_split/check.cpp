// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// The first two calls have the most layers and GPUs. The second has widths whose bytes
// need more than 32 bits, and more than the 24 of float32: it is a network that takes
// weeks to train.
constexpr int calls = 15;
constexpr int max_layers = 6;
constexpr std::size_t max_cuts = 4;
constexpr int large = 1;

struct Case {
  std::string name;
  Network network;
  std::vector<std::size_t> cuts;
  [[nodiscard]] std::int64_t gpus() const {
    return static_cast<std::int64_t>(cuts.size()) + 1;
  }
};

std::vector<double> numbers_of(const Inputs& inputs, const std::string& name) {
  return inputs.tensor(name).to_vector<double>();
}

Case case_of(const Inputs& inputs, int call) {
  const auto name = "network " + std::to_string(call + 1);
  Case one{name, {{}, inputs.integer(name + " rows")}, {}};
  for (const double width : numbers_of(inputs, name + " widths")) {
    one.network.widths.push_back(static_cast<std::int64_t>(width));
  }
  for (const double cut : numbers_of(inputs, name + " cuts"))
    one.cuts.push_back(static_cast<std::size_t>(cut));
  return one;
}

std::int64_t parameters(const Network& network, std::size_t begin, std::size_t end) {
  std::int64_t count = 0;
  for (std::size_t i = begin; i < end; ++i)
    count += (network.widths[i] + 1) * network.widths[i + 1];
  return count;
}

std::size_t layers(const Network& network) { return network.widths.size() - 1; }

/// The three ways, message by message.
std::int64_t expected_bytes(const Case& one, const std::string& way) {
  const auto& [widths, rows] = one.network;
  std::int64_t bytes = 0;
  if (way == "network") {
    for (const std::size_t cut : one.cuts) {
      for (int direction = 0; direction < 2; ++direction)
        bytes += 4 * rows * widths[cut];
    }
  } else if (way == "layers") {
    for (std::size_t i = 0; i < layers(one.network); i += 2) {
      for (std::int64_t gpu = 1; gpu < one.gpus(); ++gpu) {
        bytes += 4 * rows * widths[i];      // the input
        bytes += 4 * rows * widths[i + 2];  // a part of the output
        bytes += 4 * rows * widths[i + 2];  // the gradient of the output
        if (i > 0) bytes += 4 * rows * widths[i];
      }
    }
  } else {
    bytes = 2 * (one.gpus() - 1) * 4 * parameters(one.network, 0, layers(one.network));
  }
  return bytes;
}

/// The bytes that the GPU with most parameters needs: 16 for each, with its gradient
/// and what Adam keeps.
std::int64_t needed(const Case& one, const std::string& way) {
  const auto all = 16 * parameters(one.network, 0, layers(one.network));
  if (way == "data") return all;
  if (way == "layers") return (all + one.gpus() - 1) / one.gpus();
  std::int64_t most = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= one.cuts.size(); ++i) {
    const std::size_t end = i < one.cuts.size() ? one.cuts[i] : layers(one.network);
    most = std::max(most, 16 * parameters(one.network, begin, end));
    begin = end;
  }
  return most;
}

std::string expected_best(const Case& one, std::int64_t memory) {
  std::vector<std::pair<std::int64_t, std::string>> fitting;
  for (const std::string way : {"data", "layers", "network"}) {
    if (needed(one, way) <= memory) fitting.emplace_back(expected_bytes(one, way), way);
  }
  const auto least =
      std::min_element(fitting.begin(), fitting.end(),
                       [](const auto& a, const auto& b) { return a.first < b.first; });
  return least == fitting.end() ? "none" : least->second;
}

/// Memories in which all, some and none of the ways fit.
std::vector<std::int64_t> memories(const Case& one) {
  std::vector<std::int64_t> all{0};
  for (const char* way : {"network", "layers", "data"}) {
    all.push_back(needed(one, way));
    all.push_back(needed(one, way) - 1);
  }
  return all;
}

}  // namespace

std::vector<Item> items() {
  return {{"network", 2, Kind::result, "the bytes of a network split", 1},
          {"layers", 2, Kind::result, "the bytes of a layer split", 2},
          {"data", 2, Kind::result, "the bytes of a data split", 3},
          {"best", 3, Kind::result,
           "of the ways that fit into memory, the one that sends least", 4}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  for (int call = 0; call < calls; ++call) {
    const auto name = "network " + std::to_string(call + 1);
    const std::int64_t count =
        call <= large ? max_layers : 2 * inputs.draw(1, max_layers / 2);
    std::vector<double> widths;
    for (std::int64_t i = 0; i <= count; ++i) {
      widths.push_back(static_cast<double>(call == large ? inputs.draw(40000, 60000)
                                                         : inputs.draw(1, 40)));
    }
    std::vector<double> cuts;
    for (std::int64_t i = 1; i < count; ++i) {
      if (cuts.size() < max_cuts && (call <= large || inputs.draw(0, 1) == 1 ||
                                     (i + 1 == count && cuts.empty()))) {
        cuts.push_back(static_cast<double>(i));
      }
    }
    std::int64_t rows = call == large ? inputs.draw(60000, 70000)
                                      : inputs.draw(1, call % 2 == 0 ? 10 : 200);
    if (call >= calls - 4) {
      // Three networks for which two ways send equally many bytes: the first two, the
      // last two, the first and the last. In the fourth, a third of the bytes is not a
      // whole number.
      const double out = widths[0];
      const std::vector<std::vector<double>> networks{
          {2, 3, 2}, {2, 5, 2}, {out, 1, out + 1}, {3, 1, 1, 1, 1}};
      const std::vector<std::int64_t> all_rows{
          1, 9, static_cast<std::int64_t>(3 * out + 3), 5};
      const auto which = static_cast<std::size_t>(call - (calls - 4));
      widths = networks[which];
      rows = all_rows[which];
      cuts = {1};
      if (which == 3) cuts.push_back(2);
    }
    inputs.put(
        name + " widths",
        from_blob(widths.data(), {static_cast<std::int64_t>(widths.size())}, kDouble)
            .clone());
    inputs.put(name + " cuts",
               from_blob(cuts.data(), {static_cast<std::int64_t>(cuts.size())}, kDouble)
                   .clone());
    inputs.put(name + " rows", rows);
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int call = 0; call < calls; ++call) {
    const Case one = case_of(inputs, call);
    const auto put = [&](const std::string& way,
                         const std::function<std::int64_t()>& count) {
      outcome.attempt(one.name + " " + way,
                      [&] { outcome.put(one.name + " " + way, count()); });
    };
    put("network", [&] { return network_split(one.network, one.cuts); });
    put("layers", [&] { return layer_split(one.network, one.gpus()); });
    put("data", [&] { return data_split(one.network, one.gpus()); });
    for (const std::int64_t memory : memories(one)) {
      const auto name = one.name + " with " + std::to_string(memory) + " bytes";
      outcome.attempt(name,
                      [&] { outcome.put(name, best(one.network, one.cuts, memory)); });
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  for (const std::string way : {"network", "layers", "data"}) {
    judgement.item(way, [&](ItemJudgement& item) {
      for (int call = 0; call < calls; ++call) {
        const Case one = case_of(inputs, call);
        outcome.require(one.name + " " + way);
        item.equal(
            expected_bytes(one, way), outcome.integer(one.name + " " + way), "bytes",
            one.name + ": widths " + repr(one.network.widths) + ", " +
                counted(one.network.rows, "rows") + ", " + counted(one.gpus(), "GPUs"));
      }
    });
  }
  judgement.item("best", [&](ItemJudgement& item) {
    for (int call = 0; call < calls; ++call) {
      const Case one = case_of(inputs, call);
      for (const std::int64_t memory : memories(one)) {
        const auto name = one.name + " with " + std::to_string(memory) + " bytes";
        outcome.require(name);
        item.expect(outcome.text(name) == expected_best(one, memory),
                    "\"" + expected_best(one, memory) + "\"",
                    "\"" + outcome.text(name) + "\"", name);
      }
    }
  });
}

}  // namespace d2l::check
