// SPDX-License-Identifier: MIT
// Section 5.2: what float16 and bfloat16 can hold, where training with them fails, and
// mixed precision: autocast and a scale for the loss.
#include <optional>
#include <string>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Sixteen bits
//
// *Twenty-five minutes.* After this lesson you can say which numbers float16 and
// bfloat16 can hold, name the three places where training with them fails, and train a
// network in mixed precision.
//
// Most operations wait for memory (section 2.0). A number of two bytes in place of four
// halves that wait, and the memory for activations, and the bytes that ranks send. And
// the tensor cores of section 5.3 take their factors in 16 bits. So large models
// compute in 16 bits. What do they lose?
//
// A floating-point number is a sign, an *exponent* that says between which powers of
// two it is, and a *fraction* that says where between them. More bits of exponent give
// a larger range, more bits of fraction a finer grid. There are two ways to divide 16
// bits:
//
// | format | exponent | fraction | largest number | smallest, and with fewer bits |
// | --- | --- | --- | --- | --- |
// | float32 | 8 bits | 23 bits | 3.4 · 10³⁸ | 1.2 · 10⁻³⁸, 1.4 · 10⁻⁴⁵ |
// | float16 | 5 bits | 10 bits | 65504 | 6.1 · 10⁻⁵, 6.0 · 10⁻⁸ |
// | bfloat16 | 8 bits | 7 bits | 3.4 · 10³⁸ | 1.2 · 10⁻³⁸, 9.2 · 10⁻⁴¹ |
//
// bfloat16 is float32 without the last 16 bits of its fraction. float16 has eight times
// as many numbers between 1 and 2, and a range of only twelve powers of ten.
//
// **Predict first.** Each line below converts the same five numbers. Which of them
// become 0 or infinity in float16, and which in bfloat16?

int main() {
  manual_seed(5);
  const Device device = try_gpu();
  const auto on_device = [device](ScalarType dtype) {
    return TensorOptions(dtype).device(device);
  };
  const Tensor numbers =
      tensor({1e-8, 1e-5, 1.001, 65504.0, 70000.0}, on_device(kFloat));
  show(numbers.to(kHalf));
  show(numbers.to(kBFloat16));

  // %%
  // The range of float16 ends on both sides: 10⁻⁸ is 0, and 70000 is infinity. bfloat16
  // holds all five, but each only roughly. 65504 and 1.001 have become 65536 and 1,
  // their nearest neighbours.
  //
  // Neighbours are far apart. From 1 to 2, bfloat16 has 128 numbers, with a distance of
  // 1/128. From 2 to 4 there are 128, too, so the distance is twice as large, and so
  // on. What does that mean for whole numbers?
  show(tensor({256.0, 257.0, 258.0, 259.0}, on_device(kBFloat16)));
  show(tensor({2048.0, 2049.0, 2050.0, 2051.0}, on_device(kHalf)));

  // %%
  // From 256 on, bfloat16 has only the even numbers, and float16 from 2048 on. A number
  // halfway between two neighbours becomes the one whose last bit is 0.
  //
  // ## A sum that stops growing
  //
  // Here is the first place where training fails.
  //
  // **Predict first.** The loop adds 1 a thousand times. What is the total in bfloat16?
  Tensor total = zeros({1}, on_device(kBFloat16));
  for (int i = 0; i < 1000; ++i) total += 1;
  show(total, ones({1000}, on_device(kBFloat16)).sum());

  // %%
  // At 256 the sum stops: 257 lies halfway between 256 and 258, and becomes 256. The
  // method `sum()` of the same thousand ones is right, because it adds in float32, and
  // rounds once, at the end. All operations of the library do that, as those of PyTorch
  // do: products, means, normalisations, softmax. So do tensor cores. *The elements may
  // have 16 bits; their sums need more.*
  //
  // ## A weight that does not move
  //
  // The second place is the optimizer. A step adds a small number to a weight, such as
  // a thousandth of it.
  const auto after_100_steps = [&](ScalarType dtype) {
    Tensor weight = ones({1}, on_device(dtype));
    for (int step = 0; step < 100; ++step) weight -= 0.001;
    return weight;
  };
  show(after_100_steps(kFloat));
  show(after_100_steps(kBFloat16));
  show(after_100_steps(kHalf));

  // %%
  // A hundred steps of a thousandth each should lead from 1 to 0.9. In bfloat16 nothing
  // happens, however long you train: below 1, neighbours are 1/256 apart, and a step of
  // less than half of that is rounded away. float16 moves, by 0.00098 each time in
  // place of 0.001.
  //
  // So the weights stay in float32. They are called *master weights*. Each forward pass
  // converts them to 16 bits, and the optimizer changes the float32 ones.
  //
  // ## A gradient that vanishes
  //
  // The third place is `backward()`. A mean over many elements divides each gradient by
  // their number, and each layer multiplies it by weights below 1. Gradients of 10⁻⁸
  // are common, and they are 0 in float16.
  //
  // A gradient is a derivative of the loss. If the loss is multiplied by a number, so
  // are all gradients. Multiply the loss, let `backward()` run with gradients that
  // float16 can hold, and divide afterwards, in float32:
  const auto gradient = [&](float scale) {
    const Tensor weight = ones({1}, on_device(kHalf)).requires_grad_();
    const Tensor loss = (weight * 1e-4 * 1e-4).to(kFloat).sum();
    (loss * scale).backward();
    return weight.grad().to(kFloat) / scale;
  };
  show(gradient(1));
  show(gradient(16384));
  show(gradient(1e6));

  // %%
  // Without a scale the gradient is 0. With 16384 it is right, but for its last digits.
  // With a million it is infinite, since a million is more than float16 can hold. How
  // large may the scale be? As large as possible, and that changes in the course of
  // training. We come back to it.
  //
  // bfloat16 has the range of float32, and needs no scale. That is why it has become
  // the usual choice on cards that have it (NVIDIA's since 2020), although it is the
  // coarser one.
  //
  // ## Autocast
  //
  // To convert weights and activations by hand is easy to get wrong. With `Autocast`
  // you do not change the network. While an object of this class exists, operations
  // choose their dtypes:
  //
  // - products, linear layers, convolutions and attention convert their operands to 16
  //   bits;
  // - what needs range or many digits, such as losses, converts them to float32; on a
  //   GPU also sums, norms, softmax and exponentials;
  // - everything else takes what it gets.
  //
  // **Predict first.** The layer below has float32 parameters, and gets a float32
  // batch. Which dtypes do its result, the loss, and the gradient of its weight have?
  nn::Linear layer(64, 32);
  layer->to(device);
  const Tensor batch = randn({1024, 64}, device);
  Tensor result;
  Tensor loss;
  {
    const amp::Autocast autocast(device.type(), kBFloat16);
    result = relu(layer(batch));
    loss = mse_loss(result, zeros_like(result));
  }
  loss.backward();
  show(result.dtype(), loss.dtype(), layer->weight.grad().dtype());
  show(result.nbytes());

  // %%
  // The result has 1024 · 32 · 2 bytes, half of those of float32. Of this kind are the
  // activations that are kept for `backward()`, which are most of the memory of a
  // training step. The gradient has the dtype of its parameter, as always.
  //
  // `backward()` stands outside of the scope. It needs no Autocast: the derivative of
  // an operation computes in the dtype in which the operation did.
  //
  // A parameter is converted once, also if several operations use it. The copy lives to
  // the end of the scope, and to the end of `backward()` if a gradient needs it. So a
  // parameter takes 4 + 2 bytes in that time. Autocast saves memory for activations,
  // not for parameters.
  //
  // ## Does it learn?
  //
  // A linear layer is to learn ten small numbers, about 10⁻⁵. The loss is a mean over
  // 16384 examples, so that the gradients are small as well. `GradScaler` does what we
  // did by hand: `scale()` multiplies the loss, `step()` divides the gradients and
  // calls the optimizer. If it is not enabled, it does nothing of that.
  const Tensor x = randn({16384, 10}, device);
  const Tensor y = matmul(x, randn({10, 1}, device) * 1e-5);
  const auto train = [&](std::optional<ScalarType> dtype, amp::GradScaler scaler) {
    nn::Linear model(nn::LinearOptions(10, 1).bias(false));
    nn::init::zeros_(model->weight);
    model->to(device);
    optim::SGD optimizer(model->parameters(), /*lr=*/0.1);
    double first = 0;
    double last = 0;
    int skipped = 0;
    for (int step = 0; step < 60; ++step) {
      optimizer.zero_grad();
      Tensor error;
      {
        const amp::Autocast autocast(device.type(), dtype, dtype.has_value());
        error = mse_loss(model(x), y);
      }
      scaler.scale(error).backward();
      if (!scaler.step(optimizer)) ++skipped;
      scaler.update();
      last = error.item<double>();
      if (step == 0) first = last;
    }
    return std::tuple(last / first, skipped, scaler.get_scale());
  };
  const amp::GradScaler off({.enabled = false});
  const auto show_rest = [&](const char* how, double rest, double least, double most) {
    show_measured(rest, "of the first loss", least, most, how);
  };
  show_rest("float32", std::get<0>(train(std::nullopt, off)), 0, 1e-3);
  show_rest("bfloat16", std::get<0>(train(kBFloat16, off)), 0, 1e-2);
  show_rest("float16", std::get<0>(train(kHalf, off)), 0.999, 1.001);
  const amp::GradScaler usual;
  show_rest("float16 with a scale", std::get<0>(train(kHalf, usual)), 0, 1e-2);

  // %%
  // In float16 without a scale, the loss has not changed at all: every gradient is 0.
  // No message says so. With the scale, which begins at 65536, it learns as well as in
  // bfloat16. (float32 comes nearer to 0, because there the products are not rounded.)
  // If a network learns in float32 and not in float16, suspect a missing scale first.
  //
  // ## Too large a scale
  //
  // The scale should be large, so that few gradients vanish, but none may become
  // infinite. `GradScaler` finds it: if a gradient is infinite or no number, `step()`
  // leaves the step out, and the next scale is half as large. After 2000 good steps in
  // a row it doubles the scale.
  //
  // **Predict first.** The scale begins at 2³⁶, which is far too large. How many of the
  // 60 steps are left out: more than half of them, or fewer than 10?
  const double far_too_large = static_cast<double>(1LL << 36);
  const auto [rest, skipped, scale] =
      train(kHalf, amp::GradScaler({.init_scale = far_too_large}));
  show(skipped, far_too_large / scale);
  show_measured(rest, "of the first loss", 0, 1e-2, "float16 with this scale");

  // %%
  // Each step that is left out halves the scale, so a handful of them is enough. The
  // search costs a few steps in thousands, so nobody chooses a scale by hand.
  //
  // To look for infinite gradients is work for the GPU, but to leave out a step is a
  // decision of the host, which must know the result. So `step()` waits for the GPU
  // once. It is the only wait that mixed precision adds, and bfloat16 has not even
  // that.
  //
  // ## What to try next
  //
  // - Convert the whole model with `model->to(kBFloat16)`, and train without Autocast.
  //   How near does the loss come to 0, and which of the three places is to blame?
  // - Add the thousand ones in float16, and then three thousand. Where does the total
  //   stop, and why there?
  // - Ask a `TransferLedger` how many bytes a step of `DistributedDataParallel` sends
  //   with float32 gradients. What would 16 bits change, and what would it risk?
}
