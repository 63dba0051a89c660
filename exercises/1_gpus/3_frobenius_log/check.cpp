// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <cmath>
#include <optional>

#include "d2l/testing.h"
#include "exercise.h"
#include "product_batches.h"

namespace d2l::check {
namespace {

constexpr double tolerance = 1e-5;

/// The 1000 products of the exercise, or fewer with random sizes.
struct Case {
  std::string name;
  std::int64_t left;
  std::int64_t right;
  std::int64_t n;

  [[nodiscard]] std::int64_t products() const { return left * right; }
  /// Floating-point operations of one product.
  [[nodiscard]] std::int64_t flops() const { return 2 * n * n * n; }
};

std::vector<Case> cases(const Inputs& inputs) {
  const auto left = inputs.integer("left");
  const auto right = inputs.integer("right");
  const auto n = inputs.integer("n");
  return {{"1000", 25, 40, 100},
          {"drawn", left, right, n},
          {"one left", 1, right, n},
          {"one right", left, 1, n},
          {"single", 1, 1, n}};
}

/// The norms, computed on the CPU in float64.
Tensor expected_norms(const Tensor& left, const Tensor& right) {
  std::vector<double> norms;
  for (std::int64_t i = 0; i < left.size(0); ++i) {
    const Tensor row = left[i].to(kDouble).matmul(right.to(kDouble));
    const auto squares = row.mul(row).sum({1, 2}).to_vector<double>();
    for (const double square : squares) norms.push_back(std::sqrt(square));
  }
  return tensor(norms, kFloat);
}

std::string name_of(const std::string& function, const Case& one) {
  return function + " " + one.name;
}
std::string where(const std::string& function, const Case& one) {
  return function + " of " + std::to_string(one.left) + " × " +
         counted(one.right, "products");
}

void call(const std::string& function,
          std::vector<float> (*log)(const Tensor&, const Tensor&), const Case& one,
          const Tensor& left, const Tensor& right, Outcome& outcome) {
  std::vector<float> norms;
  if (!outcome.attempt(name_of(function, one), [&] { norms = log(left, right); }))
    return;
  outcome.put(name_of(function, one), tensor(norms, kFloat));
}

void judge_norms(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 const std::string& function) {
  for (const Case& one : cases(inputs)) {
    outcome.require(name_of(function, one));
    const auto expected = expected_norms(inputs.tensor("left " + one.name),
                                         inputs.tensor("right " + one.name));
    item.close(expected, outcome.tensor(name_of(function, one)), tolerance,
               where(function, one));
  }
}

/// Expects that the norms go to the host in `copies` copies, and that nothing else is
/// copied.
void expect_copies(ItemJudgement& item, const Recording& recording, const Case& one,
                   std::int64_t copies, const std::string& place) {
  item.equal(copies, recording.copies(Direction::device_to_host),
             "copies from device to host", place);
  item.equal(4 * one.products(), recording.copied_bytes(Direction::device_to_host),
             "bytes from device to host", place);
  item.equal(copies, recording.copies(), "copies in total", place);
}

bool crosses_to_host(const LedgerEntry& entry) {
  return entry.kind == LedgerEntry::Kind::copy && entry.destination.is_cpu() &&
         entry.source.is_cuda();
}

/// Floating-point operations on the host. Filling a tensor with zeros has none, and one
/// per norm is allowed.
std::int64_t operations_on_cpu(const Recording& recording) {
  std::int64_t sum = 0;
  for (const LedgerEntry& entry : recording.entries)
    sum += entry.queue.is_cpu() ? entry.flops : 0;
  return sum;
}

/// Floating-point operations of all products.
std::int64_t operations_of_products(const Recording& recording) {
  std::int64_t sum = 0;
  for (const LedgerEntry& entry : recording.entries)
    sum += is_product(entry) ? entry.flops : 0;
  return sum;
}

/// Expects that each product is issued alone, and that its norm is read before the next
/// is issued.
void judge_order(ItemJudgement& item, const Recording& recording, const Case& one,
                 const std::string& place) {
  std::int64_t issued = 0;
  std::int64_t read = 0;
  for (const LedgerEntry& entry : recording.entries) {
    if (is_product(entry)) {
      item.expect(
          issued == read,
          "norm number " + std::to_string(issued - 1) + " read before the next product",
          counted(issued, "products") + " issued and " + counted(read, "norms") +
              " read",
          place);
      item.expect(
          entry.flops <= one.flops(), "one product issued before its norm is read",
          counted(entry.flops / one.flops(), "products") + " issued at once", place);
      ++issued;
    }
    if (crosses_to_host(entry)) ++read;
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"norms_each", 2, Kind::result,
       "log_each returns the norms of all products, in order", 1},
      {"norms_end", 2, Kind::result,
       "log_at_end returns the norms of all products, in order", 1},
      {"each", 2, Kind::cost,
       "log_each copies one number after the other to the host, and nothing else", 2},
      {"at_end", 3, Kind::cost,
       "log_at_end copies all numbers to the host at once, and nothing else", 3},
      {"waits", 1, Kind::cost, "log_at_end waits for the device once", 4},
      {"device", 1, Kind::placement,
       "all products and norms are computed, on the device of the matrices", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  inputs.put("left", inputs.draw(3, 6));
  inputs.put("right", inputs.draw(7, 10));
  inputs.put("n", inputs.draw(20, 39));
  for (const Case& one : cases(inputs)) {
    inputs.put("left " + one.name, randn({one.left, one.n, one.n}));
    inputs.put("right " + one.name, randn({one.right, one.n, one.n}));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  testing::set_delays(std::nullopt);  // with delays, 1000 reads that wait take seconds
  set_num_threads(1);  // so do threads that wait for each other on a busy computer
  for (const Case& one : cases(inputs)) {
    const Tensor left = inputs.tensor("left " + one.name).to(last_device());
    const Tensor right = inputs.tensor("right " + one.name).to(last_device());
    synchronize();
    call("log_each", log_each, one, left, right, outcome);
    call("log_at_end", log_at_end, one, left, right, outcome);
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  set_num_threads(1);
  const auto each_case =
      [&](ItemJudgement& item, const std::string& function,
          const std::function<void(const Recording&, const Case&)>& look) {
        if (item.lacks_gpus(1)) return;
        for (const Case& one : cases(inputs))
          look(outcome.recording(name_of(function, one)), one);
      };
  judgement.item("norms_each", [&](ItemJudgement& item) {
    judge_norms(item, inputs, outcome, "log_each");
  });
  judgement.item("norms_end", [&](ItemJudgement& item) {
    judge_norms(item, inputs, outcome, "log_at_end");
  });
  judgement.item("each", [&](ItemJudgement& item) {
    each_case(item, "log_each", [&](const Recording& recording, const Case& one) {
      expect_copies(item, recording, one, one.products(), where("log_each", one));
      judge_order(item, recording, one, where("log_each", one));
    });
  });
  judgement.item("at_end", [&](ItemJudgement& item) {
    each_case(item, "log_at_end", [&](const Recording& recording, const Case& one) {
      expect_copies(item, recording, one, 1, where("log_at_end", one));
    });
  });
  judgement.item("waits", [&](ItemJudgement& item) {
    each_case(item, "log_at_end", [&](const Recording& recording, const Case& one) {
      item.equal(1, recording.synchronisations(), "waits for the device",
                 where("log_at_end", one));
    });
  });
  judgement.item("device", [&](ItemJudgement& item) {
    for (const std::string function : {"log_each", "log_at_end"}) {
      each_case(item, function, [&](const Recording& recording, const Case& one) {
        const auto flops = operations_of_products(recording);
        item.expect(flops >= one.products() * one.flops(),
                    counted(one.products(), "products") + " of the matrices",
                    "operations for " + counted(flops / one.flops(), "products"),
                    where(function, one));
        item.at_most(one.products(), operations_on_cpu(recording),
                     "operations on the CPU", where(function, one));
        item.expect(recording.launches(last_device()) > 0,
                    "operations on " + last_device().str(), "none",
                    where(function, one));
      });
    }
  });
}

}  // namespace d2l::check
