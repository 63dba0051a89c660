// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int max_parts = 4;

/// Stages and micro-batches of a schedule: all small ones, and some with many of
/// either.
std::vector<std::pair<int, int>> schedules() {
  std::vector<std::pair<int, int>> all{{3, 40}, {12, 17}, {20, 6}, {16, 70}};
  for (int stages = 1; stages <= 5; ++stages) {
    for (int batches = 1; batches <= 8; ++batches) all.emplace_back(stages, batches);
  }
  return all;
}

/// A step: one to four stages with a last micro-batch that is smaller; more
/// micro-batches asked for than chunk() makes; one alone; and more than 65535 rows.
/// Each is done twice, because gradients are added.
struct Step {
  int parts;
  const char* rows;  ///< the name of the input with their number
  int batches;       ///< 0 for the number that is drawn
  [[nodiscard]] std::string name(int time) const {
    const std::string cut =
        batches == 0 ? "" : " in " + std::to_string(batches) + " micro-batches";
    return "pipeline_step with " + counted(parts, "stages") + ", " + rows + cut +
           ", call " + std::to_string(time + 1);
  }
};

constexpr int times = 2;
constexpr Step steps[] = {{1, "rows", 0},     {2, "rows", 0},   {3, "rows", 0},
                          {4, "rows", 0},     {2, "9 rows", 4}, {3, "rows", 1},
                          {2, "many rows", 3}};

std::int64_t rows_of(const Inputs& inputs, const Step& step) {
  return inputs.integer(step.rows);
}
int batches_of(const Inputs& inputs, const Step& step) {
  return step.batches > 0 ? step.batches : static_cast<int>(inputs.integer("batches"));
}
/// What a call has of x or y: the second one has other numbers.
Tensor given(const Inputs& inputs, const Step& step, const std::string& what,
             int time) {
  return inputs.tensor(what).narrow(0, 0, rows_of(inputs, step)) *
         (time == 0 ? 1.0 : -0.5);
}
/// The micro-batches that chunk() makes.
std::int64_t pieces_of(const Inputs& inputs, const Step& step) {
  const auto size =
      (rows_of(inputs, step) + batches_of(inputs, step) - 1) / batches_of(inputs, step);
  return (rows_of(inputs, step) + size - 1) / size;
}

std::string schedule_of(int stages, int batches) {
  return counted(stages, "stages") + ", " + counted(batches, "micro-batches");
}
std::string weight(int i) { return "W " + std::to_string(i); }

/// Stage i has the device i; with fewer devices, several neighbours share one.
Device device_of(int i, int parts) {
  return num_gpus() == 0 ? cpu() : gpu(i * std::min(num_gpus(), parts) / parts);
}

using Schedule = std::vector<std::vector<Task>>;

/// A stage a row: 2 · batch, plus 1 for a backward pass; -1 where there is nothing.
Tensor as_tensor(const Schedule& schedule) {
  std::size_t longest = 0;
  for (const auto& tasks : schedule) longest = std::max(longest, tasks.size());
  Tensor table = full(
      {static_cast<std::int64_t>(schedule.size()), static_cast<std::int64_t>(longest)},
      -1, kLong);
  auto* out = table.data_ptr<std::int64_t>();
  for (std::size_t s = 0; s < schedule.size(); ++s) {
    for (std::size_t i = 0; i < schedule[s].size(); ++i) {
      out[s * longest + i] =
          std::int64_t{2} * schedule[s][i].batch + (schedule[s][i].backward ? 1 : 0);
    }
  }
  return table;
}

Schedule from_tensor(const Tensor& table) {
  Schedule schedule(static_cast<std::size_t>(table.size(0)));
  const auto numbers = table.to_vector<std::int64_t>();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < 0) continue;
    schedule[i / static_cast<std::size_t>(table.size(1))].push_back(
        {numbers[i] % 2 == 1, static_cast<int>(numbers[i] / 2)});
  }
  return schedule;
}

/// Whether each stage has each pass of each micro-batch once.
bool is_complete(const Schedule& schedule, int stages, int batches) {
  if (schedule.size() != static_cast<std::size_t>(stages)) return false;
  for (const auto& tasks : schedule) {
    std::vector<int> seen(2 * static_cast<std::size_t>(batches));
    for (const Task& task : tasks) {
      if (task.batch < 0 || task.batch >= batches) return false;
      ++seen[2 * static_cast<std::size_t>(task.batch) + (task.backward ? 1 : 0)];
    }
    if (std::any_of(seen.begin(), seen.end(), [](int count) { return count != 1; }))
      return false;
  }
  return true;
}

/// The time at which a complete schedule ends; nothing if its stages wait forever.
std::optional<int> execute(const Schedule& schedule, int batches) {
  const std::size_t stages = schedule.size();
  const auto passes = 2 * static_cast<std::size_t>(batches);
  std::vector<std::vector<int>> ended(stages, std::vector<int>(passes, -1));
  std::vector<std::size_t> next(stages);
  std::vector<int> free_at(stages);
  bool moves = true;
  while (moves) {
    moves = false;
    for (std::size_t s = 0; s < stages; ++s) {
      if (next[s] == schedule[s].size()) continue;
      const Task task = schedule[s][next[s]];
      const auto forward = 2 * static_cast<std::size_t>(task.batch);
      const auto pass = forward + (task.backward ? 1 : 0);
      int begins = free_at[s];
      const auto needs = [&](std::size_t stage, std::size_t other) {
        begins = begins < 0 || ended[stage][other] < 0
                     ? -1
                     : std::max(begins, ended[stage][other]);
      };
      if (task.backward) needs(s, forward);
      if (task.backward && s + 1 < stages) needs(s + 1, pass);
      if (!task.backward && s > 0) needs(s - 1, pass);
      if (begins < 0) continue;
      free_at[s] = ended[s][pass] = begins + (task.backward ? 2 : 1);
      ++next[s];
      moves = true;
    }
  }
  for (std::size_t s = 0; s < stages; ++s) {
    if (next[s] < schedule[s].size()) return std::nullopt;
  }
  return *std::max_element(free_at.begin(), free_at.end());
}

/// The largest number of micro-batches that a stage stores at once.
int stored(const std::vector<Task>& tasks) {
  int now = 0;
  int most = 0;
  for (const Task& task : tasks) {
    now += task.backward ? -1 : 1;
    most = std::max(most, now);
  }
  return most;
}

/// The number of neighbours on different devices, and the bytes of a row that cross
/// between them in one direction.
std::pair<std::int64_t, std::int64_t> boundaries(const Inputs& inputs, int parts) {
  std::int64_t count = 0;
  std::int64_t bytes = 0;
  for (int i = 0; i + 1 < parts; ++i) {
    if (device_of(i, parts) == device_of(i + 1, parts)) continue;
    ++count;
    bytes += inputs.tensor(weight(i)).size(1) * 4;
  }
  return {count, bytes};
}

/// What a step of the whole batch gives, in float64: the loss, and the gradients.
std::pair<Tensor, std::vector<Tensor>> expected_step(const Inputs& inputs,
                                                     const Step& step, int time) {
  const int parts = step.parts;
  std::vector<Tensor> outputs{given(inputs, step, "x", time).to(kDouble)};
  std::vector<Tensor> W;
  for (int i = 0; i < parts; ++i) {
    W.push_back(inputs.tensor(weight(i)).to(kDouble));
    if (i + 1 == parts) W.back() = W.back().narrow(1, 0, inputs.tensor("y").size(1));
    const Tensor product = outputs.back().mm(W.back());
    outputs.push_back(i + 1 < parts ? tanh(product) : product);
  }
  const Tensor difference = outputs.back() - given(inputs, step, "y", time).to(kDouble);
  Tensor change = difference * (2.0 / static_cast<double>(difference.numel()));
  std::vector<Tensor> gradients(W.size());
  for (std::size_t i = W.size(); i-- > 0;) {
    if (i + 1 < W.size()) change = change * (1 - outputs[i + 1].square());
    gradients[i] = outputs[i].t().mm(change);
    change = change.mm(W[i].t());
  }
  return {difference.square().mean(), gradients};
}

}  // namespace

std::vector<Item> items() {
  return {
      {"schedule", 2, Kind::result,
       "each stage has all passes once, and none waits forever", 1},
      {"earliest", 2, Kind::result, "the schedule ends as early as possible", 2},
      {"memory", 2, Kind::result,
       "a stage stores no more micro-batches than there are stages from it on", 2},
      {"gradients", 3, Kind::result,
       "the loss and the gradients are those of the whole batch", 3},
      {"crossings", 2, Kind::cost, "each micro-batch and its gradient cross once", 4},
      {"issued", 1, Kind::cost, "all forward passes are issued before a backward pass",
       4},
      {"host", 1, Kind::cost, "the host waits for nothing", 4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto batches = inputs.draw(2, 4);
  const auto rows =
      batches * inputs.draw(3, 5) - 1;  // the last micro-batch has a row less
  const auto many = inputs.draw(66000, 67000);
  std::int64_t width = inputs.draw(4, 8);
  inputs.put("batches", batches);
  inputs.put("rows", rows);
  inputs.put("9 rows", 9);
  inputs.put("many rows", many);
  inputs.put("x", randn({many, width}));
  inputs.put("y", randn({many, inputs.draw(2, 3)}));
  for (int i = 0; i < max_parts; ++i) {
    const std::int64_t next = inputs.draw(4, 8);
    inputs.put(weight(i), randn({width, next}) * 0.5);
    width = next;
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const auto& [stages, batches] : schedules()) {
    const auto name = schedule_of(stages, batches);
    outcome.attempt("tasks_of with " + name, [&, all = stages, pieces = batches] {
      Schedule schedule;
      for (int stage = 0; stage < all; ++stage)
        schedule.push_back(tasks_of(stage, all, pieces));
      outcome.put(name, as_tensor(schedule));
    });
  }
  for (const Step& step : steps) {
    const int parts = step.parts;
    std::vector<Tensor> W;
    for (int i = 0; i < parts; ++i) {
      Tensor matrix = inputs.tensor(weight(i));
      if (i + 1 == parts)
        matrix = matrix.narrow(1, 0, inputs.tensor("y").size(1)).contiguous();
      W.push_back(matrix.copy_to(device_of(i, parts)).requires_grad_());
    }
    for (int time = 0; time < times; ++time) {
      const auto name = step.name(time);
      const Tensor x = given(inputs, step, "x", time).copy_to(device_of(0, parts));
      const Tensor y =
          given(inputs, step, "y", time).copy_to(device_of(parts - 1, parts));
      Tensor loss;
      if (!outcome.attempt(
              name, [&] { loss = pipeline_step(x, y, W, batches_of(inputs, step)); }))
        break;
      if (loss.defined()) outcome.result(name, loss.detach());
      for (int i = 0; i < parts; ++i) {
        const Tensor gradient = W[static_cast<std::size_t>(i)].grad();
        if (gradient.defined()) outcome.result(name + ", " + weight(i), gradient);
      }
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](ItemJudgement& item,
                        const std::function<void(const Schedule&, int, int)>& look) {
    for (const auto& [stages, batches] : schedules()) {
      const auto name = schedule_of(stages, batches);
      outcome.require("tasks_of with " + name);
      const Schedule schedule = from_tensor(outcome.tensor(name));
      const bool complete = is_complete(schedule, stages, batches);
      item.expect(complete, "each pass of each micro-batch once on each stage",
                  "another list", name);
      if (complete) look(schedule, stages, batches);
    }
  };
  const auto each_step =
      [](const std::function<void(const Step&, int, const std::string&)>& look) {
        for (const Step& step : steps) {
          for (int time = 0; time < times; ++time) look(step, time, step.name(time));
        }
      };
  judgement.item("schedule", [&](ItemJudgement& item) {
    each(item, [&](const Schedule& schedule, int stages, int batches) {
      item.expect(execute(schedule, batches).has_value(), "an end",
                  "stages that wait for each other", schedule_of(stages, batches));
    });
  });
  judgement.item("earliest", [&](ItemJudgement& item) {
    each(item, [&](const Schedule& schedule, int stages, int batches) {
      const auto end = execute(schedule, batches);
      item.expect(end.has_value(), "an end", "stages that wait for each other",
                  schedule_of(stages, batches));
      if (end) {
        item.at_most(std::int64_t{3} * (batches + stages - 1), *end, "units of time",
                     schedule_of(stages, batches));
      }
    });
  });
  judgement.item("memory", [&](ItemJudgement& item) {
    each(item, [&](const Schedule& schedule, int stages, int batches) {
      for (int stage = 0; stage < stages; ++stage) {
        item.at_most(stages - stage, stored(schedule[static_cast<std::size_t>(stage)]),
                     "micro-batches",
                     schedule_of(stages, batches) + ", stage " + std::to_string(stage));
      }
    });
  });
  judgement.item("gradients", [&](ItemJudgement& item) {
    std::vector<Tensor> sums;
    each_step([&](const Step& step, int time, const std::string& call) {
      outcome.require(call);
      const auto [loss, gradients] = expected_step(inputs, step, time);
      if (time == 0) sums.assign(gradients.size(), zeros({1}, kDouble));
      item.placed(outcome, call, device_of(step.parts - 1, step.parts));
      item.close(loss.to(kFloat), outcome.tensor(call), 1e-5, call);
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        const int stage = static_cast<int>(i);
        sums[i] = sums[i] + gradients[i];
        const auto name = call + ", " + weight(stage);
        item.placed(outcome, name, device_of(stage, step.parts));
        item.close(sums[i].to(kFloat), outcome.tensor(name), 1e-4, name);
      }
    });
  });
  judgement.item("crossings", [&](ItemJudgement& item) {
    each_step([&](const Step& step, int /*time*/, const std::string& call) {
      const auto crossings = outcome.recording(call).crossings();
      const auto [count, row] = boundaries(inputs, step.parts);
      std::int64_t bytes = 0;
      for (const LedgerEntry& entry : crossings) bytes += entry.bytes;
      item.equal(2 * count * pieces_of(inputs, step),
                 static_cast<std::int64_t>(crossings.size()), "copies between devices",
                 call);
      item.equal(2 * row * rows_of(inputs, step), bytes, "bytes between devices", call);
    });
    item.lacks_gpus(2);
  });
  judgement.item("issued", [&](ItemJudgement& item) {
    each_step([&](const Step& step, int /*time*/, const std::string& call) {
      if (step.parts == 1) return;
      std::int64_t forward = 0;
      bool has_gone_back = false;
      bool in_order = true;
      for (const LedgerEntry& entry : outcome.recording(call).crossings()) {
        if (entry.source.is_cpu() || entry.destination.is_cpu()) continue;
        const bool goes_back = entry.destination.index() < entry.source.index();
        forward += goes_back ? 0 : 1;
        in_order = in_order && (goes_back || !has_gone_back);
        has_gone_back = has_gone_back || goes_back;
      }
      if (boundaries(inputs, step.parts).first > 0)
        item.at_least(1, forward, "copies to the next device", call);
      item.expect(in_order, "all forward passes first",
                  "a forward pass after a backward pass", call);
    });
    item.lacks_gpus(2);
  });
  judgement.item("host", [&](ItemJudgement& item) {
    each_step([&](const Step& /*step*/, int /*time*/, const std::string& call) {
      item.equal(0, outcome.recording(call).synchronisations(), "waits of the host",
                 call);
    });
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
