// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// Batches of 0 to 40 rows; one of more than 65536 rows; one of bytes, of one dimension;
// and one of float64, of four. Call 3 has a part on the GPU that the batch is on. The
// last call has the shapes and devices of the first, and other rows, so nothing of an
// earlier call is right.
constexpr int calls = 9;
constexpr std::int64_t max_devices = 5;
constexpr int very_long = 6;
constexpr int with_cpu = 7;

struct Case {
  std::string name;
  Device source;
  std::vector<Device> devices;
  std::int64_t rows;
};

Case case_of(const Inputs& inputs, int call) {
  const auto number = [&](const std::string& what) {
    return inputs.integer(what + std::to_string(call));
  };
  const int gpus = num_gpus();
  const int shift = call + 1 == calls ? 0 : call;
  Case one{"", gpus > 0 && call % 2 == 1 ? gpu(0) : cpu(), {}, number("rows")};
  for (std::int64_t i = 0; i < number("devices"); ++i) {
    const bool on_cpu = gpus == 0 || (call == with_cpu && i == 1);
    one.devices.push_back(on_cpu ? cpu() : gpu(static_cast<int>((i + shift) % gpus)));
  }
  one.name = "call " + std::to_string(call + 1) + ": split_batch(" +
             std::to_string(one.rows) + " rows on " + one.source.str() + ", " +
             repr(one.devices) + ")";
  return one;
}

std::string part_of(const Case& one, std::size_t i) {
  return one.name + ", part " + std::to_string(i);
}

}  // namespace

std::vector<Item> items() {
  return {{"rows", 2, Kind::result,
           "the parts one after another are the rows of the batch", 1},
          {"even", 2, Kind::result,
           "the numbers of rows of two parts differ by at most one", 2},
          {"places", 1, Kind::placement, "each part is on its device", 1},
          {"copies", 2, Kind::cost,
           "a part is copied once, with its bytes alone, or not at all", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (int call = 0; call < calls; ++call) {
    const bool again = call + 1 == calls;
    const std::int64_t devices = call == 0 || again ? 4
                                 : call == 1        ? inputs.draw(3, 5)
                                 : call <= 3        ? max_devices
                                 : call == with_cpu ? 3
                                                    : inputs.draw(1, max_devices);
    const std::int64_t rows = again               ? inputs.integer("rows0")
                              : call == 0         ? 4 * inputs.draw(1, 6) + 2
                              : call == 1         ? inputs.draw(0, 2)
                              : call == very_long ? inputs.draw(66000, 67000)
                                                  : inputs.draw(6, 40);
    inputs.put("devices" + std::to_string(call), devices);
    inputs.put("rows" + std::to_string(call), rows);
    inputs.put("batch" + std::to_string(call),
               call == 3   ? (rand({rows}) * 256).to(kByte)
               : call == 4 ? randn({rows, 2, 1, 3}, kDouble)
                           : randn({rows, 3}));
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int call = 0; call < calls; ++call) {
    const Case one = case_of(inputs, call);
    const Tensor batch =
        inputs.tensor("batch" + std::to_string(call)).copy_to(one.source);
    std::vector<Tensor> parts;
    if (!outcome.attempt(one.name, [&] { parts = split_batch(batch, one.devices); }))
      continue;
    outcome.put(one.name + " parts", parts.size());
    outcome.put(one.name + " address",
                reinterpret_cast<std::int64_t>(batch.data_ptr()));
    for (std::size_t i = 0; i < std::min(parts.size(), one.devices.size()); ++i) {
      if (parts[i].defined()) outcome.result(part_of(one, i), parts[i]);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each = [&](ItemJudgement& item,
                        const std::function<void(const Case&, const Tensor&)>& look) {
    for (int call = 0; call < calls; ++call) {
      const Case one = case_of(inputs, call);
      outcome.require(one.name);
      item.equal(static_cast<std::int64_t>(one.devices.size()),
                 outcome.integer(one.name + " parts"), "parts", one.name);
      look(one, inputs.tensor("batch" + std::to_string(call)));
    }
  };
  judgement.item("rows", [&](ItemJudgement& item) {
    each(item, [&](const Case& one, const Tensor& batch) {
      std::vector<double> found;
      for (std::size_t i = 0; i < one.devices.size(); ++i) {
        const Tensor part = outcome.tensor(part_of(one, i));
        auto sizes = batch.sizes().vec();
        sizes[0] = part.dim() == 0 ? 0 : part.size(0);
        item.expect(part.dtype() == batch.dtype() && part.sizes() == sizes,
                    repr(sizes) + " of " + repr(batch.dtype()),
                    repr(part.sizes()) + " of " + repr(part.dtype()), part_of(one, i));
        const auto values = part.to(kDouble).to_vector<double>();
        found.insert(found.end(), values.begin(), values.end());
      }
      item.equal(batch.numel(), static_cast<std::int64_t>(found.size()),
                 "numbers in all parts", one.name);
      item.expect(found == batch.to(kDouble).to_vector<double>(),
                  "the rows of the batch in their order", "other rows", one.name);
    });
  });
  judgement.item("even", [&](ItemJudgement& item) {
    each(item, [&](const Case& one, const Tensor& /*batch*/) {
      std::vector<std::int64_t> sizes;
      for (std::size_t i = 0; i < one.devices.size(); ++i)
        sizes.push_back(outcome.tensor(part_of(one, i)).size(0));
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      item.expect(*most - *least <= 1, "parts that differ by at most one row",
                  "parts of " + repr(sizes) + " rows", one.name);
    });
  });
  judgement.item("places", [&](ItemJudgement& item) {
    each(item, [&](const Case& one, const Tensor& /*batch*/) {
      for (std::size_t i = 0; i < one.devices.size(); ++i)
        item.placed(outcome, part_of(one, i), one.devices[i]);
    });
    item.lacks_gpus(2);
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    each(item, [&](const Case& one, const Tensor& batch) {
      std::vector<std::int64_t> expected;
      for (std::size_t i = 0; i < one.devices.size(); ++i) {
        const auto bytes =
            outcome.tensor(part_of(one, i)).numel() * batch.element_size();
        if (bytes > 0 && !(one.devices[i] == one.source)) expected.push_back(bytes);
      }
      std::vector<std::int64_t> found;
      for (const LedgerEntry& entry : outcome.recording(one.name).crossings()) {
        if (entry.bytes > 0) found.push_back(entry.bytes);
      }
      std::sort(expected.begin(), expected.end());
      std::sort(found.begin(), found.end());
      item.expect(found == expected, "copies of " + repr(expected) + " bytes",
                  "copies of " + repr(found) + " bytes", one.name);
      item.equal(0, outcome.recording(one.name).copies_within(),
                 "copies within a device", one.name);
      std::int64_t place = outcome.integer(one.name + " address");
      for (std::size_t i = 0; i < one.devices.size(); ++i) {
        const Tensor part = outcome.tensor(part_of(one, i));
        if (one.devices[i] == one.source && part.numel() > 0) {
          item.expect(outcome.integer(part_of(one, i) + ".address") == place,
                      "rows in the memory of the batch", "a copy of them",
                      part_of(one, i));
        }
        place += part.nbytes();
      }
    });
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
