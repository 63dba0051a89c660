// SPDX-License-Identifier: MIT
// Section 1.3: a network on a GPU; where its parameters are, before they exist too, and what an input elsewhere brings.
#include "d2l/show.h"
#include "d2l/testing.h"

using namespace d2l;

// %%
// # Neural networks and GPUs
//
// *Twenty minutes.* Afterwards you can put a network on a device, prove that it is there, and say what
// becomes of parameters that have no shape yet.
//
// A network is a function and the numbers that it uses, its *parameters*; and those are tensors. An
// operation runs where its operands are (section 1.2). So there is nothing to a network on a GPU but
// this: its parameters are there, and its input as well. The code of the function stays as it is.

int main() {
  manual_seed(5);
  const Tensor X = ones({2, 3}, try_gpu());
  const nn::Sequential net(nn::Linear(3, 1));
  show(net);
  const Tensor weight = net[0]->as<nn::Linear>()->weight;
  show(weight);

  // %%
  // One layer, from three numbers to one: X times a row of three weights, and a bias. It was made in main
  // memory, as everything is of which nobody says otherwise, and its parameters begin with random numbers.
  //
  // ## Moving it
  //
  // **Predict first.** `to` moves a whole network. How many copies is that here, and of how many bytes?
  TransferLedger ledger;
  net->to(try_gpu());
  show(ledger.summary());

  // %%
  // One copy for each parameter, three weights of four bytes and one bias, and the memory that they left is
  // given back. (Where there is no GPU, `try_gpu()` is the CPU, the network is there already, and nothing is
  // what it costs.) A large network has some hundred parameters, so moving it is some hundred copies, once;
  // whoever moves it in every step pays them in every step.
  //
  // We took `weight` before the move. A tensor's `to` gives you another tensor; a network's `to` lets each
  // parameter stay the tensor that it is, and changes where its elements are. Whoever holds one sees the
  // move, which an optimizer will be glad of:
  show(net[0]->as<nn::Linear>()->weight.data().device(), net[0]->as<nn::Linear>()->weight.is_same(weight));

  // %%
  // A device is easily *said*. The driver knows whose memory an address is; here it agrees:
  show(testing::owner(weight) == try_gpu(), testing::placed(weight));

  // %%
  // ## A network that does not know its input
  //
  // Counting the inputs of each layer by hand is tedious, and wrong when the layer before changes. A *lazy*
  // layer is told its outputs alone, and learns the rest from the first input that it meets.
  const nn::Sequential lazy(nn::LazyLinear(1));
  const Tensor unborn = lazy[0]->as<nn::LazyLinear>()->weight;
  show(lazy);
  show(unborn);

  // %%
  // Its parameters exist by name, and have no shape and no values. To ask for either is a mistake in the
  // order of your program, and it is answered as one:
  try {
    show(unborn.sizes());
  } catch (const ValueError& error) {
    show(error.what());
  }
  try {
    show(unborn + 1);
  } catch (const ValueError& error) {
    show(error.what());
  }

  // %%
  // And yet such a network can be moved. What is there to move?
  //
  // **Predict first.** What will the ledger hold of these two lines? Mind that the parameters come to be in
  // the second, with numbers drawn at random. Where are they drawn?
  ledger.clear();
  lazy->to(try_gpu());
  const Tensor Y = lazy(X);
  show(ledger.copies(), ledger.synchronisations());
  show(unborn.device());

  // %%
  // No copy at all. The parameters remembered where they had been sent, and when `X` had told them
  // their shape they were born there: memory of that device, filled by that device. The random numbers are
  // the same on every device, so the network is too. From now on it is an ordinary layer:
  show(lazy);
  show(unborn);

  // %%
  // ## What comes out
  //
  // `X` holds ones in both of its rows, so both rows meet the same weights, and what comes out is equal too.
  // Look at the end of what is printed. The result is where `X` and the parameters are, and it remembers what
  // made it: a product to which something was added. `backward()` will go back that way.
  show(Y);

  // %%
  // **Predict first.** Going back leaves a gradient at each parameter. On which device is it, and did
  // anything cross to the host on the way?
  ledger.clear();
  Y.sum().backward();
  show(ledger.copies(Direction::device_to_host), ledger.synchronisations());
  show(unborn.grad());
  show(testing::owner(unborn.grad()) == try_gpu());

  // %%
  // Each weight was multiplied by a one in either row, hence the twos. All of it happened beside the
  // parameters; a gradient that had to travel to reach them would make every step as slow as a copy.
  //
  // ## An input from elsewhere
  //
  // The library does not move an input to its network, for the reason that it does not move one operand of a
  // sum to the other (section 1.2): a copy in every step is what you should see in your code, and decide on.
  // An input that was left in main memory is the commonest mistake with networks on a GPU. It sounds so:
  try {
    show(lazy(ones({2, 3})));
  } catch (const DeviceError& error) {
    show(error.what());
  }

  // %%
  // Both devices are named, the operands (bias, input and weights), and the line that mends it. (Without a GPU there is
  // one place, so the line above found nothing amiss. That is why programs written on a laptop meet this error on the
  // server. `D2L_VIRTUAL_GPUS=1` lets the laptop find it.)
  //
  // ## Back again
  //
  // What can be sent there can be sent back, gradients and all, for instance to be looked at or to be
  // written to a file:
  lazy->to(cpu());
  show(unborn.device(), unborn.grad().device());
  for (const auto& parameter : lazy->named_parameters()) show(parameter.key(), testing::owner(parameter.value()));

  // %%
  // ## What to try next
  //
  // - Give `lazy` a second input of another width, `ones({2, 4}, try_gpu())`. What did the first one settle?
  // - `nn::Sequential(nn::LazyLinear(256), nn::ReLU(), nn::LazyLinear(10))`: how many copies does `to` make
  //   before its first input, and how many after?
  // - With two GPUs, move the network to `gpu(1)` and leave `X` where it is. Which of the two does the error
  //   advise you to move, and which would you?
  // - Section 1.3.1 lets a trainer do the moving.
}
