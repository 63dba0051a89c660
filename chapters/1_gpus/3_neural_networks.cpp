// SPDX-License-Identifier: MIT
// Section 1.3: a network on a GPU: where its parameters are, also before they have a
// shape, and inputs on other devices.
#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Neural networks and GPUs
//
// *Twenty minutes.* After this lesson you can move a network to a device, prove that it
// is there, and explain what happens to parameters that have no shape yet.
//
// A network is a function and the numbers that it uses, its *parameters*. Parameters
// are tensors, and an operation runs where its operands are (section 1.2). So a network
// runs on a GPU when its parameters and its input are there. The code of the function
// does not change.

int main() {
  manual_seed(5);
  const Tensor X = ones({2, 3}, try_gpu());
  const nn::Sequential net(nn::Linear(3, 1));
  show(net);
  const Tensor weight = net[0]->as<nn::Linear>()->weight;
  show(weight);

  // %%
  // One layer, from three numbers to one: X times a row of three weights, plus a bias.
  // It was made in main memory, because we did not name another device, and its
  // parameters start as random numbers.
  //
  // ## Moving a network
  //
  // **Predict first.** `to` moves a whole network. How many copies is that here, and of
  // how many bytes?
  TransferLedger ledger;
  net->to(try_gpu());
  show(ledger.summary());

  // %%
  // One copy per parameter: three weights of four bytes each, and one bias. The memory
  // that they used before is released. (Without a GPU, `try_gpu()` is the CPU. The
  // network is there already, so nothing is copied.) A large network has hundreds of
  // parameter tensors, with billions of numbers in them, so moving it takes hundreds of
  // copies. Do it once. If you move it in every step, you pay for the copies in every
  // step.
  //
  // We took `weight` before the move. A tensor's `to` returns another tensor. A
  // network's `to` keeps the same parameters and changes where their elements are.
  // Every handle to a parameter sees the move, which is just what an optimizer needs:
  show(net[0]->as<nn::Linear>()->weight.data().device(),
       net[0]->as<nn::Linear>()->weight.is_same(weight));

  // %%
  // A label can be wrong, so we ask the driver which device owns the memory. It agrees:
  show(testing::owner(weight) == try_gpu(), testing::placed(weight));

  // %%
  // ## A network that does not know its input size
  //
  // It is tedious to count the inputs of each layer by hand, and the count becomes
  // wrong when you change the layer before. A *lazy* layer only needs its number of
  // outputs. The number of inputs is taken from its first input.
  const nn::Sequential lazy(nn::LazyLinear(1));
  const Tensor lazy_weight = lazy[0]->as<nn::LazyLinear>()->weight;
  show(lazy);
  show(lazy_weight);

  // %%
  // Its parameters have names, but no shape and no values. If you ask for either, your
  // program does things in the wrong order, and you get an error:
  try {
    show(lazy_weight.sizes());
  } catch (const ValueError& error) {
    show(error.what());
  }
  try {
    show(lazy_weight + 1);
  } catch (const ValueError& error) {
    show(error.what());
  }

  // %%
  // You can still move such a network. What is there to move?
  //
  // **Predict first.** What will the ledger show for these two lines? Note that the
  // second line creates the parameters and fills them with random numbers. On which
  // device does that happen?
  ledger.clear();
  lazy->to(try_gpu());
  const Tensor Y = lazy(X);
  show(ledger.copies(), ledger.synchronisations());
  show(lazy_weight.device());

  // %%
  // No copy at all. The parameters stored the device that they were sent to. When the
  // shape of `X` was known, their elements were allocated in the memory of that device
  // and filled there. This library draws the same random numbers on every device, so
  // the network is the same, too. (PyTorch draws other numbers on a GPU than on the
  // CPU.) From now on it is an ordinary layer:
  show(lazy);
  show(lazy_weight);

  // %%
  // ## The output
  //
  // Both rows of `X` contain only ones. Both are multiplied by the same weights, so
  // both rows of the output are equal. Look at the end of the printed tensor. The
  // result is on the device of `X` and the parameters, and it stores the operation that
  // made it, a product plus something (`Addmm`). `backward()` will go back from there.
  show(Y);

  // %%
  // **Predict first.** `backward()` leaves a gradient at each parameter. On which
  // device is it, and was anything copied to the host on the way?
  ledger.clear();
  Y.sum().backward();
  show(ledger.copies(Direction::device_to_host), ledger.synchronisations());
  show(lazy_weight.grad());
  show(testing::owner(lazy_weight.grad()) == try_gpu());

  // %%
  // Each weight was multiplied by a one in both rows, so each gradient is two.
  // Everything happened on the device of the parameters. If gradients had to be copied
  // to their parameters, every step would be slow.
  //
  // ## An input on another device
  //
  // The library does not move an input to its network, for the same reason that it does
  // not move an operand of a sum (section 1.2). A copy in every step should be visible
  // in your code, and it should be your decision. An input that is still in main memory
  // is the most common mistake with networks on a GPU. This is the error:
  try {
    show(lazy(ones({2, 3})));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // It names both devices, the operands (bias, input and weights) and the line that
  // fixes it. (Without a GPU there is only one place, so the line above worked. That is
  // why programs written on a laptop get this error on the server. With
  // `D2L_VIRTUAL_GPUS=1` you find it on the laptop.)
  //
  // ## Moving back
  //
  // You can move a network back to main memory, together with its gradients, for
  // example to look at it or to write it to a file:
  lazy->to(cpu());
  show(lazy_weight.device(), lazy_weight.grad().device());
  for (const auto& parameter : lazy->named_parameters())
    show(parameter.key(), testing::owner(parameter.value()));

  // %%
  // ## What to try next
  //
  // - Give `lazy` a second input of another width, `ones({2, 4}, try_gpu())`. What did
  //   the first input fix?
  // - `nn::Sequential(nn::LazyLinear(256), nn::ReLU(), nn::LazyLinear(10))`: how many
  //   copies does `to` make before the first input, and how many after it?
  // - With two GPUs, move the network to `gpu(1)` and leave `X` where it is. Which of
  //   the two does the error advise you to move, and which would you move?
  // - In section 1.3.1 a trainer moves the model and the data for you.
}
