// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "d2l/testing.h"
#include "exercise.h"

namespace d2l::check {
namespace {

constexpr const char* huge_losses = "huge losses";
constexpr const char* epochs[] = {"one step", "a few steps", "many steps", huge_losses};

std::int64_t size(const Inputs& inputs, const std::string& epoch) {
  return inputs.tensor(epoch).numel();
}

/// Runs an epoch on `device`. With `hold`, the queue is held until the last step is
/// issued.
void run_epoch_on(Device device, const Inputs& inputs, Outcome& outcome,
                  const std::string& epoch, bool hold) {
  const std::string name = hold ? "held: " + epoch : epoch;
  const auto count = static_cast<int>(size(inputs, epoch));
  const Tensor losses = inputs.tensor(epoch).to(device);
  const Tensor one = ones({}, device);
  synchronize();
  std::string called;
  std::vector<Tensor> returned;
  outcome.attempt(name, [&] {
    std::optional<testing::HeldQueue> held;
    if (hold) held.emplace(device);
    const Epoch result = run_epoch(
        [&](int i) {
          called += std::to_string(i) + " ";
          Tensor loss = losses[i] * one;
          if (i == count - 1) held.reset();
          returned.push_back(loss);
          return loss;
        },
        count);
    outcome.put(name + ": mean", full({}, result.mean));
    outcome.put(name + ": best", full({}, result.best));
  });
  outcome.put(name + ": called", called);
  if (!returned.empty()) outcome.put(name + ": losses", stack(returned));
}

/// Judges what the call `name` returned for an epoch.
void judge_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                  const std::string& epoch, const std::string& name) {
  outcome.require(name);
  std::string calls;
  for (std::int64_t i = 0; i < size(inputs, epoch); ++i)
    calls += std::to_string(i) + " ";
  item.expect(outcome.text(name + ": called") == calls, "the steps " + calls,
              "the steps " + outcome.text(name + ": called"), name);
  item.close(inputs.tensor(epoch), outcome.tensor(name + ": losses"), 0,
             name + ": the losses, afterwards");
  const auto losses = inputs.tensor(epoch).to_vector<double>();
  const double mean = std::accumulate(losses.begin(), losses.end(), 0.0) /
                      static_cast<double>(losses.size());
  item.close(full({}, mean, kFloat), outcome.tensor(name + ": mean"), 1e-5,
             name + ": mean");
  item.close(full({}, *std::min_element(losses.begin(), losses.end()), kFloat),
             outcome.tensor(name + ": best"), 1e-5, name + ": best");
}

}  // namespace

std::vector<Item> items() {
  return {{"values", 1, Kind::result,
           "mean and best are correct, and each step is issued once, in order; the "
           "losses do not change",
           1},
          {"large", 1, Kind::result,
           "mean and best are also correct if the sum of the losses is larger than any "
           "float",
           3},
          {"waits", 2, Kind::cost,
           "the host does not wait until the last step is issued", 2},
          {"copies", 2, Kind::cost,
           "one copy brings the results to the host, which waits once", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  // Losses far above and far below 0: no fixed initial value is correct. The smallest
  // loss is the first, one in the middle, or the last.
  const Tensor few = rand({inputs.draw(3, 7)}) * 1000 - 2000;
  const Tensor many = rand({inputs.draw(60, 109)}) * 10 + 1;
  Tensor huge = rand({5}) * 1e38 + 2e38;  // their sum is larger than any float
  huge[4] = 1.5e38;
  few[0] = -2001;
  many[inputs.draw(5, 54)] = 0.5;
  inputs.put("one step", rand({1}) * 1e38 + 2e38);
  inputs.put("a few steps", few);
  inputs.put("many steps", many);
  inputs.put("huge losses", huge);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const Device device = last_device();
  for (const char* const epoch : epochs) {
    run_epoch_on(device, inputs, outcome, epoch, false);
    if (device.is_cuda()) run_epoch_on(device, inputs, outcome, epoch, true);
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto judge_epoch = [&](ItemJudgement& item, const char* epoch) {
    judge_values(item, inputs, outcome, epoch, epoch);
    const auto held = std::string("held: ") + epoch;  // an error there is a wait
    if (num_gpus() > 0 && outcome.recording_or_error(held).error.empty())
      judge_values(item, inputs, outcome, epoch, held);
  };
  judgement.item("values", [&](ItemJudgement& item) {
    for (const char* const epoch : epochs) {
      if (epoch != huge_losses) judge_epoch(item, epoch);
    }
  });
  judgement.item("large", [&](ItemJudgement& item) { judge_epoch(item, huge_losses); });
  judgement.item("waits", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const char* const epoch : epochs) {
      const auto& held = outcome.recording_or_error(std::string("held: ") + epoch);
      item.expect(held.error.find("would never end") == std::string::npos,
                  "no wait until the last step is issued",
                  "a wait for " + last_device().str() + " before that", epoch);
      outcome.require(std::string("held: ") + epoch);
    }
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const char* const epoch : epochs) {
      const Recording& recording = outcome.recording(epoch);
      item.equal(1, recording.copies(), "copies between devices", epoch);
      item.at_most(std::max<std::int64_t>(8, 4 * size(inputs, epoch)),
                   recording.copied_bytes(), "bytes copied between devices", epoch);
      item.at_most(1, recording.synchronisations(), "waits of the host", epoch);
    }
  });
}

}  // namespace d2l::check
