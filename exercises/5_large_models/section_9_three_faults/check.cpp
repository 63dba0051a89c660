// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr std::int64_t classes = 3;
constexpr int epochs = 2;

struct Case {
  const char* name;
  bool momentum;
};
constexpr Case cases[] = {
    {"small batches", false}, {"momentum", true}, {"one batch", false}};

std::string of_epoch(const Case& one, int epoch) {
  return std::string("train_epoch, ") + one.name + ", call " +
         std::to_string(epoch + 1);
}
std::int64_t number(const Inputs& inputs, const Case& one, const char* what) {
  return inputs.integer(key(one.name, what));
}

/// Two layers; the weights are those of the case.
nn::Sequential net_of(const Inputs& inputs, const Case& one) {
  const std::int64_t columns = number(inputs, one, "columns");
  const std::int64_t width = number(inputs, one, "width");
  nn::Sequential net(nn::Linear(columns, width), nn::Tanh(),
                     nn::Linear(width, classes));
  const NoGradGuard no_grad;
  for (std::size_t i = 0; i < 4; ++i)
    net->parameters()[i].copy_(
        inputs.tensor(key(one.name, "parameter") + std::to_string(i)));
  return net;
}

optim::SGDOptions options_of(const Inputs& inputs, const Case& one) {
  const double lr = static_cast<double>(number(inputs, one, "lr")) / 1000;
  return optim::SGDOptions(lr).momentum(one.momentum ? 0.9 : 0);
}

Examples examples_of(const Inputs& inputs, const Case& one, int epoch) {
  const auto name = of_epoch(one, epoch);
  return {inputs.tensor(key(name, "inputs")), inputs.tensor(key(name, "labels"))};
}

Tensor flat(const nn::Sequential& net) {
  std::vector<Tensor> parts;
  for (const Tensor& one : net->parameters()) parts.push_back(one.detach().flatten());
  return cat(parts);
}

struct Expected {
  std::vector<Tensor> parameters;  // after each epoch
  std::vector<Tensor> reports;     // loss and accuracy
  std::vector<double> close;       // examples whose two largest scores are nearly equal
};

/// The statement in float64, on the CPU.
Expected expected(const Inputs& inputs, const Case& one) {
  nn::Sequential net = net_of(inputs, one);
  net->to(kDouble);
  optim::SGD optimizer(net->parameters(), options_of(inputs, one));
  const std::int64_t batch = number(inputs, one, "batch");
  Expected expected;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const Examples examples = examples_of(inputs, one, epoch);
    const Tensor all = examples.inputs.to(kDouble);
    const Tensor mean = all.mean(0);
    const Tensor standard = (all - mean) / (all - mean).square().mean(0).sqrt();
    const std::int64_t n = all.size(0);
    double loss_sum = 0;
    double right = 0;
    double close = 0;
    for (std::int64_t first = 0; first < n; first += batch) {
      const Tensor labels = examples.labels.narrow(0, first, batch);
      optimizer.zero_grad(/*set_to_none=*/true);
      const Tensor scores = net(standard.narrow(0, first, batch));
      const Tensor loss = cross_entropy_loss(scores, labels);
      loss.backward();
      optimizer.step();
      loss_sum += loss.item<double>();
      right += (scores.argmax(1) == labels).sum().item<double>();
      const Tensor largest = std::get<0>(scores.detach().topk(2, 1));
      close +=
          (largest.select(1, 0) - largest.select(1, 1) < 2e-4).sum().item<double>();
    }
    expected.parameters.push_back(flat(net));
    expected.close.push_back(close);
    expected.reports.push_back(tensor(std::vector<double>{
        loss_sum * static_cast<double>(batch) / static_cast<double>(n),
        right / static_cast<double>(n)}));
  }
  return expected;
}

Device the_device() { return num_gpus() == 0 ? cpu() : gpu(num_gpus() - 1); }

/// The launches that are not on the network's GPU; pinning memory copies within the
/// host.
std::int64_t computed_elsewhere(const Recording& recording) {
  std::int64_t count = 0;
  for (const LedgerEntry& entry : recording.entries) {
    const bool copies = entry.queue.is_cpu() && entry.name == "copy";
    const bool launch = entry.kind == LedgerEntry::Kind::launch && !copies;
    count += launch && entry.queue != the_device() ? 1 : 0;
  }
  return count;
}

/// On which the limits of a call depend.
struct Sizes {
  std::int64_t steps;
  std::int64_t parameters;  // bytes
  std::int64_t batch;       // bytes of its inputs
  std::int64_t inputs;      // bytes of all
  std::int64_t examples;    // bytes of the inputs and the labels
};
Sizes sizes_of(const Inputs& inputs, const Case& one) {
  const Examples examples = examples_of(inputs, one, 0);
  const std::int64_t steps = examples.inputs.size(0) / number(inputs, one, "batch");
  std::int64_t parameters = 0;
  for (int i = 0; i < 4; ++i)
    parameters +=
        inputs.tensor(key(one.name, "parameter") + std::to_string(i)).nbytes();
  const std::int64_t bytes = examples.inputs.nbytes();
  return {steps, parameters, bytes / steps, bytes, bytes + examples.labels.nbytes()};
}

}  // namespace

std::vector<Item> items() {
  return {{"values", 3, Kind::result, "parameters, loss and accuracy are right", 1},
          {"copies", 3, Kind::cost, "few copies to the GPU, each example once", 2},
          {"bytes", 3, Kind::cost, "what stays the same is computed once", 3},
          {"waits", 3, Kind::cost, "the host reads the results at the end", 4},
          {"place", 2, Kind::placement, "all work is on the GPU of the network", 1}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const Case& one : cases) {
    const bool single = one.name == std::string("one batch");
    const std::int64_t columns = inputs.draw(12, 20);
    const std::int64_t width = inputs.draw(8, 12);
    const std::int64_t batch = single ? inputs.draw(500, 700) : inputs.draw(24, 40);
    const std::int64_t n = single ? batch : batch * inputs.draw(50, 60);
    inputs.put(key(one.name, "columns"), columns);
    inputs.put(key(one.name, "width"), width);
    inputs.put(key(one.name, "batch"), batch);
    inputs.put(key(one.name, "lr"),
               one.momentum ? inputs.draw(20, 40) : inputs.draw(200, 400));
    const std::vector<Tensor> parameters{
        randn({width, columns}) * 0.3, randn({width}) * 0.3,
        randn({classes, width}) * 0.3, randn({classes}) * 0.3};
    for (std::size_t i = 0; i < 4; ++i)
      inputs.put(key(one.name, "parameter") + std::to_string(i), parameters[i]);
    const Tensor rule = randn({columns, classes});
    for (int epoch = 0; epoch < epochs; ++epoch) {
      const Tensor standard = randn({n, columns});
      const auto name = of_epoch(one, epoch);
      inputs.put(key(name, "inputs"),
                 standard * (rand({columns}) * 3 + 0.5) + randn({columns}) * 2);
      inputs.put(key(name, "labels"),
                 (standard.matmul(rule) + randn({n, classes})).argmax(1));
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  const Device device = the_device();
  for (const Case& one : cases) {
    nn::Sequential net = net_of(inputs, one);
    net->to(device);
    optim::SGD optimizer(net->parameters(), options_of(inputs, one));
    // What is left from an earlier step is no gradient of the first step.
    for (const Tensor& parameter : net->parameters())
      Tensor(parameter).mutable_grad() = ones_like(parameter);
    for (int epoch = 0; epoch < epochs; ++epoch) {
      const auto name = of_epoch(one, epoch);
      const Examples examples = examples_of(inputs, one, epoch);
      Report report;
      const bool returned = outcome.attempt(name, [&] {
        report = train_epoch(net, optimizer, examples, number(inputs, one, "batch"));
      });
      if (!returned) return;
      outcome.result(key(name, "parameters"), flat(net));
      outcome.put(key(name, "report"),
                  tensor(std::vector<double>{report.loss, report.accuracy}));
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  using Look = std::function<void(const Case&, const Sizes&, const std::string&)>;
  const auto each = [&](const Look& look) {
    for (const Case& one : cases) {
      for (int epoch = 0; epoch < epochs; ++epoch) {
        outcome.require(of_epoch(one, epoch));
        look(one, sizes_of(inputs, one), of_epoch(one, epoch));
      }
    }
  };
  judgement.item("values", [&](ItemJudgement& item) {
    for (const Case& one : cases) {
      const Expected right = expected(inputs, one);
      for (int epoch = 0; epoch < epochs; ++epoch) {
        const auto e = static_cast<std::size_t>(epoch);
        const auto name = of_epoch(one, epoch);
        outcome.require(name);
        const Tensor report = outcome.tensor(key(name, "report"));
        const double n =
            static_cast<double>(inputs.tensor(key(name, "inputs")).size(0));
        item.close(right.parameters[e].to(kFloat),
                   outcome.tensor(key(name, "parameters")), 2e-4, name);
        item.close(right.reports[e].narrow(0, 0, 1), report.narrow(0, 0, 1), 1e-4,
                   key(name, "loss"));
        // Rounding may change which of two scores is the larger one.
        item.close(right.reports[e].narrow(0, 1, 1), report.narrow(0, 1, 1),
                   (right.close[e] + 0.5) / n, key(name, "accuracy"), 1);
      }
    }
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    each([&](const Case& /*one*/, const Sizes& sizes, const std::string& name) {
      const Recording& recording = outcome.recording(name);
      item.at_most(2 * sizes.steps + 4, recording.copies(Direction::host_to_device),
                   "copies to the GPU", name);
      item.at_most(sizes.examples + 4096,
                   recording.copied_bytes(Direction::host_to_device),
                   "bytes copied to the GPU", name);
      item.at_least(sizes.inputs, recording.copied_bytes(Direction::host_to_device),
                    "bytes copied to the GPU", name);
    });
  });
  judgement.item("bytes", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    each([&](const Case& /*one*/, const Sizes& sizes, const std::string& name) {
      const Recording& recording = outcome.recording(name);
      std::int64_t bytes = 0;
      for (const LedgerEntry& entry : recording.entries)
        bytes += entry.kind == LedgerEntry::Kind::launch ? entry.bytes : 0;
      item.at_most(
          sizes.steps * 60 * (sizes.parameters + sizes.batch) + 20 * sizes.inputs,
          bytes, "bytes of launches", name);
      item.at_most(80 * sizes.steps + 60, recording.launches(), "launches", name);
    });
  });
  judgement.item("waits", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    each([&](const Case& /*one*/, const Sizes& /*sizes*/, const std::string& name) {
      const Recording& recording = outcome.recording(name);
      item.at_most(2, recording.copies_to_host(), "copies to main memory", name);
      item.at_most(16, recording.copied_bytes(Direction::device_to_host),
                   "bytes copied to main memory", name);
      item.at_most(4, recording.synchronisations(), "waits of the host", name);
    });
  });
  judgement.item("place", [&](ItemJudgement& item) {
    if (item.lacks_gpus(1)) return;
    each([&](const Case& /*one*/, const Sizes& sizes, const std::string& name) {
      const Recording& recording = outcome.recording(name);
      item.placed(outcome, key(name, "parameters"), the_device());
      item.at_least(sizes.steps, recording.launches(the_device()),
                    "launches on the GPU", name);
      item.equal(0, computed_elsewhere(recording), "launches elsewhere", name);
    });
  });
}

}  // namespace d2l::check
