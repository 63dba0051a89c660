// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <utility>

#include "exercise.h"

namespace d2l::check {
namespace {

std::vector<Device> expected_devices(std::int64_t count) {
  std::vector<Device> devices;
  for (int i = 0; std::cmp_less(i, count); ++i) devices.push_back(gpu(i));
  return count == 0 ? std::vector<Device>{cpu()} : devices;
}

std::string call(std::int64_t count) {
  return "all_gpus_or_cpu(" + std::to_string(count) + ")";
}

}  // namespace

std::vector<Item> items() {
  return {
      {"gpus", 2, Kind::result, "the list has every GPU, in the order of its index", 1},
      {"fallback", 2, Kind::result, "without a GPU the list has only the CPU", 2},
      {"usable", 1, Kind::placement,
       "a sum computed on each device of the list stays on that device", 2}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  inputs.put("values", randn({3}));
  inputs.put("count", num_gpus() + inputs.draw(9, 40));  // more than this computer has
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  std::vector<Device> here;
  for (const std::int64_t count : {std::int64_t{0}, inputs.integer("count"),
                                   std::int64_t{1}, std::int64_t{num_gpus()}}) {
    outcome.attempt(call(count), [&] {
      here.clear();
      here = all_gpus_or_cpu(static_cast<int>(count));
      outcome.put(call(count), repr(here));
    });
  }
  outcome.put("devices", here.size());
  for (std::size_t i = 0; i < here.size(); ++i) {
    const auto sum = "sum " + std::to_string(i);
    outcome.attempt(
        sum, [&] { outcome.result(sum, inputs.tensor("values").to(here[i]) + 1); });
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_list = [&](ItemJudgement& item, std::int64_t count) {
    outcome.require(call(count));
    const auto expected = repr(expected_devices(count));
    item.expect(outcome.text(call(count)) == expected, expected,
                outcome.text(call(count)), call(count));
  };
  judgement.item("gpus", [&](ItemJudgement& item) {
    judge_list(item, 1);
    judge_list(item, inputs.integer("count"));
    if (num_gpus() > 0) judge_list(item, num_gpus());
  });
  judgement.item("fallback", [&](ItemJudgement& item) { judge_list(item, 0); });
  judgement.item("usable", [&](ItemJudgement& item) {
    const auto devices = expected_devices(num_gpus());
    item.equal(static_cast<std::int64_t>(devices.size()), outcome.integer("devices"),
               "devices to compute on", call(num_gpus()));
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const auto sum = "sum " + std::to_string(i);
      outcome.require(sum);
      item.placed(outcome, sum, devices[i]);
      item.close(inputs.tensor("values") + 1, outcome.tensor(sum), 1e-6, sum);
    }
  });
}

}  // namespace d2l::check
