// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

// One to five parts. Neighbouring parts share a device; with five parts the devices
// alternate. With two parts there are more than 65535 rows; with three, float64 numbers
// and some tensors without gradients.
constexpr int max_parts = 5;
constexpr int long_parts = 2;
constexpr int wide_parts = 3;

Device device_of(int i, int parts) {
  if (num_gpus() == 0) return cpu();
  return gpu(parts == max_parts ? i % num_gpus()
                                : i * std::min(num_gpus(), parts) / parts);
}
Device device_of_x(int parts) { return device_of(parts - 1, parts); }

/// The devices other than that of x on which there is a matrix.
std::int64_t others(int parts) {
  std::vector<Device> found;
  for (int i = 0; i < parts; ++i) {
    const Device device = device_of(i, parts);
    const bool is_new = std::find(found.begin(), found.end(), device) == found.end();
    if (is_new && !(device == device_of_x(parts))) found.push_back(device);
  }
  return static_cast<std::int64_t>(found.size());
}

/// With float64, x and the first W1 require no gradients.
bool requires_gradient(const std::string& name, int parts) {
  return parts != wide_parts || (name != "x" && name != "W1 0");
}

std::string numbered(const std::string& what, int i) {
  return what + " " + std::to_string(i);
}
std::string forward_of(int parts) {
  return "split_layers with " + counted(parts, "parts");
}
std::string backward_of(int parts) {
  return "backward() of " + counted(parts, "parts");
}

Dtype dtype_of(int parts) { return parts == wide_parts ? kDouble : kFloat; }
double tolerance_of(int parts) { return parts == wide_parts ? 1e-12 : 1e-4; }

/// A tensor of a call. Each call has other numbers, so that none can be kept.
Tensor given(const Inputs& inputs, const std::string& what, int parts) {
  const bool has_rows = what == "x" || what == "change";
  const Tensor tensor =
      inputs.tensor(has_rows && parts == long_parts ? "long " + what : what);
  return (tensor.to(kDouble) * (1.0 + 0.125 * parts)).to(dtype_of(parts));
}

// x · W1 is exact in float32 and never 0, so that no rounding decides whether relu lets
// a value through: all numbers are eighths, those of x and of the first row of W1 odd
// ones, and the others of W1 even ones.
Tensor odd_eighths(const Tensor& values) { return (round(values * 4) * 2 + 1) / 8; }
Tensor even_eighths(const Tensor& values) { return round(values * 4) / 4; }

Tensor joined(const Inputs& inputs, const std::string& what, int parts, int dim) {
  std::vector<Tensor> all;
  for (int i = 0; i < parts; ++i)
    all.push_back(given(inputs, numbered(what, i), parts).to(kDouble));
  return cat(all, dim);
}

std::int64_t crossed_bytes(const Recording& recording) {
  std::int64_t bytes = 0;
  for (const LedgerEntry& entry : recording.crossings()) bytes += entry.bytes;
  return bytes;
}

}  // namespace

std::vector<Item> items() {
  return {{"result", 2, Kind::result,
           "the result is relu(x · W1) · W2, on the device of x", 1},
          {"gradients", 3, Kind::result, "x and all matrices have their gradients", 3},
          {"forward", 2, Kind::cost,
           "x goes once to each other device, and one result comes back", 2},
          {"backward", 1, Kind::cost,
           "the gradients of the same tensors go the other way", 2},
          {"host", 1, Kind::cost, "the host waits for nothing", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto features = inputs.draw(5, 9);
  const auto outputs = inputs.draw(2, 4);
  for (int i = 0; i < max_parts; ++i) {
    const auto hidden = inputs.draw(6, 12);
    Tensor W1 = even_eighths(randn({features, hidden}));
    W1[0].copy_(odd_eighths(W1[0]));
    inputs.put(numbered("W1", i), W1);
    inputs.put(numbered("W2", i), randn({hidden, outputs}));
  }
  const auto rows = inputs.draw(3, 8);
  inputs.put("x", odd_eighths(randn({rows, features})));
  inputs.put("change", randn({rows, outputs}));
  const auto many = inputs.draw(66000, 67000);
  inputs.put("long x", odd_eighths(randn({many, features})));
  inputs.put("long change", randn({many, outputs}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int parts = 1; parts <= max_parts; ++parts) {
    const auto leaf = [&](const std::string& name, Device device) {
      return given(inputs, name, parts)
          .copy_to(device)
          .requires_grad_(requires_gradient(name, parts));
    };
    const Tensor x = leaf("x", device_of_x(parts));
    std::vector<Tensor> W1;
    std::vector<Tensor> W2;
    for (int i = 0; i < parts; ++i) {
      W1.push_back(leaf(numbered("W1", i), device_of(i, parts)));
      W2.push_back(leaf(numbered("W2", i), device_of(i, parts)));
    }
    Tensor result;
    if (!outcome.attempt(forward_of(parts), [&] { result = split_layers(x, W1, W2); }))
      continue;
    if (!result.defined()) continue;
    outcome.result(forward_of(parts), result.detach());
    const Tensor change = given(inputs, "change", parts).copy_to(result.device());
    if (!outcome.attempt(backward_of(parts), [&] { result.backward(change); }))
      continue;
    const auto put = [&](const std::string& name, const Tensor& tensor) {
      if (tensor.grad().defined())
        outcome.result(backward_of(parts) + ", " + name, tensor.grad());
    };
    put("x", x);
    for (int i = 0; i < parts; ++i) {
      put(numbered("W1", i), W1[static_cast<std::size_t>(i)]);
      put(numbered("W2", i), W2[static_cast<std::size_t>(i)]);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  judgement.item("result", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= max_parts; ++parts) {
      outcome.require(forward_of(parts));
      const Tensor hidden =
          given(inputs, "x", parts).to(kDouble).mm(joined(inputs, "W1", parts, 1));
      const Tensor expected = where(hidden > 0, hidden, zeros_like(hidden))
                                  .mm(joined(inputs, "W2", parts, 0));
      item.placed(outcome, forward_of(parts), device_of_x(parts));
      item.close(expected.to(dtype_of(parts)), outcome.tensor(forward_of(parts)),
                 tolerance_of(parts), forward_of(parts));
    }
  });
  judgement.item("gradients", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= max_parts; ++parts) {
      outcome.require(backward_of(parts));
      const Tensor x = given(inputs, "x", parts).to(kDouble);
      const Tensor change = given(inputs, "change", parts).to(kDouble);
      Tensor of_x = zeros_like(x);
      const auto expect = [&](const std::string& name, Device device,
                              const Tensor& expected) {
        const auto full_name = backward_of(parts) + ", " + name;
        if (!requires_gradient(name, parts)) {
          item.expect(!outcome.contains(full_name), "no gradient",
                      "one that is not required", full_name);
          return;
        }
        item.placed(outcome, full_name, device);
        item.close(expected.to(dtype_of(parts)), outcome.tensor(full_name),
                   tolerance_of(parts), full_name);
      };
      for (int i = 0; i < parts; ++i) {
        const Tensor own_W1 = given(inputs, numbered("W1", i), parts).to(kDouble);
        const Tensor hidden = x.mm(own_W1);
        const Tensor active = (hidden > 0).to(kDouble);
        const Tensor of_hidden =
            change.mm(given(inputs, numbered("W2", i), parts).to(kDouble).t()) * active;
        expect(numbered("W2", i), device_of(i, parts),
               (hidden * active).t().mm(change));
        expect(numbered("W1", i), device_of(i, parts), x.t().mm(of_hidden));
        of_x = of_x + of_hidden.mm(own_W1.t());
      }
      expect("x", device_of_x(parts), of_x);
    }
  });
  // Without a gradient of x, only those of the results go back.
  const auto expect_bytes = [&](ItemJudgement& item, const std::string& call, int parts,
                                bool with_x) {
    const auto& recording = outcome.recording(call);
    const auto of_x = with_x ? given(inputs, "x", parts).nbytes() : 0;
    const auto bytes = others(parts) * (of_x + given(inputs, "change", parts).nbytes());
    item.equal(bytes, crossed_bytes(recording), "bytes between devices", call);
  };
  judgement.item("forward", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= max_parts; ++parts)
      expect_bytes(item, forward_of(parts), parts, true);
    item.lacks_gpus(2);
  });
  judgement.item("backward", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= max_parts; ++parts) {
      expect_bytes(item, backward_of(parts), parts, requires_gradient("x", parts));
    }
    item.lacks_gpus(2);
  });
  judgement.item("host", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= max_parts; ++parts) {
      for (const std::string& call : {forward_of(parts), backward_of(parts)}) {
        item.equal(0, outcome.recording(call).synchronisations(), "waits of the host",
                   call);
      }
    }
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
