// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int most_tensors = 5;

Device device_of(int i) { return num_gpus() == 0 ? cpu() : gpu(i % num_gpus()); }

std::string call_with(int count) { return "all_reduce(" + counted(count, "tensors") + ")"; }

std::string result_of(int count, int i) { return call_with(count) + ", tensor " + std::to_string(i); }

/// The copies between devices that a star makes.
std::int64_t most_copies(int count) {
  std::int64_t elsewhere = 0;
  for (int i = 1; i < count; ++i) elsewhere += device_of(i) == device_of(0) ? 0 : 1;
  return 2 * elsewhere;
}

}  // namespace

std::vector<Item> items() {
  return {{"sum", 3, Kind::result, "each tensor has the sum of all", 1},
          {"memory", 2, Kind::placement, "each tensor keeps its memory and its device", 2},
          {"host", 1, Kind::cost, "nothing is copied to the host, which waits for nothing", 3},
          {"copies", 2, Kind::cost, "at most two copies for each tensor on another device than the first", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(3, 40);
  for (int i = 0; i < most_tensors; ++i) inputs.put("tensor " + std::to_string(i), randn({n, 2}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int count = 1; count <= most_tensors; ++count) {
    std::vector<Tensor> data;
    std::vector<const void*> places;
    for (int i = 0; i < count; ++i) {
      data.push_back(inputs.tensor("tensor " + std::to_string(i)).copy_to(device_of(i)));
      places.push_back(data.back().data_ptr());
    }
    const auto given = data;
    if (!outcome.attempt(call_with(count), [&] { all_reduce(data); })) continue;
    for (int i = 0; i < count; ++i) {
      const auto place = static_cast<std::size_t>(i);
      const bool kept = data.size() == given.size() && data[place].defined() && data[place].data_ptr() == places[place];
      outcome.put(result_of(count, i) + " kept", kept);
      outcome.result(result_of(count, i), given[place]);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("sum", [&](ItemJudgement& item) {
    for (int count = 1; count <= most_tensors; ++count) {
      static_cast<void>(outcome.recording(call_with(count)));
      Tensor sum = zeros(inputs.tensor("tensor 0").sizes(), kDouble);
      for (int i = 0; i < count; ++i) sum = sum + inputs.tensor("tensor " + std::to_string(i)).to(kDouble);
      for (int i = 0; i < count; ++i) {
        item.close(sum.to(kFloat), outcome.tensor(result_of(count, i)), 1e-5, result_of(count, i));
      }
    }
  });
  judgement.item("memory", [&](ItemJudgement& item) {
    for (int count = 1; count <= most_tensors; ++count) {
      static_cast<void>(outcome.recording(call_with(count)));
      for (int i = 0; i < count; ++i) {
        item.expect(outcome.flag(result_of(count, i) + " kept"), "the memory that it had", "another tensor",
                    result_of(count, i));
        item.placed(outcome, result_of(count, i), device_of(i));
      }
    }
  });
  judgement.item("host", [&](ItemJudgement& item) {
    for (int count = 1; count <= most_tensors; ++count) {
      const Recording& recording = outcome.recording(call_with(count));
      item.equal(0, recording.copies(Direction::device_to_host), "copies to the host", call_with(count));
      item.equal(0, recording.synchronisations(), "waits of the host", call_with(count));
    }
    item.lacks_gpus(1);
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    for (int count = 1; count <= most_tensors; ++count) {
      const auto crossed = outcome.recording(call_with(count)).crossings();
      item.at_most(most_copies(count), static_cast<std::int64_t>(crossed.size()), "copies between devices",
                   call_with(count));
    }
    item.lacks_gpus(2);
  });
}

}  // namespace d2l::check
