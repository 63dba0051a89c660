// SPDX-License-Identifier: MIT
// Section 3.2: data parallelism by hand: copies of the parameters, a part of the batch
// for each GPU, a sum of gradients.
#include <vector>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Data parallelism
//
// *Twenty minutes.* After this lesson you can train a network on several GPUs with
// nothing but `to()` and `narrow()`, say why the parts of a batch must be weighted, and
// show that the host does not keep the GPUs from working at the same time.
//
// Section 3.1 chose to split the data. A step then has four parts:
//
// 1. each GPU has a copy of all parameters;
// 2. each GPU gets some rows of the batch;
// 3. each GPU computes the gradients for its rows;
// 4. the gradients are added up, and every copy of the parameters takes the same step.
//
// The whole lesson is these four lines as code. The network has one hidden layer; its
// parameters are a list of four tensors.

using Parameters = std::vector<Tensor>;

Tensor network(const Tensor& x, const Parameters& p) {
  return relu(x.mm(p[0]) + p[1]).mm(p[2]) + p[3];
}

Parameters fresh_parameters() {
  manual_seed(1);
  return {randn({20, 64}) / 4, zeros({64}), randn({64, 10}) / 8, zeros({10})};
}

// %%
// **Copies of the parameters.** A copy on another device is a tensor of its own,
// without a history, and it needs a gradient. `detach()` cuts the history off. On the
// device where a parameter is already, `to()` would return the parameter itself, so we
// ask for a copy.

Parameters copy_to(const Parameters& parameters, Device device) {
  Parameters copies;
  for (const Tensor& parameter : parameters)
    copies.push_back(parameter.detach().copy_to(device).requires_grad_());
  return copies;
}

// %%
// **Rows for each GPU.** GPU i of k gets the rows from n·i/k up to n·(i + 1)/k. With
// this formula the parts differ by at most one row, and no row is missing or there
// twice. (The book's PyTorch code uses `nn.parallel.scatter`: 10 rows on four GPUs
// become 3, 3, 3 and 1.)

std::vector<Tensor> split(const Tensor& batch, const std::vector<Device>& devices) {
  const auto n = batch.size(0);
  const auto k = static_cast<std::int64_t>(devices.size());
  std::vector<Tensor> parts;
  for (std::int64_t i = 0; i < k; ++i) {
    const auto begin = n * i / k;
    parts.push_back(batch.narrow(0, begin, n * (i + 1) / k - begin)
                        .to(devices[static_cast<std::size_t>(i)]));
  }
  return parts;
}

int main() {
  const std::vector<Device> devices = try_all_gpus();
  const Tensor rows = arange(10).view({10, 1});
  std::vector<std::int64_t> sizes;
  for (const Tensor& part : split(rows, devices)) sizes.push_back(part.size(0));
  show(sizes);

  // %%
  // ## The gradient of a batch
  //
  // The loss of a batch is the mean over its examples, so that the learning rate does
  // not depend on the size of the batch. Here is the reference: the whole batch on one
  // device.
  manual_seed(2);
  const Tensor x = randn({50, 20});
  const Tensor labels = randint(10, {50}, TensorOptions(kLong));
  const Parameters parameters = fresh_parameters();

  const Parameters whole = copy_to(parameters, devices.front());
  cross_entropy_loss(network(x.to(devices.front()), whole), labels.to(devices.front()))
      .backward();
  show(whole[3].grad().norm());

  // %%
  // Now in parts. **Predict first.** Each GPU computes the mean loss of *its* rows, and
  // we add the gradients of all GPUs. By what factor is the sum too large with two
  // GPUs?
  const auto x_parts = split(x, devices);
  const auto label_parts = split(labels, devices);
  const auto added = [&](const std::vector<Parameters>& copies, std::size_t i) {
    Tensor sum = copies[0][i].grad().cpu();
    for (std::size_t d = 1; d < copies.size(); ++d)
      sum = sum + copies[d][i].grad().cpu();
    return sum;
  };
  std::vector<Parameters> copies;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    copies.push_back(copy_to(parameters, devices[d]));
    cross_entropy_loss(network(x_parts[d], copies[d]), label_parts[d]).backward();
  }
  show(added(copies, 3).norm());

  // %%
  // It is the gradient of about k times the loss. A step with it is a step with k times
  // the learning rate: nothing fails, and the training only gets worse. Dividing by k
  // afterwards is correct if all parts are equally large. With 50 rows on four GPUs
  // they are not, and the examples in the smaller parts would count more than the
  // others. So each part is weighted by its share of the rows, before the backward
  // pass:
  copies.clear();
  for (std::size_t d = 0; d < devices.size(); ++d) {
    copies.push_back(copy_to(parameters, devices[d]));
    const double share =
        static_cast<double>(x_parts[d].size(0)) / static_cast<double>(x.size(0));
    (cross_entropy_loss(network(x_parts[d], copies[d]), label_parts[d]) * share)
        .backward();
  }
  bool all_equal = true;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    all_equal = all_equal && added(copies, i).allclose(whole[i].grad().cpu(),
                                                       /*rtol=*/1e-4, /*atol=*/1e-6);
  }
  show(all_equal);

  // %%
  // ## At the same time?
  //
  // The loop above handles one GPU after the other. Yet the GPUs work at the same time,
  // if the host only *issues* work: it puts the first part into the queue of the first
  // GPU and continues with the second while the first computes. One wait in the loop
  // would end that. Such a wait is easy to write: `item()` of a loss, a `show` of a
  // gradient.
  //
  // **Predict first.** How often does the host wait in this loop, and how many copies
  // does it make?
  TransferLedger ledger;
  for (std::size_t d = 0; d < devices.size(); ++d) {
    for (const Tensor& parameter : copies[d])
      Tensor(parameter).mutable_grad() = Tensor();
    const double share =
        static_cast<double>(x_parts[d].size(0)) / static_cast<double>(x.size(0));
    (cross_entropy_loss(network(x_parts[d], copies[d]), label_parts[d]) * share)
        .backward();
  }
  show(ledger.synchronisations(), ledger.copies());

  // %%
  // None, and none. The parts of the batch and the parameters were on their devices
  // before.
  //
  // ## The step
  //
  // Each copy of the parameters must take the same step, with the same gradient.
  // `added` brings the gradients to main memory and adds them there. This is correct
  // and slow: the gradient of each parameter goes to main memory and back once for each
  // GPU, while no GPU has anything to do. The next section lets the GPUs do it
  // themselves.
  const double lr = 0.1;
  ledger.clear();
  {
    const NoGradGuard unrecorded;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Tensor gradient = added(copies, i);
      for (const Parameters& copy : copies)
        Tensor(copy[i]).sub_(gradient.to(copy[i].device()) * lr);
    }
  }
  show(ledger.copies(Direction::device_to_host),
       ledger.copies(Direction::host_to_device));

  bool still_equal = true;
  for (const Parameters& copy : copies) {
    for (std::size_t i = 0; i < copy.size(); ++i)
      still_equal = still_equal && copy[i].cpu().equal(copies[0][i].cpu());
  }
  show(still_equal);

  // %%
  // All copies are still equal, to the last bit, because all of them computed the same
  // numbers. That is what keeps the GPUs in step: nothing compares the parameters
  // later. If one copy ever gets a different gradient, the copies drift apart and no
  // error reports it.
  //
  // ## What to try next
  //
  // - Divide the sum by k instead of weighting the parts. How large is the error with
  //   four GPUs? With a batch of 52?
  // - Show the loss inside the loop that the ledger counted. What does the ledger say?
  // - What would happen with dropout? Which random numbers should the GPUs draw?
}
