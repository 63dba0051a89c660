// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int max_tensors = 6;

/// The tensors of a call. Each number of them up to the largest; more than 65536
/// numbers; none; numbers for which float32 is too narrow; and other numbers of shapes
/// that an earlier call had.
struct Case {
  int count;
  const char* kind;
  [[nodiscard]] std::string name() const {
    return "all_reduce(" + counted(count, "tensors") + ", " + kind + ")";
  }
  [[nodiscard]] std::string input(int i) const {
    return std::string(kind) + " " + std::to_string(i);
  }
  [[nodiscard]] std::string result(int i) const {
    return name() + ", tensor " + std::to_string(i);
  }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (int count = 1; count <= max_tensors; ++count) all.push_back({count, "float32"});
  for (const char* const kind :
       {"float32 again", "float32, long", "float32, empty", "float64", "int64"}) {
    all.push_back({4, kind});
  }
  return all;
}

/// Two neighbours share a device: 0, 0, 1, 1, 0, 0 with two devices, 0, 0, 1, 1, 2, 2
/// with three.
Device device_of(int i) { return num_gpus() == 0 ? cpu() : gpu(i / 2 % num_gpus()); }

/// The copies between devices that are needed: one from and one to each device other
/// than the first.
std::int64_t needed_copies(int count) {
  std::vector<Device> others;
  for (int i = 0; i < count; ++i) {
    const bool is_new =
        std::find(others.begin(), others.end(), device_of(i)) == others.end();
    if (is_new && !(device_of(i) == device_of(0))) others.push_back(device_of(i));
  }
  return 2 * static_cast<std::int64_t>(others.size());
}

}  // namespace

std::vector<Item> items() {
  return {
      {"sum", 3, Kind::result, "each tensor has the sum of all", 1},
      {"memory", 2, Kind::placement, "each tensor keeps its memory and its device", 2},
      {"host", 1, Kind::cost, "nothing is copied to the host, which waits for nothing",
       3},
      {"copies", 2, Kind::cost,
       "at most two copies for each device other than the first", 4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto n = inputs.draw(3, 40);
  const auto many = inputs.draw(33000, 34000);
  for (const Case& one : cases()) {
    for (int i = 0; i < one.count; ++i) {
      const std::string kind = one.kind;
      if (kind == "float32" && inputs.contains(one.input(i))) continue;
      inputs.put(one.input(i), kind == "float32, long"    ? randn({many, 2})
                               : kind == "float32, empty" ? randn({0, 2})
                               : kind == "float64"        ? randn({n}, kDouble)
                               : kind == "int64"
                                   ? (randn({2, n, 1}, kDouble) * 1e12).to(kLong)
                                   : randn({n, 2}));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases()) {
    std::vector<Tensor> data;
    std::vector<const void*> places;
    for (int i = 0; i < one.count; ++i) {
      data.push_back(inputs.tensor(one.input(i)).copy_to(device_of(i)));
      places.push_back(data.back().data_ptr());
    }
    const auto given = data;
    if (!outcome.attempt(one.name(), [&] { all_reduce(data); })) continue;
    for (int i = 0; i < one.count; ++i) {
      const auto place = static_cast<std::size_t>(i);
      const bool kept = data.size() == given.size() && data[place].defined() &&
                        data[place].data_ptr() == places[place];
      outcome.put(one.result(i) + " kept", kept);
      outcome.result(one.result(i), given[place]);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("sum", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      outcome.require(one.name());
      const Dtype dtype = inputs.tensor(one.input(0)).dtype();
      Tensor sum = zeros(inputs.tensor(one.input(0)).sizes(), kDouble);
      for (int i = 0; i < one.count; ++i)
        sum = sum + inputs.tensor(one.input(i)).to(kDouble);
      for (int i = 0; i < one.count; ++i) {
        item.close(sum.to(dtype), outcome.tensor(one.result(i)),
                   dtype == kFloat ? 1e-5 : 1e-13, one.result(i), 1);
      }
    }
  });
  judgement.item("memory", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      outcome.require(one.name());
      for (int i = 0; i < one.count; ++i) {
        item.expect(outcome.flag(one.result(i) + " kept"), "the memory that it had",
                    "another tensor", one.result(i));
        item.placed(outcome, one.result(i), device_of(i));
      }
    }
  });
  judgement.item("host", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      const Recording& recording = outcome.recording(one.name());
      item.equal(0, recording.copies_to_host(), "copies to the host", one.name());
      item.equal(0, recording.synchronisations(), "waits of the host", one.name());
    }
    item.lacks_gpus(1);
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      const auto crossed = outcome.recording(one.name()).crossings();
      item.at_most(needed_copies(one.count), static_cast<std::int64_t>(crossed.size()),
                   "copies between devices", one.name());
    }
    item.lacks_gpus(2);
  });
}

}  // namespace d2l::check
