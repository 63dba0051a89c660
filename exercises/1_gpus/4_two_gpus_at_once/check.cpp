// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <thread>

#include "d2l/held_until_awaited.h"
#include "exercise.h"
#include "plausible_time.h"
#include "product_batches.h"
#include "timed_products.h"

namespace d2l::check {
namespace {

using testing::HeldUntilAwaited;

constexpr int held_calls = 3;
constexpr int patient_tries =
    3 * tries;  // for a time that is too long by less than what the check added

/// Where the products of a call go: "one" device for all of them, or "all" devices in
/// turn and the first of them again.
std::vector<Device> devices_of(const Inputs& inputs, const std::string& where) {
  const auto count = inputs.integer("products");
  const int gpus = num_gpus();
  std::vector<Device> devices;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index =
        inputs.integer("first") + (where == "one" || i + 1 == count ? 0 : i);
    devices.push_back(gpus == 0 ? cpu() : gpu(static_cast<int>(index % gpus)));
  }
  return devices;
}

std::vector<std::string> places() {
  return num_gpus() > 1 ? std::vector<std::string>{"one", "all"}
                        : std::vector<std::string>{"one"};
}

std::string numbered(const std::string& what, std::int64_t number) {
  return what + " " + std::to_string(number);
}

std::string where_text(const Inputs& inputs, const std::string& where) {
  return "multiply_at_once(A, B, " + repr(devices_of(inputs, where)) + ")";
}

/// Whether a timed product wrote the result.
bool is_result_of(const TimedTogether& timed, const Outcome& outcome,
                  const std::string& result) {
  const auto address = static_cast<std::uint64_t>(outcome.integer(result + ".address"));
  return std::ranges::any_of(timed.products, [&](const LedgerEntry& product) {
    return product.result == address;
  });
}

/// Whether each product was issued before one was finished.
bool all_at_once(const TimedTogether& timed) {
  std::int64_t issued = 0;
  std::int64_t ended = timed.ended;
  for (const LedgerEntry& product : timed.products) {
    issued = std::max(issued, product.issued);
    ended = std::min(ended, product.ended);
  }
  return issued < ended;
}

double max_allowed(const Recording& recording, std::int64_t count) {
  const TimedTogether timed = timed_products(recording, count, slow / 2);
  return longest_plausible(timed.real_time());
}

/// Calls the function and keeps its results; false when it threw.
bool call(
    const std::string& name, const Inputs& inputs, const std::string& where,
    Outcome& outcome,
    const std::function<TimedProducts(const std::function<TimedProducts()>&)>& around) {
  std::vector<Tensor> A;
  std::vector<Tensor> B;
  for (std::int64_t i = 0; i < inputs.integer("products"); ++i) {
    A.push_back(inputs.tensor(numbered("A", i)));
    B.push_back(inputs.tensor(numbered("B", i)));
  }
  const auto devices = devices_of(inputs, where);
  TimedProducts result;
  const auto work = [&] {
    synchronize(
        devices.front());  // so that the first entry has the number of this thread
    result = around([&] { return multiply_at_once(A, B, devices); });
  };
  if (!outcome.attempt(name, work)) return false;
  outcome.put(name + " seconds", result.seconds);
  outcome.put(name + " count", result.products.size());
  for (std::size_t i = 0; i < result.products.size() && i < A.size(); ++i) {
    if (result.products[i].defined()) {
      outcome.result(numbered(name + " product", static_cast<std::int64_t>(i)),
                     result.products[i]);
    }
  }
  return true;
}

/// Calls the function while something is slowed down, until its time is right or there
/// were enough tries.
void try_with(
    const std::string& experiment, const Inputs& inputs, const std::string& where,
    Outcome& outcome,
    const std::function<TimedProducts(const std::function<TimedProducts()>&)>& around) {
  for (int i = 0; i < patient_tries; ++i) {
    const auto name = numbered(experiment + " " + where, i);
    outcome.put(experiment + " " + where, i + 1);
    if (!call(name, inputs, where, outcome, around)) return;
    try {
      const double most =
          max_allowed(outcome.recording(name), inputs.integer("products"));
      const double excess = outcome.number(name + " seconds") - most;
      if (excess <= 0 ||
          (i + 1 >= tries && excess > std::chrono::duration<double>(slow).count() / 2))
        return;
    } catch (const CheckError&) {
      return;  // judge() will say so
    }
  }
}

}  // namespace

std::vector<Item> items() {
  return {{"products", 2, Kind::result, "product number i is A[i] · B[i]", 1},
          {"places", 2, Kind::placement,
           "each product is computed in float32 on its device and stays there", 1},
          {"at_once", 3, Kind::cost,
           "all products are issued before the program waits for any", 2},
          {"finished", 3, Kind::timing,
           "the clock stops when every device has finished", 3},
          {"earlier", 2, Kind::timing,
           "the time includes neither copies nor earlier work", 4}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  inputs.put("products", inputs.draw(4, 5));
  inputs.put("first", inputs.draw(0, 3));
  const bool on_card = num_gpus() > 0 && device_properties(gpu(0)).kind !=
                                             DeviceKind::virtual_gpu_on_host;
  const std::int64_t scale = on_card ? 8 : 1;
  for (std::int64_t i = 0; i < inputs.integer("products"); ++i) {
    const auto size = [&] { return scale * inputs.draw(150, 199); };
    const auto n = size();
    const auto k = size();
    inputs.put(numbered("A", i), randn({n, k}));
    inputs.put(numbered("B", i), randn({k, size()}));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  testing::set_delays(std::nullopt);  // this check slows down only what it needs to
  set_num_threads(
      1);  // threads that wait for each other make times noisy on a busy computer
  for (const auto& where : places()) {
    const auto devices = devices_of(inputs, where);
    if (devices.front().is_cpu()) {
      call("held one 0", inputs, where, outcome,
           [](const auto& work) { return work(); });
      continue;
    }
    for (int i = 0; i < held_calls; ++i) {
      call(numbered("held " + where, i), inputs, where, outcome, [](const auto& work) {
        const HeldUntilAwaited held(is_product);
        auto result = work();
        std::this_thread::sleep_for(
            after);  // work that the function did not wait for is still held
        return result;
      });
    }
    try_with("copies", inputs, where, outcome, [](const auto& work) {
      const HeldUntilAwaited held(
          [](const LedgerEntry& entry) {
            return entry.kind == LedgerEntry::Kind::copy;
          },
          {.longer = slow});
      return work();
    });
    try_with("busy", inputs, where, outcome, [&](const auto& work) {
      HeldUntilAwaited held([](const LedgerEntry&) { return false; }, {.longer = slow});
      for (const Device device : devices) held.hold(device);
      return work();
    });
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  set_num_threads(1);
  const auto count = inputs.integer("products");
  const auto each_place =
      [&](const std::function<void(const std::string&, const std::string&)>& look) {
        for (const auto& where : places()) {
          outcome.require("held " + where + " 0");
          look("held " + where + " 0", where);
        }
      };
  const auto on_gpus = [&](ItemJudgement& item,
                           const std::function<void(const std::string&)>& look) {
    if (num_gpus() > 0) {
      for (const auto& where : places()) look(where);
    }
    item.lacks_gpus(2);
  };
  judgement.item("products", [&](ItemJudgement& item) {
    each_place([&](const std::string& name, const std::string& where) {
      item.equal(count, outcome.integer(name + " count"), "products",
                 where_text(inputs, where));
      for (std::int64_t i = 0; i < count; ++i) {
        const Tensor expected = inputs.tensor(numbered("A", i))
                                    .to(kDouble)
                                    .mm(inputs.tensor(numbered("B", i)).to(kDouble))
                                    .to(kFloat);
        item.close(expected, outcome.tensor(numbered(name + " product", i)), 1e-4,
                   numbered("product", i));
      }
    });
  });
  judgement.item("places", [&](ItemJudgement& item) {
    each_place([&](const std::string& name, const std::string& where) {
      const auto devices = devices_of(inputs, where);
      const auto timed = timed_products(outcome.recording(name), count, slow / 2);
      auto unmet = devices;  // in any order
      for (const LedgerEntry& product : timed.products) {
        item.expect(product.dtype == kFloat, "products of float32",
                    "a product of " + repr(product.dtype), where_text(inputs, where));
      }
      for (std::int64_t i = 0; i < count; ++i) {
        item.placed(outcome, numbered(name + " product", i),
                    devices[static_cast<std::size_t>(i)]);
        const Device device = timed.products[static_cast<std::size_t>(i)].queue;
        const auto found = std::find(unmet.begin(), unmet.end(), device);
        item.expect(found != unmet.end(), "products computed on " + repr(devices),
                    "one too many on " + device.str(), where_text(inputs, where));
        if (found != unmet.end()) unmet.erase(found);
      }
      for (std::int64_t i = 0; i < count; ++i) {
        item.expect(is_result_of(timed, outcome, numbered(name + " product", i)),
                    "the last " + std::to_string(count) + " products are returned",
                    numbered("product", i) + " is another tensor",
                    where_text(inputs, where));
      }
    });
    item.lacks_gpus(2);
  });
  judgement.item("at_once", [&](ItemJudgement& item) {
    on_gpus(item, [&](const std::string& where) {
      bool at_once = false;  // in one of the calls: a busy computer can stop the
                             // program between two products
      for (int i = 0; i < held_calls; ++i) {
        const auto& recording = outcome.recording(numbered("held " + where, i));
        const TimedTogether timed = timed_products(recording, count, slow / 2);
        const auto place = where_text(inputs, where);
        item.equal(0, timed.waits, "waits between the first launch and the last",
                   place);
        item.equal(0, timed.copies, "copies between the first launch and the last",
                   place);
        for (const LedgerEntry& product : timed.products) {
          item.expect(product.thread == recording.entries.front().thread,
                      "products issued by the calling thread",
                      "a product issued by another thread", place);
        }
        at_once = at_once || all_at_once(timed);
      }
      item.expect(at_once, "every product issued before one was finished",
                  "one was finished before another was issued, in " +
                      std::to_string(held_calls) + " calls",
                  where_text(inputs, where));
    });
  });
  judgement.item("finished", [&](ItemJudgement& item) {
    on_gpus(item, [&](const std::string& where) {
      for (int i = 0; i < held_calls; ++i) {
        const auto name = numbered("held " + where, i);
        const TimedTogether timed =
            timed_products(outcome.recording(name), count, slow / 2);
        const double least = timed.least();
        const double found = outcome.number(name + " seconds");
        item.expect(
            found >= min_ratio * least,
            "at least " + in_milliseconds(least) + " until all devices had finished",
            in_milliseconds(found, least) +
                ": the clock was read before a device had finished",
            where_text(inputs, where));
      }
    });
  });
  judgement.item("earlier", [&](ItemJudgement& item) {
    on_gpus(item, [&](const std::string& where) {
      for (const std::string experiment : {"copies", "busy"}) {
        const auto tried = outcome.integer(experiment + " " + where);
        const auto name = numbered(experiment + " " + where, tried - 1);
        const double true_time =
            timed_products(outcome.recording(name), count, slow / 2).real_time();
        const double most = longest_plausible(true_time);
        const double found = outcome.number(name + " seconds");
        item.expect(
            found <= most,
            "at most " + in_milliseconds(most) + "; the products took " +
                in_milliseconds(true_time),
            in_milliseconds(found, true_time) +
                (experiment == "busy" ? " when the devices were given earlier work"
                                      : " when copies are slowed down") +
                ", in " + counted(tried, "tries"),
            where_text(inputs, where));
      }
      const Recording& held = outcome.recording(numbered("held " + where, 0));
      const auto started = timed_products(held, count, slow / 2).ordered;
      for (const LedgerEntry& entry : held.entries) {
        if (entry.issued >= started) break;
        if (entry.kind != LedgerEntry::Kind::launch &&
            entry.kind != LedgerEntry::Kind::copy)
          continue;
        item.expect(entry.ended <= started,
                    "earlier work finished before the first launch",
                    entry.name + " on " + entry.queue.str() + " was not finished",
                    where_text(inputs, where));
      }
    });
  });
}

}  // namespace d2l::check
