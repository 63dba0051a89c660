// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr int most_parts = 4;

/// Part i has the device i; with fewer devices, several neighbours share one. x is on the last one.
Device device_of(int i, int parts) { return num_gpus() == 0 ? cpu() : gpu(i * std::min(num_gpus(), parts) / parts); }
Device device_of_x(int parts) { return device_of(parts - 1, parts); }

/// The devices other than that of x on which there is a matrix.
std::int64_t others(int parts) {
  std::int64_t count = 0;
  for (int i = 0; i < parts; ++i) {
    const bool is_new = i == 0 || !(device_of(i, parts) == device_of(i - 1, parts));
    count += is_new && !(device_of(i, parts) == device_of_x(parts)) ? 1 : 0;
  }
  return count;
}

std::string numbered(const std::string& what, int i) { return what + " " + std::to_string(i); }
std::string forward_of(int parts) { return "split_layers with " + counted(parts, "parts"); }
std::string backward_of(int parts) { return "backward() of " + counted(parts, "parts"); }

Tensor joined(const Inputs& inputs, const std::string& what, int parts, int dim) {
  std::vector<Tensor> all;
  for (int i = 0; i < parts; ++i) all.push_back(inputs.tensor(numbered(what, i)).to(kDouble));
  return cat(all, dim);
}

std::int64_t crossed_bytes(const Recording& recording) {
  std::int64_t bytes = 0;
  for (const LedgerEntry& entry : recording.crossings()) bytes += entry.bytes;
  return bytes;
}

}  // namespace

std::vector<Item> items() {
  return {{"result", 2, Kind::result, "the result is relu(x · W1) · W2, on the device of x", 1},
          {"gradients", 3, Kind::result, "x and all matrices have their gradients", 3},
          {"forward", 2, Kind::cost, "x goes once to each other device, and one result comes back", 2},
          {"backward", 1, Kind::cost, "the gradients of the same tensors go the other way", 2},
          {"host", 1, Kind::cost, "the host waits for nothing", 3}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  const auto features = inputs.draw(5, 9);
  const auto outputs = inputs.draw(2, 4);
  for (int i = 0; i < most_parts; ++i) {
    const auto hidden = inputs.draw(6, 12);
    inputs.put(numbered("W1", i), randn({features, hidden}));
    inputs.put(numbered("W2", i), randn({hidden, outputs}));
  }
  const auto rows = inputs.draw(3, 8);
  inputs.put("x", randn({rows, features}));
  inputs.put("change", randn({rows, outputs}));
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (int parts = 1; parts <= most_parts; ++parts) {
    const Tensor x = inputs.tensor("x").copy_to(device_of_x(parts)).requires_grad_();
    std::vector<Tensor> W1;
    std::vector<Tensor> W2;
    for (int i = 0; i < parts; ++i) {
      W1.push_back(inputs.tensor(numbered("W1", i)).copy_to(device_of(i, parts)).requires_grad_());
      W2.push_back(inputs.tensor(numbered("W2", i)).copy_to(device_of(i, parts)).requires_grad_());
    }
    Tensor result;
    if (!outcome.attempt(forward_of(parts), [&] { result = split_layers(x, W1, W2); })) continue;
    if (!result.defined()) continue;
    outcome.result(forward_of(parts), result.detach());
    const Tensor change = inputs.tensor("change").copy_to(result.device());
    if (!outcome.attempt(backward_of(parts), [&] { result.backward(change); })) continue;
    const auto put = [&](const std::string& name, const Tensor& tensor) {
      if (tensor.grad().defined()) outcome.result(backward_of(parts) + ", " + name, tensor.grad());
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
    for (int parts = 1; parts <= most_parts; ++parts) {
      static_cast<void>(outcome.recording(forward_of(parts)));
      const Tensor hidden = inputs.tensor("x").to(kDouble).mm(joined(inputs, "W1", parts, 1));
      const Tensor expected = where(hidden > 0, hidden, zeros_like(hidden)).mm(joined(inputs, "W2", parts, 0));
      item.placed(outcome, forward_of(parts), device_of_x(parts));
      item.close(expected.to(kFloat), outcome.tensor(forward_of(parts)), 1e-4, forward_of(parts));
    }
  });
  judgement.item("gradients", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= most_parts; ++parts) {
      static_cast<void>(outcome.recording(backward_of(parts)));
      const Tensor x = inputs.tensor("x").to(kDouble);
      const Tensor change = inputs.tensor("change").to(kDouble);
      Tensor of_x = zeros_like(x);
      const auto expect = [&](const std::string& name, Device device, const Tensor& expected) {
        const auto full_name = backward_of(parts) + ", " + name;
        item.placed(outcome, full_name, device);
        item.close(expected.to(kFloat), outcome.tensor(full_name), 1e-4, full_name);
      };
      for (int i = 0; i < parts; ++i) {
        const Tensor own_W1 = inputs.tensor(numbered("W1", i)).to(kDouble);
        const Tensor hidden = x.mm(own_W1);
        const Tensor active = (hidden > 0).to(kDouble);
        const Tensor of_hidden = change.mm(inputs.tensor(numbered("W2", i)).to(kDouble).t()) * active;
        expect(numbered("W2", i), device_of(i, parts), (hidden * active).t().mm(change));
        expect(numbered("W1", i), device_of(i, parts), x.t().mm(of_hidden));
        of_x = of_x + of_hidden.mm(own_W1.t());
      }
      expect("x", device_of_x(parts), of_x);
    }
  });
  const auto expect_bytes = [&](ItemJudgement& item, const std::string& call, int parts) {
    const auto& recording = outcome.recording(call);
    const auto bytes = others(parts) * (inputs.tensor("x").nbytes() + inputs.tensor("change").nbytes());
    item.equal(bytes, crossed_bytes(recording), "bytes between devices", call);
  };
  judgement.item("forward", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= most_parts; ++parts) expect_bytes(item, forward_of(parts), parts);
    item.lacks_gpus(2);
  });
  judgement.item("backward", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= most_parts; ++parts) expect_bytes(item, backward_of(parts), parts);
    item.lacks_gpus(2);
  });
  judgement.item("host", [&](ItemJudgement& item) {
    for (int parts = 1; parts <= most_parts; ++parts) {
      item.equal(0, outcome.recording(forward_of(parts)).synchronisations(), "waits of the host", forward_of(parts));
    }
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
