// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include "exercise.h"

namespace d2l::check {
namespace {

/// One call: the device of each part of the batch, and the GPUs of the trainer.
struct Case {
  std::string name;
  std::vector<Device> parts;
  std::vector<Device> gpus;

  /// Whether a part is a view of memory in another order.
  [[nodiscard]] bool transposed(std::size_t part) const {
    return part == 3 || parts.size() == 1;
  }
  [[nodiscard]] Device place_of(std::size_t part) const {
    return gpus.empty() ? parts[part] : gpus.front();
  }
};

std::vector<Case> cases() {
  const Device last = last_device();
  std::vector<Device> backwards;
  for (int i = num_gpus(); i-- > 0;) backwards.push_back(gpu(i));
  std::vector<Case> cases{{"inputs and labels, no GPU", {cpu(), cpu()}, {}},
                          {"one part, no GPU", {cpu()}, {}},
                          {"four parts, no GPU", {cpu(), last, cpu(), last}, {}}};
  if (num_gpus() == 0) return cases;
  cases.push_back({"inputs and labels, all GPUs", {cpu(), cpu()}, try_all_gpus()});
  cases.push_back(
      {"inputs and labels, all GPUs from the last", {cpu(), cpu()}, backwards});
  cases.push_back({"one part, the last GPU", {cpu()}, {last}});
  cases.push_back({"three parts on the right GPU", {last, last, last}, backwards});
  cases.push_back(
      {"four parts, two on the right GPU", {cpu(), last, cpu(), last}, backwards});
  cases.push_back({"four parts on the first GPU and the last",
                   {gpu(0), last, gpu(0), last},
                   backwards});
  return cases;
}

std::string part_name(const Case& one, std::size_t part) {
  return one.name + ": part " + std::to_string(part);
}

Tensor drawn(const Inputs& inputs, std::size_t part) {
  return inputs.tensor("part " + std::to_string(part));
}

void judge_parts(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                 const Case& one) {
  outcome.require(one.name);
  item.equal(static_cast<std::int64_t>(one.parts.size()),
             outcome.integer(one.name + ": parts"), "parts", one.name);
  for (std::size_t part = 0; part < one.parts.size(); ++part) {
    item.close(drawn(inputs, part), outcome.tensor(part_name(one, part)), 0,
               part_name(one, part));
  }
}

}  // namespace

std::vector<Item> items() {
  return {
      {"parts", 2, Kind::result,
       "every part is there, in order, with its values and its dtype", 1},
      {"without", 2, Kind::placement, "without a GPU the result is the batch itself",
       2},
      {"batch", 1, Kind::placement, "the given batch does not change", 3},
      {"placed", 2, Kind::placement,
       "every part is in the memory of the trainer's first GPU", 2},
      {"copies", 2, Kind::cost,
       "a part on the right device is not copied, and every other part is copied once",
       3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto rows = inputs.draw(3, 8);
  inputs.put("part 0", randn({rows, 5}));
  inputs.put("part 1", (rand({rows}) * 1e6).to(kLong) + (std::int64_t{1} << 40));
  inputs.put("part 2", rand({rows, 2}) < 0.5);
  inputs.put("part 3", randn({rows, 2, 3}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases()) {
    Batch batch;
    for (std::size_t part = 0; part < one.parts.size(); ++part) {
      const Tensor values = drawn(inputs, part);
      batch.push_back(
          one.transposed(part)
              ? values.transpose(0, 1).contiguous().to(one.parts[part]).transpose(0, 1)
              : values.to(one.parts[part]));
    }
    const Batch given = batch;
    Batch prepared;
    outcome.attempt(one.name, [&] { prepared = prepare_batch(batch, one.gpus); });
    outcome.put(one.name + ": parts", prepared.size());
    for (std::size_t part = 0; part < given.size(); ++part) {
      const std::string name = part_name(one, part);
      outcome.result(name + " given", given[part]);
      if (part >= prepared.size() || !prepared[part].defined()) continue;
      outcome.result(name, prepared[part]);
      outcome.put(name + " is the same", prepared[part].is_same(given[part]));
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto expect_same = [&](ItemJudgement& item, const Case& one, std::size_t part) {
    item.expect(outcome.flag(part_name(one, part) + " is the same"),
                "the tensor itself", "another tensor", part_name(one, part));
  };
  judgement.item("parts", [&](ItemJudgement& item) {
    for (const Case& one : cases()) judge_parts(item, inputs, outcome, one);
  });
  judgement.item("without", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      if (!one.gpus.empty()) continue;
      judge_parts(item, inputs, outcome, one);
      for (std::size_t part = 0; part < one.parts.size(); ++part)
        expect_same(item, one, part);
    }
  });
  judgement.item("batch", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      outcome.require(one.name);
      for (std::size_t part = 0; part < one.parts.size(); ++part) {
        const std::string name = part_name(one, part) + " given";
        item.close(drawn(inputs, part), outcome.tensor(name), 0, name);
        item.placed(outcome, name, one.parts[part]);
      }
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    for (const Case& one : cases()) {
      if (one.gpus.empty()) continue;
      outcome.require(one.name);
      for (std::size_t part = 0; part < one.parts.size(); ++part) {
        item.placed(outcome, part_name(one, part), one.gpus.front());
      }
    }
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    for (const Case& one : cases()) {
      const Recording& recording = outcome.recording(one.name);
      std::int64_t elsewhere = 0;
      std::int64_t packed = 0;
      for (std::size_t part = 0; part < one.parts.size(); ++part) {
        if (one.parts[part] == one.place_of(part)) {
          expect_same(item, one, part);
        } else {
          ++elsewhere;
          packed +=
              one.transposed(part) ? 1 : 0;  // into one block, before it is copied
        }
      }
      item.equal(elsewhere, std::ssize(recording.crossings()), "copies between devices",
                 one.name);
      item.at_most(packed, recording.copies_within(), "copies within a device",
                   one.name);
    }
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
