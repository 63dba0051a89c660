// SPDX-License-Identifier: MIT
// Section 3.4: a training step on several GPUs, compared with that on one GPU, to the
// last bit where sums are exact.
#include <vector>

#include "d2l/distributed.h"
#include "d2l/show.h"

using namespace d2l;

// %%
// # Training
//
// *Twenty minutes.* After this lesson you can train a convolutional network on several
// GPUs, and prove that it is the same training as on one.
//
// We have all the parts: copies of the parameters and weighted parts of a batch
// (section 3.2), and an all-reduce (section 3.3). This lesson puts them together for
// LeNet, as the book does: a small network for pictures of digits, with two
// convolutional layers. (A *convolutional* layer computes each value from a small
// window of the picture, with the same weights everywhere.) Its parameters are a list,
// so that we can copy them to each GPU and see what happens to them.

using Parameters = std::vector<Tensor>;

Tensor lenet(const Tensor& images, const Parameters& p) {
  Tensor x = avg_pool2d(relu(conv2d(images, p[0], p[1])), 2);
  x = avg_pool2d(relu(conv2d(x, p[2], p[3])), 2);
  x = relu(x.flatten(1).mm(p[4]) + p[5]);
  return x.mm(p[6]) + p[7];
}

Parameters lenet_parameters() {
  manual_seed(1);
  return {
      randn({20, 1, 3, 3}) / 3, zeros({20}),  randn({50, 20, 5, 5}) / 22, zeros({50}),
      randn({800, 128}) / 28,   zeros({128}), randn({128, 10}) / 11,      zeros({10})};
}

Parameters copy_to(const Parameters& parameters, Device device) {
  Parameters copies;
  for (const Tensor& parameter : parameters)
    copies.push_back(parameter.detach().copy_to(device).requires_grad_());
  return copies;
}

// %%
// The step, for any network. `forward` computes the loss of some rows with one copy of
// the parameters. Each GPU adds its gradients up with those of the others: `all_reduce`
// of a list takes one tensor on each GPU.

template <class Forward>
void train_batch(const Tensor& x, const Tensor& y,
                 const std::vector<Parameters>& copies, double lr,
                 const Forward& forward) {
  const auto k = static_cast<std::int64_t>(copies.size());
  const auto n = x.size(0);
  for (std::int64_t i = 0; i < k; ++i) {
    const Parameters& own = copies[static_cast<std::size_t>(i)];
    const Device device = own[0].device();
    const auto begin = n * i / k;
    const auto rows = n * (i + 1) / k - begin;
    const Tensor loss = forward(x.narrow(0, begin, rows).to(device),
                                y.narrow(0, begin, rows).to(device), own);
    (loss * (static_cast<double>(rows) / static_cast<double>(n))).backward();
  }
  const NoGradGuard unrecorded;
  for (std::size_t p = 0; p < copies[0].size(); ++p) {
    std::vector<Tensor> gradients;
    for (const Parameters& copy : copies) gradients.push_back(copy[p].grad());
    distributed::all_reduce(gradients).wait();
    for (const Parameters& copy : copies) {
      Tensor(copy[p]).sub_(copy[p].grad() * lr);
      Tensor(copy[p]).mutable_grad() = Tensor();
    }
  }
}

int main() {
  distributed::init_process_group("local");
  const std::vector<Device> devices = try_all_gpus();

  // %%
  // ## One step of LeNet
  //
  // The images are random here, because we only count. **Predict first.** LeNet has
  // 129068 parameters. How many bytes does each of two GPUs send in a step? How many
  // messages go between the GPUs? How often does the host wait?
  std::vector<Parameters> copies;
  for (const Device device : devices)
    copies.push_back(copy_to(lenet_parameters(), device));
  std::int64_t count = 0;
  for (const Tensor& parameter : copies[0]) count += parameter.numel();
  const Tensor images = randn({64, 1, 28, 28});
  const Tensor labels = randint(10, {64}, TensorOptions(kLong));
  const auto classify = [](const Tensor& x, const Tensor& y, const Parameters& p) {
    return cross_entropy_loss(lenet(x, p), y);
  };

  TransferLedger ledger;
  train_batch(images, labels, copies, 0.2, classify);
  show(count);
  show(ledger.sent_bytes(devices.front()), ledger.sends(Connection::peer),
       ledger.synchronisations());

  // %%
  // With two GPUs, each sends 4 bytes for each of these numbers. They are in eight
  // tensors, so there are eight all-reduces of two steps: each GPU sends one half of a
  // tensor, then the other, so 8 * 2 * 2 messages go between the two. Some of these
  // messages are tiny: the ten numbers of the last bias travel alone, and a message has
  // a fixed cost. Section 3.6 sends several gradients together.
  //
  // ## Is it the same training?
  //
  // "The losses look alike" is not a proof. A wrong share changes the gradient only a
  // little, and the loss may still fall. We want equality, and to the bit. But a sum of
  // floating-point numbers depends on the order of its terms, and k GPUs add in a
  // different order from one. So we take a problem whose sums are exact: whole numbers
  // in double precision, with a batch size and a learning rate that are powers of two.
  // Then each order gives the same bits, and *any* difference is an error in the
  // program.
  const Tensor x = (arange(128).remainder(5) - 2).to(kDouble).view({16, 8});
  const Tensor y = arange(32).remainder(3).to(kDouble).view({16, 2});
  const auto regression = [](const Tensor& in, const Tensor& target,
                             const Parameters& p) {
    return (in.mm(p[0]) + p[1] - target).square().mean();
  };
  const Parameters start{(arange(16).remainder(3) - 1).to(kDouble).view({8, 2}),
                         zeros({2}, kDouble)};
  const auto train_on = [&](const std::vector<Device>& on) {
    std::vector<Parameters> each;
    for (const Device device : on) each.push_back(copy_to(start, device));
    for (int step = 0; step < 3; ++step) train_batch(x, y, each, 0.125, regression);
    return each;
  };
  const Parameters one = train_on({devices.front()})[0];
  const auto all = train_on(devices);
  show(all.back()[0].cpu().equal(one[0].cpu()),
       all.back()[1].cpu().equal(one[1].cpu()));

  // %%
  // This is the check that the library's own tests make, and that exercise checks can
  // make: choose numbers for which the correct result has no rounding, then compare
  // bits.
  //
  // **Predict first.** Suppose `train_batch` did not weight the losses, and every GPU
  // added the gradient of its own mean. With one GPU, would this check notice? With
  // two?
  const auto forgetful = [&](const Tensor& in, const Tensor& target,
                             const Parameters& p) {
    return regression(in, target, p) *
           (static_cast<double>(x.size(0)) / static_cast<double>(in.size(0)));
  };
  std::vector<Parameters> wrong;
  for (const Device device : devices) wrong.push_back(copy_to(start, device));
  train_batch(x, y, wrong, 0.125, forgetful);
  std::vector<Parameters> right{copy_to(start, devices.front())};
  train_batch(x, y, right, 0.125, regression);
  show(wrong[0][0].cpu().equal(right[0][0].cpu()));

  // %%
  // On one device the two programs are the same, and no test there finds the mistake. A
  // program for several GPUs must be tested with several GPUs, and virtual ones are
  // enough for that.
  //
  // ## How many examples in a step?
  //
  // With k GPUs you will want to give each as many rows as one had before. A step then
  // uses k times as many examples. That is a *different* training: there are fewer
  // steps in an epoch, and each has a more precise gradient. The book says that you may
  // then have to increase the learning rate; a few epochs of small steps at the start
  // help (Goyal et al., 2017). This is not a property of GPUs; one GPU with a batch k
  // times as large would behave in the same way. Batch normalisation is another matter:
  // each GPU computes the mean and the variance of its own rows only.
  distributed::destroy_process_group();

  // %%
  // ## What to try next
  //
  // - Let the batch have 50 images instead of 64. Are the two trainings still equal to
  //   the bit?
  // - Use a learning rate of 0.1 in the exact problem. Why do the bits differ now?
  // - Concatenate all gradients of a GPU with `cat` before the all-reduce. How many
  //   messages remain?
}
