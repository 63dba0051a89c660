// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "d2l/held_until_awaited.h"
#include "exercise.h"
#include "plausible_time.h"
#include "product_batches.h"
#include "table.h"

namespace d2l::check {
namespace {

using testing::HeldUntilAwaited;

constexpr int unfinished_calls = 3;

double max_allowed(const Recording& recording, Device device) {
  return longest_plausible(typical(product_batches(recording, device, slow / 2)));
}

/// The sizes n, k and m. On a card they are larger, so that a product takes
/// milliseconds there too.
std::vector<std::int64_t> sizes(const Inputs& inputs, Device device) {
  const auto scale = device.is_cpu() ? 1 : inputs.integer("scale");
  return {scale * inputs.integer("n"), scale * inputs.integer("k"),
          scale * inputs.integer("m")};
}

double flops(const Inputs& inputs, Device device) {
  double product = 2;
  for (const auto size : sizes(inputs, device)) product *= static_cast<double>(size);
  return product;
}

std::string function_call(Device device) {
  return "seconds_of_product(A, B, " + device.str() + ")";
}

std::string call(const std::string& experiment, Device device, int number = 0) {
  return experiment + " " + device.str() + " " + std::to_string(number);
}

/// Runs the function while something is slowed down, until its time is right or there
/// were enough tries.
void try_with(const std::string& experiment, Device device, Outcome& outcome,
              const std::function<double()>& work) {
  for (int i = 0; i < tries; ++i) {
    const auto name = call(experiment, device, i);
    outcome.put(experiment + " " + device.str(), i + 1);
    if (!outcome.attempt(name, [&] { outcome.put(name, work()); })) return;
    try {
      if (outcome.number(name) <= max_allowed(outcome.recording(name), device)) return;
    } catch (const CheckError&) {
      return;  // judge() will say so
    }
  }
}

/// The call of an experiment that exceeds its longest valid time least.
struct Longest {
  double seconds = 0;
  double allowed = 0;
  double product = 0;
};

Longest longest(const Outcome& outcome, const std::string& experiment, Device device) {
  Longest found;
  for (int i = 0; i < outcome.integer(experiment + " " + device.str()); ++i) {
    const auto name = call(experiment, device, i);
    const double product =
        typical(product_batches(outcome.recording(name), device, slow / 2));
    const Longest call{outcome.number(name), longest_plausible(product), product};
    if (i == 0 || found.seconds - found.allowed > call.seconds - call.allowed)
      found = call;
  }
  return found;
}

/// `included` is what the check slowed down. It is named only if the time without that
/// is clearly shorter.
void judge_longest(ItemJudgement& item, const Outcome& outcome,
                   const std::string& experiment, Device device,
                   const std::string& included = "") {
  const Longest time = longest(outcome, experiment, device);
  const double without =
      experiment == "plain" ? time.seconds : longest(outcome, "plain", device).seconds;
  const bool caused =
      time.seconds - without >
      std::max(without, std::chrono::duration<double>(slow).count() / 10);
  item.expect(time.seconds <= time.allowed,
              "at most " + in_milliseconds(time.allowed) + "; a product on " +
                  device.str() + " took " + in_milliseconds(time.product),
              in_milliseconds(time.seconds, time.product) +
                  (caused             ? included
                   : included.empty() ? ""
                                      : ", and as much when nothing is slowed down"),
              function_call(device));
}

void judge_shortest(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome,
                    const std::string& name, Device device) {
  const double least =
      shortest_possible(product_batches(outcome.recording(name), device, slow / 2));
  const double found = outcome.number(name);
  item.expect(
      found >= min_ratio * least,
      "at least " + in_milliseconds(least) +
          ", the time of the fastest product from its launch to its end",
      in_milliseconds(found, least) +
          (found > 0 ? ", as if at " + in_gigaflops(flops(inputs, device), found)
                     : "") +
          ": the clock was read before the product was finished, or the time was "
          "divided by too many",
      function_call(device));
}

std::vector<Device> devices() {
  std::vector<Device> devices{cpu()};
  if (num_gpus() > 0) devices.push_back(last_device());
  return devices;
}

}  // namespace

std::vector<Item> items() {
  return {
      {"device", 2, Kind::placement,
       "every product is the whole product A·B in float32, computed on the requested "
       "device",
       1},
      {"finished", 3, Kind::timing,
       "the clock stops when the product is finished, not when it is issued", 2},
      {"earlier", 2, Kind::timing,
       "the clock starts when the device has finished all earlier work", 3},
      {"warm", 2, Kind::timing, "the first product, which is slower, is not timed", 4},
      {"copies", 2, Kind::timing, "no copy is timed", 5},
      {"one", 1, Kind::timing, "the result is the time of one product", 6}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  for (const char* const size : {"n", "k", "m"})
    inputs.put(size, inputs.draw(300, 379));
  const bool on_card = num_gpus() > 0 && device_properties(gpu(0)).kind !=
                                             DeviceKind::virtual_gpu_on_host;
  inputs.put("scale", on_card ? 12 : 1);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  testing::set_delays(std::nullopt);  // this check slows down only what it needs to
  set_num_threads(
      1);  // threads that wait for each other make times noisy on a busy computer
  for (const Device device : devices()) {
    const auto size = sizes(inputs, device);
    manual_seed(inputs.seed());
    const Tensor A = rand({size[0], size[1]});
    const Tensor B = rand({size[1], size[2]});
    const auto timed = [&] { return seconds_of_product(A, B, device); };
    const auto timed_when = [&](const std::function<bool(const LedgerEntry&)>& begins) {
      const HeldUntilAwaited held(begins, {.longer = slow});
      return timed();
    };
    try_with("plain", device, outcome, timed);
    try_with("cold", device, outcome, [&] {
      bool first = true;
      const auto is_first = [&](const LedgerEntry& entry) {
        return is_product(entry) && std::exchange(first, false);
      };
      if (device.is_cuda()) return timed_when(is_first);
      const testing::Watch watch([&](const LedgerEntry& entry) {
        if (is_first(entry)) std::this_thread::sleep_for(2 * slow);
      });
      return timed();
    });
    if (device.is_cpu()) continue;
    try_with("copies", device, outcome, [&] {
      return timed_when([](const LedgerEntry& entry) {
        return entry.kind == LedgerEntry::Kind::copy;
      });
    });
    try_with("busy", device, outcome, [&] {
      HeldUntilAwaited held([](const LedgerEntry&) { return false; }, {.longer = slow});
      held.hold(device);
      return timed();
    });
    for (int i = 0; i < unfinished_calls; ++i) {
      const auto name = call("unfinished", device, i);
      outcome.attempt(name, [&] {
        const HeldUntilAwaited held(is_product);
        outcome.put(name, timed());
        std::this_thread::sleep_for(
            after);  // work that the function did not wait for is still held
      });
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each_device = [](const std::function<void(Device)>& look) {
    for (const Device device : devices()) look(device);
  };
  const auto on_gpu = [](ItemJudgement& item, const std::function<void(Device)>& look) {
    if (num_gpus() > 0) return look(devices().back());
    item.not_verifiable(
        "a GPU, physical or virtual (D2L_VIRTUAL_GPUS=1), because only a GPU works "
        "asynchronously");
  };
  judgement.item("device", [&](ItemJudgement& item) {
    each_device([&](Device device) {
      std::int64_t products = 0;
      for (const LedgerEntry& entry :
           outcome.recording(call("plain", device)).entries) {
        if (!is_product(entry)) continue;
        ++products;
        item.expect(entry.queue == device, "products on " + device.str() + " only",
                    "a product on " + entry.queue.str(), function_call(device));
        item.equal(static_cast<std::int64_t>(flops(inputs, device)), entry.flops,
                   "operations per product", function_call(device));
      }
      item.expect(products > 0, "products on " + device.str(), "none",
                  function_call(device));
      const Recording& recording = outcome.recording(call("plain", device));
      expect_only_float_products(item, recording, function_call(device));
      if (device.is_cpu()) return;
      for (const auto rows : {0U, 1U}) {
        const auto bytes =
            4 * sizes(inputs, device)[rows] * sizes(inputs, device)[rows + 1];
        item.expect(std::any_of(recording.entries.begin(), recording.entries.end(),
                                [&](const LedgerEntry& entry) {
                                  return entry.kind == LedgerEntry::Kind::copy &&
                                         entry.source.is_cpu() && entry.bytes >= bytes;
                                }),
                    std::string(rows == 0 ? "A" : "B") + " copied to " + device.str(),
                    "no copy of its bytes", function_call(device));
      }
    });
  });
  judgement.item("finished", [&](ItemJudgement& item) {
    for (int i = 0; i < outcome.integer("plain " + cpu().str()); ++i)
      judge_shortest(item, inputs, outcome, call("plain", cpu(), i), cpu());
    on_gpu(item, [&](Device device) {
      for (int i = 0; i < unfinished_calls; ++i) {
        judge_shortest(item, inputs, outcome, call("unfinished", device, i), device);
      }
    });
  });
  judgement.item("earlier", [&](ItemJudgement& item) {
    on_gpu(item, [&](Device device) {
      judge_longest(item, outcome, "busy", device,
                    ": it includes earlier work of the device");
    });
  });
  judgement.item("warm", [&](ItemJudgement& item) {
    each_device([&](Device device) {
      judge_longest(item, outcome, "cold", device,
                    ": it includes the first product, which the check slowed down");
    });
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    on_gpu(item, [&](Device device) {
      judge_longest(item, outcome, "copies", device,
                    ": it includes a copy, which the check slowed down");
    });
  });
  judgement.item("one", [&](ItemJudgement& item) {
    each_device([&](Device device) { judge_longest(item, outcome, "plain", device); });
  });
}

}  // namespace d2l::check
