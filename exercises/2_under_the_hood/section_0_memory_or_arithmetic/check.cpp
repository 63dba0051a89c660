// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <array>
#include <string>
#include <utility>

#include "exercise.h"

namespace d2l::check {
namespace {

/// One prediction: an operation on a card. The names of the cases are "case 0", "case
/// 1", …
struct Case {
  Operation operation;
  std::string card;             ///< its name in cards()
  double bandwidth_factor = 1;  ///< the card's bandwidth is multiplied by this
  double peak_factor = 1;       ///< and its peaks by this
  double reached = 0.8;  ///< what the card has as `reached`, which must not count
};

constexpr std::array kind_names{"add", "add_row", "row_sums", "log_softmax", "product"};

std::string of(std::size_t index, const char* what) {
  return "case " + std::to_string(index) + ": " + what;
}

void put(Inputs& inputs, std::size_t index, const Case& each) {
  const auto& [kind, rows, columns, result_columns, dtype] = each.operation;
  inputs.put(of(index, "kind"), static_cast<std::int64_t>(kind));
  inputs.put(of(index, "rows"), rows);
  inputs.put(of(index, "columns"), columns);
  inputs.put(of(index, "result_columns"), result_columns);
  inputs.put(of(index, "float64"), dtype == kDouble);
  inputs.put(of(index, "card"), each.card);
  inputs.put(of(index, "bandwidth_factor"), each.bandwidth_factor);
  inputs.put(of(index, "peak_factor"), each.peak_factor);
  inputs.put(of(index, "reached"), each.reached);
}

Operation operation_of(const Inputs& inputs, std::size_t index) {
  return {static_cast<OperationKind>(inputs.integer(of(index, "kind"))),
          inputs.integer(of(index, "rows")), inputs.integer(of(index, "columns")),
          inputs.integer(of(index, "result_columns")),
          inputs.flag(of(index, "float64")) ? kDouble : kFloat};
}

Card card_of(const Inputs& inputs, std::size_t index) {
  Card card = card_named(inputs.text(of(index, "card")));
  card.processor.memory_bandwidth *= inputs.number(of(index, "bandwidth_factor"));
  card.processor.float32 *= inputs.number(of(index, "peak_factor"));
  card.processor.float64 *= inputs.number(of(index, "peak_factor"));
  card.reached = inputs.number(of(index, "reached"));
  return card;
}

/// "product of 3 x 4 by 4 x 5 in float32 on a T4": the operation of a case in words.
std::string words(const Inputs& inputs, std::size_t index) {
  const auto [kind, rows, columns, result_columns, dtype] = operation_of(inputs, index);
  const std::string sizes = std::to_string(rows) + " x " + std::to_string(columns);
  std::string text =
      std::string(kind_names[static_cast<std::size_t>(kind)]) + " of " + sizes;
  if (kind == OperationKind::product)
    text += " by " + std::to_string(columns) + " x " + std::to_string(result_columns);
  text += std::string(" in ") + (dtype == kDouble ? "float64" : "float32") + ", " +
          inputs.text(of(index, "card"));
  for (const auto& [figure, name] : {std::pair("bandwidth_factor", "bandwidth"),
                                     std::pair("peak_factor", "peaks")}) {
    const double factor = inputs.number(of(index, figure));
    if (factor != 1) text += " with " + repr(factor) + " times its " + name;
  }
  return text;
}

void run_on_tensors(const Operation& operation, const Tensor& a, const Tensor& b) {
  switch (operation.kind) {
    case OperationKind::add:
    case OperationKind::add_row:
      static_cast<void>(a + b);
      break;
    case OperationKind::row_sums:
      static_cast<void>(a.sum(1));
      break;
    case OperationKind::log_softmax:
      static_cast<void>(a.log_softmax(1));
      break;
    case OperationKind::product:
      static_cast<void>(a.mm(b));
      break;
  }
}

/// The second operand; unused by operations of one operand.
Tensor second_operand(const Operation& operation, Device device) {
  const auto options = TensorOptions().dtype(operation.dtype).device(device);
  if (operation.kind == OperationKind::product)
    return ones({operation.columns, operation.result_columns}, options);
  return ones(
      {operation.kind == OperationKind::add ? operation.rows : 1, operation.columns},
      options);
}

/// What the ledger counted for an operation.
struct Counts {
  std::int64_t bytes = 0;
  std::int64_t operations = 0;
};

Counts counts_of(const Recording& recording) {
  Counts counts;
  for (const LedgerEntry& entry : recording.entries) {
    if (entry.kind != LedgerEntry::Kind::launch) continue;
    counts.bytes += entry.bytes;
    counts.operations += entry.flops;
  }
  return counts;
}

std::size_t number_of_cases(const Inputs& inputs) {
  return static_cast<std::size_t>(inputs.integer("cases"));
}

bool is_bound_by_memory(const Counts& counts, const Card& card, ScalarType dtype) {
  const double peak =
      dtype == kDouble ? card.processor.float64 : card.processor.float32;
  return static_cast<double>(counts.bytes) / card.processor.memory_bandwidth >
         static_cast<double>(counts.operations) / peak;
}

}  // namespace

std::vector<Item> items() {
  return {
      {"bytes", 2, Kind::cost, "the predicted bytes are those of the ledger", 1},
      {"operations", 2, Kind::cost, "the predicted operations are those of the ledger",
       2},
      {"memory", 1, Kind::cost, "operations bound by memory are predicted as such", 3},
      {"arithmetic", 1, Kind::cost,
       "operations bound by arithmetic are predicted as such", 3}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  const auto any_card = [&] {
    return cards()[static_cast<std::size_t>(inputs.draw(0, 4))].name;
  };
  const auto slow_in_float64 = [&] {
    return inputs.draw(0, 1) == 0 ? "T4" : "RTX 4060 Laptop";
  };
  const auto sizes = [&](OperationKind kind, std::int64_t low, std::int64_t high,
                         ScalarType dtype) {
    Operation operation{kind, inputs.draw(low, high), inputs.draw(low, high),
                        inputs.draw(low, high), dtype};
    if (operation.columns == operation.rows) ++operation.columns;
    return operation;
  };
  std::vector<Case> cases;
  for (const auto kind : {OperationKind::add, OperationKind::add_row,
                          OperationKind::row_sums, OperationKind::log_softmax}) {
    for (const auto dtype : {kFloat, kDouble})
      cases.push_back({sizes(kind, 2, 300, dtype), any_card()});
    cases.push_back({{kind, 1, inputs.draw(2, 300), 1, kFloat}, any_card()});
    cases.push_back({{kind, inputs.draw(2, 300), 1, 1, kFloat}, any_card()});
    cases.push_back({sizes(kind, 1000, 2000, kFloat), any_card()});
  }
  Operation by_a_vector = sizes(OperationKind::product, 50, 300, kFloat);
  by_a_vector.result_columns = 1;
  const Operation between = sizes(OperationKind::product, 130, 220, kFloat);
  for (const Case& each : std::vector<Case>{
           {{OperationKind::product, 1, 1, 1, kFloat}, any_card()},
           {by_a_vector, any_card()},
           {sizes(OperationKind::product, 12, 40, kFloat),
            any_card()},  // bound by memory on all cards
           {sizes(OperationKind::product, 350, 400, kFloat),
            any_card()},  // bound by arithmetic on all cards
           // These two would be bound by memory if the card did float64 at its rate for
           // float32.
           {sizes(OperationKind::product, 40, 100, kDouble), slow_in_float64()},
           {sizes(OperationKind::log_softmax, 2, 300, kDouble), slow_in_float64(), 4},
           // The same product on either side of the balance, by the card and by its
           // figures.
           {between, "A100"},
           {between, "RTX 4060 Laptop"},
           {sizes(OperationKind::product, 350, 400, kFloat), any_card(), 0.125},
           {sizes(OperationKind::product, 12, 40, kFloat), any_card(), 1, 0.01},
           // `reached` is 0.01, which must not change the prediction.
           {sizes(OperationKind::product, 12, 40, kFloat), any_card(), 1, 1, 0.01},
           {sizes(OperationKind::product, 350, 400, kFloat), any_card(), 1, 1, 0.01},
           // More operations than an int can count.
           {sizes(OperationKind::product, 1040, 1080, kFloat), any_card()}}) {
    cases.push_back(each);
  }
  for (std::size_t i = 0; i < cases.size(); ++i) put(inputs, i, cases[i]);
  inputs.put("cases", static_cast<std::int64_t>(cases.size()));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const Device device = last_device();
  for (std::size_t i = 0; i < number_of_cases(inputs); ++i) {
    const Operation operation = operation_of(inputs, i);
    outcome.attempt(of(i, "prediction"), [&] {
      const Prediction prediction = predict(operation, card_of(inputs, i));
      outcome.put(of(i, "bytes"), prediction.bytes);
      outcome.put(of(i, "operations"), prediction.operations);
      outcome.put(of(i, "by_memory"), prediction.by_memory);
    });
    const Tensor a = ones({operation.rows, operation.columns},
                          TensorOptions().dtype(operation.dtype).device(device));
    const Tensor b = second_operand(operation, device);
    outcome.attempt(of(i, "operation"), [&] { run_on_tensors(operation, a, b); });
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  // Calls `expect` with each case, the counts of the ledger, and the words for the
  // case.
  const auto for_each_case = [&](ItemJudgement& item, const auto& expect) {
    for (std::size_t i = 0; i < number_of_cases(inputs); ++i) {
      item.expect(outcome.recording(of(i, "prediction")).entries.empty(),
                  "a prediction without work for a device",
                  "copies, launches or allocations", words(inputs, i));
      expect(i, counts_of(outcome.recording(of(i, "operation"))), words(inputs, i));
    }
  };
  const auto judge_bound = [&](ItemJudgement& item, bool by_memory) {
    for_each_case(item, [&](std::size_t i, const Counts& counts,
                            const std::string& where) {
      const Card card = card_of(inputs, i);
      if (is_bound_by_memory(counts, card, operation_of(inputs, i).dtype) != by_memory)
        return;
      const bool found = outcome.flag(of(i, "by_memory"));
      item.expect(found == by_memory,
                  by_memory ? "bound by memory" : "bound by arithmetic",
                  found ? "bound by memory" : "bound by arithmetic", where);
    });
  };
  judgement.item("bytes", [&](ItemJudgement& item) {
    for_each_case(
        item, [&](std::size_t i, const Counts& counts, const std::string& where) {
          item.equal(counts.bytes, outcome.integer(of(i, "bytes")), "bytes", where);
        });
  });
  judgement.item("operations", [&](ItemJudgement& item) {
    for_each_case(item,
                  [&](std::size_t i, const Counts& counts, const std::string& where) {
                    item.equal(counts.operations, outcome.integer(of(i, "operations")),
                               "operations", where);
                  });
  });
  judgement.item("memory", [&](ItemJudgement& item) { judge_bound(item, true); });
  judgement.item("arithmetic", [&](ItemJudgement& item) { judge_bound(item, false); });
}

}  // namespace d2l::check
