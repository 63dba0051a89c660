// SPDX-License-Identifier: MIT
// Section 5.7: sharded training: each rank keeps a part of the parameters, gradients
// and optimizer state. What that saves, and what it sends.
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "d2l/distributed.h"
#include "d2l/figures.h"
#include "d2l/parallel.h"
#include "d2l/safetensors.h"
#include "d2l/sharding.h"
#include "d2l/show.h"
#include "d2l/start_ranks.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Sharded training
//
// *Thirty minutes.* After this lesson you can train a model whose optimizer state fits
// on no single device. You can say what each of N ranks keeps, what it needs at the
// peak of a step, and what it sends.
//
// In float32, Adam needs 16 bytes for each parameter (section 5.1): the parameter, its
// gradient, and two averages. With the data parallelism of sections 3.2 and 4.5, every
// rank has all of them, and they are the same on all ranks. More GPUs make a step
// faster, but the largest model that can be trained stays the same.
//
// ZeRO (Rajbhandari et al., 2020) stores each of these numbers once. To *shard* a
// tensor is to divide it between the ranks. With P parameters and N ranks, in float32:
//
// | | parameters | gradients | Adam's state | bytes on a rank |
// | --- | --- | --- | --- | --- |
// | data parallelism | whole | whole | whole | 16 P |
// | ZeRO 1 | whole | whole | sharded | 8 P + 8 P/N |
// | ZeRO 2 | whole | sharded | sharded | 4 P + 12 P/N |
// | ZeRO 3 | sharded | sharded | sharded | 16 P/N |
//
// (The paper has 16-bit parameters and gradients, and a float32 copy of the parameters
// in the optimizer. That is 2 + 2 + 12, the same sum.)

int main() {
  // %%
  // ## Four ranks
  //
  // Four processes begin here, as in chapter 4. Each takes the GPU of its local rank,
  // or the CPU. They share no memory, so what a ledger counts is what one rank needs:
  // on a GPU, or in the main memory of its process. On servers it is the same program.
  start_ranks(4);
  dist::init_process_group("gloo");
  const int rank = dist::get_rank();
  const int size = dist::get_world_size();
  const std::vector<Device>& own = dist::local_devices();
  const Device device =
      own.empty() ? cpu()
                  : own[static_cast<std::size_t>(dist::get_local_rank()) % own.size()];

  // The network: four layers of 512 · 512 weights and 512 biases.
  constexpr std::int64_t width = 512;
  constexpr std::int64_t layers = 4;
  const auto make_net = [&] {
    nn::Sequential net;
    for (std::int64_t i = 0; i < layers; ++i) net->push_back(nn::Linear(width, width));
    net->to(device);
    return net;
  };
  manual_seed(static_cast<std::uint64_t>(rank));  // each rank has its own examples
  const Tensor x = randn({2, width}, device);
  constexpr std::int64_t p = layers * (width * width + width);
  show(size, p);

  // %%
  // P is a little more than a million, so a byte for each parameter is about 1 MB, and
  // a layer of P/4 parameters has as much. Each rank has only two examples, so that the
  // activations are small: a result has 4096 bytes.
  //
  // The next function makes a step, and returns three numbers of a second one: the
  // bytes that are still there after it, the most bytes that were there during it, and
  // the bytes that this rank has sent. (As the gradient of the output we take the
  // output itself, which belongs to the loss |y|²/2.)
  const auto allocated = [device] {
    return TransferLedger().memory_over_time(device).front().bytes;
  };
  const std::int64_t begin = allocated();
  const auto step_with = [&](auto& model, optim::Optimizer& optimizer) {
    optimizer.zero_grad(/*set_to_none=*/true);
    const Tensor y = model(x);
    y.backward(y.detach());
    optimizer.step();
  };
  const auto costs_of = [&](auto& model, optim::Optimizer& optimizer) {
    step_with(model, optimizer);  // makes Adam's state
    const TransferLedger ledger;
    step_with(model, optimizer);
    return std::vector{allocated() - begin, ledger.memory_peak(device).bytes - begin,
                       ledger.sent_bytes(Connection::network)};
  };

  // %%
  // ## The base: every rank has everything
  //
  // `DistributedDataParallel` averages the gradients by all-reduces. On a ring, a rank
  // sends 2(N − 1)/N of the bytes (section 3.5).
  //
  // **Predict first.** How many bytes for each parameter does a rank keep, and how many
  // does it send in a step?
  constexpr std::int64_t result = 2 * (4 * width);  // the bytes of a layer's output
  {
    nn::Sequential net = make_net();
    nn::parallel::DistributedDataParallel parallel(net);
    optim::Adam optimizer(net->parameters());
    show(costs_of(parallel, optimizer));
    show(std::vector{20 * p, 20 * p + 2 * result, 2 * (4 * p) * (size - 1) / size});
  }

  // %%
  // The first line is what the ledger has counted, the second is the theory. A rank
  // keeps 20 bytes for each parameter: the 16 of Adam, and 4 for the buckets of section
  // 3.6, in which the gradients travel. (PyTorch's `DistributedDataParallel` has
  // buckets of the same size, unless `gradient_as_bucket_view` is set.) At the peak
  // there are two results more. A rank sends 6 bytes for each parameter, which is
  // 2 · 3/4 of 4 bytes.
  //
  // ## ZeRO 1: the state of the optimizer
  //
  // Adam treats each parameter for itself. So each rank can make the step for a part of
  // the parameters, keep the two averages of this part alone, and send the new
  // parameters to the others. PyTorch's name is `ZeroRedundancyOptimizer`. It divides
  // whole tensors; here each rank gets the weights and the biases of one layer.
  //
  // **Predict first.** What does a rank keep now? And does it send more?
  {
    nn::Sequential net = make_net();
    nn::parallel::DistributedDataParallel parallel(net);
    dist::ZeroRedundancyOptimizer<optim::Adam> optimizer(net->parameters(),
                                                         optim::AdamOptions());
    const std::int64_t kept = 12 * p + 8 * p / size;
    show(costs_of(parallel, optimizer));
    show(std::vector{kept, kept + 2 * result, 3 * (4 * p) * (size - 1) / size});
  }

  // %%
  // The state takes 2 bytes for each parameter instead of 8. But a rank sends 9 bytes
  // for each instead of 6. The all-reduce gives it the average of *all* gradients, and
  // then the parameters have to be sent, too.
  //
  // It needs only the gradients of its own part. An all-reduce is a reduce-scatter and
  // an all-gather (section 4.1), and each of them sends (N − 1)/N of the bytes. So we
  // could reduce-scatter the gradients, make the step, and all-gather the *parameters*.
  // That sends no more than an all-reduce. The paper does it this way, and so do you
  // in the exercise of this section.
  //
  // ## ZeRO 3: gradients and parameters
  //
  // `fully_shard(module)` shards each parameter along its first dimension: of 512 rows,
  // each of four ranks keeps 128. PyTorch has the same function; the method is known as
  // *fully sharded data parallelism*, FSDP. We call it for each layer, and then for the
  // network, which shards what is left over (here nothing). The optimizer is made
  // afterwards; its parameters are the rows of this rank.
  const auto shard = [](const nn::Sequential& net,
                        const dist::FullyShardOptions& options) {
    for (const auto& one : net->children()) dist::fully_shard(*one, options);
    dist::fully_shard(net, options);
  };

  // %%
  // A layer cannot compute with a quarter of its weights. In a step
  //
  // - an all-gather collects the parameters of a layer before its forward pass, and
  //   they are released after it;
  // - another all-gather collects them before its backward pass;
  // - as soon as the gradient of a parameter is there, the parameter is released, and a
  //   reduce-scatter leaves each rank the average gradient of its own rows;
  // - the optimizer changes the rows of this rank, and nothing has to be sent.
  //
  // **Predict first.** How many bytes for each parameter are there at the peak? And
  // what does a rank send: 2(N − 1)/N of the parameters, or more?
  constexpr std::int64_t layer = p;  // 4 bytes for each of P/4 parameters
  {
    nn::Sequential net = make_net();
    shard(net, {.reshard_after_forward = true});
    show(net->parameters()[0].sizes(), net->parameters()[1].sizes());
    optim::Adam optimizer(net->parameters());
    const std::int64_t shards = 12 * p / size + 3 * layer / size;  // of 3 gradients
    show(costs_of(net, optimizer));
    show(std::vector{16 * p / size, shards + 2 * layer + 2 * result,
                     3 * (4 * p) * (size - 1) / size});
    optimizer.zero_grad(/*set_to_none=*/true);
    const TransferLedger ledger;
    const Tensor y = net(x);
    const std::size_t forward_end = ledger.memory_over_time(device).size();
    y.backward(y.detach());
    show_svg(
        memory_svg(ledger.memory_over_time(device),
                   {{0, "forward"}, {forward_end, "backward"}}),
        "The memory of the two passes with sharded layers: a floor of shards, with "
        "four equal hills in the forward pass, and four hills of twice the height "
        "in the backward pass, each a little higher than the one before.");
  }

  // %%
  // The floor in the picture is the shards of the parameters and of Adam's state. Each
  // hill of the forward pass is a layer that is gathered and released. In the backward
  // pass the gradient of the layer comes on top of it, and each layer leaves its shard
  // of the gradient.
  //
  // A rank keeps 4 bytes for each parameter, where it had 20. At the peak there are
  // 5.75: 3 for the shards of the parameters and of the state, three quarters for the
  // shards of three gradients, and 2 for a layer and its gradient. Adam's state alone
  // would take 8. So four devices of 7 MB can train this model, though none of them
  // could hold its optimizer's state.
  //
  // A rank sends 9 bytes for each parameter: two all-gathers and one reduce-scatter,
  // each 3/4 of 4 bytes. That is 3(N − 1)/N, half as much again as data parallelism.
  //
  // ## ZeRO 2: reshard_after_forward
  //
  // The second all-gather is not needed if the parameters stay after the forward pass.
  // This is what the option `reshard_after_forward` decides. If it is not set, it is
  // true for inner modules, and false for the outermost one, whose backward pass
  // follows at once.
  //
  // **Predict first.** What are the three numbers with `false`?
  {
    nn::Sequential net = make_net();
    shard(net, {.reshard_after_forward = false});
    optim::Adam optimizer(net->parameters());
    // At the peak, the gradient of the last bias is not there yet.
    const std::int64_t one_gradient = layer - 4 * width;
    show(costs_of(net, optimizer));
    show(std::vector{16 * p / size, 12 * p / size + 4 * p + one_gradient + 5 * result,
                     2 * (4 * p) * (size - 1) / size});
  }

  // %%
  // As few bytes are sent as with data parallelism. At the peak all parameters are
  // there, and so are the gradient of the last layer, four results, and the gradient of
  // the last of them: 8 bytes for each parameter. That is ZeRO 2 during a step.
  // (The paper's ZeRO 2 keeps the parameters whole between steps, too, and gathers them
  // after the step. Here the next forward pass does.)
  //
  // | for each parameter, N = 4 | kept | at the peak | sent |
  // | --- | --- | --- | --- |
  // | `DistributedDataParallel` | 20 | 20 | 6 |
  // | ZeRO 1, `ZeroRedundancyOptimizer` | 14 | 14 | 9 |
  // | ZeRO 2, `fully_shard`, not resharded | 4 | 8 | 6 |
  // | ZeRO 3, `fully_shard` | 4 | 5.75 | 9 |
  //
  // ## Large models
  //
  // With more layers, one layer is a smaller part of the whole, and only the table at
  // the beginning counts. **Predict first.** How many cards of 80 GB does a model with
  // 7, 13 or 70 billion parameters need at least, with ZeRO 1, 2 and 3? (0: no number
  // is enough. Activations are not counted.)
  const auto fewest = [](double whole, double sharded) {
    for (int n = 1; n <= 1024; ++n)
      if (whole + sharded / n <= 80) return n;
    return 0;
  };
  for (const double billions : {7, 13, 70}) {
    show(billions,
         std::vector{fewest(8 * billions, 8 * billions),
                     fewest(4 * billions, 12 * billions), fewest(0, 16 * billions)});
  }

  // %%
  // ZeRO 1 and 2 help as long as the parameters fit. With ZeRO 3 the number of cards
  // decides. A network between servers may be too slow for its messages. Then each
  // server has a whole copy, sharded between its own cards: *hybrid* sharding.
  //
  // ## Is it the same training?
  //
  // It is, up to the rounding of sums in another order. To see that nothing else is
  // different, we need sums that are exact in any order. A small network in double
  // precision has them if its inputs are small integers, and its parameters are rounded
  // to multiples of 1/1024 before each step: 53 bits hold all products and sums.
  const auto exact_net = [&] {
    manual_seed(7);
    nn::Sequential net(nn::Linear(8, 16), nn::ReLU(), nn::Linear(16, 4));
    net->to(device);
    net->to(kDouble);
    return net;
  };
  const Tensor inputs = (arange(64, kDouble).remainder(7) - 3).view({8, 8}).to(device);
  const Tensor targets = arange(32, kDouble).remainder(3).view({8, 4}).to(device);
  // Steps of one of `parts` ranks, on its part of the eight examples.
  const auto train = [&](const nn::Sequential& net, optim::Optimizer& optimizer,
                         int steps, int part, int parts) {
    const std::int64_t rows = 8 / parts;
    for (int step = 0; step < steps; ++step) {
      for (const Tensor& one : net->parameters())
        one.data().copy_((one.data() * 1024).round() / 1024);
      optimizer.zero_grad(/*set_to_none=*/true);
      const Tensor y = net(inputs.narrow(0, part * rows, rows));
      mse_loss(y, targets.narrow(0, part * rows, rows)).backward();
      optimizer.step();
    }
  };
  const auto same = [](const StateDict& a, const StateDict& b) {
    bool equal = a.size() == b.size();
    for (const auto& item : a)
      equal = equal && item.value().cpu().equal(b[item.key()].cpu());
    return equal;
  };

  // %%
  // One device makes six steps alone, then the four ranks make them together.
  const optim::AdamOptions rate(0.01);
  const nn::Sequential alone = exact_net();
  optim::Adam adam_alone(alone->parameters(), rate);
  train(alone, adam_alone, 6, 0, 1);
  for (const bool reshard : {false, true}) {
    const nn::Sequential net = exact_net();
    shard(net, {.reshard_after_forward = reshard});
    optim::Adam adam(net->parameters(), rate);
    train(net, adam, 6, rank, size);
    show(same(dist::get_model_state_dict(*net, {.full_state_dict = true}),
              alone->state_dict()));
  }

  // %%
  // `get_model_state_dict` with `full_state_dict` has gathered the shards. All
  // parameters are equal, bit for bit, with ZeRO 2 and with ZeRO 3.
  //
  // ## A checkpoint for any number of ranks
  //
  // If each rank saved its shards, only four ranks could load them. So we gather them,
  // and rank 0 saves whole tensors. `cpu_offload` copies each to the CPU of rank 0
  // alone, where there is room. Adam's averages must be saved, too.
  const Tensor id = tensor({::getpid()});
  dist::broadcast(id, 0).wait();  // one name for all ranks
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("lesson_5_7_" + repr(id.item<int>()));
  {
    const nn::Sequential net = exact_net();
    shard(net, {});
    optim::Adam adam(net->parameters(), rate);
    train(net, adam, 3, rank, size);
    const dist::StateDictOptions whole{.full_state_dict = true, .cpu_offload = true};
    const StateDict model = dist::get_model_state_dict(*net, whole);
    const StateDict state = dist::get_optimizer_state_dict(*net, adam, whole);
    if (rank == 0) {
      std::filesystem::create_directory(folder);
      save_file(model, folder / "model.safetensors");
      save_file(state, folder / "adam.safetensors");
      show(net->parameters()[0].sizes(), model["0.weight"].sizes());
      show(state.keys());
    }
  }
  dist::barrier().wait();  // the files are there

  // %%
  // Now only the ranks 0 and 1 go on. Each takes its rows of the whole tensors: eight
  // of 16. **Predict first.** They make three more steps. Are the parameters those
  // that one device has after six?
  const dist::ProcessGroup pair = dist::new_group({0, 1});
  if (rank < 2) {
    const nn::Sequential net = exact_net();
    shard(net, {.process_group = pair});
    optim::Adam adam(net->parameters(), rate);
    const dist::StateDictOptions whole{.full_state_dict = true};
    dist::set_model_state_dict(*net, load_file(folder / "model.safetensors"), whole);
    dist::set_optimizer_state_dict(*net, adam, load_file(folder / "adam.safetensors"),
                                   whole);
    show(net->parameters()[0].sizes());
    train(net, adam, 3, rank, 2);
    show(same(dist::get_model_state_dict(*net, whole), alone->state_dict()));
  }
  dist::barrier().wait();
  if (rank == 0) std::filesystem::remove_all(folder);
  dist::destroy_process_group();

  // %%
  // They are, bit for bit. (For a model that fits into no main memory, PyTorch's
  // `distributed.checkpoint` lets each rank write its own part of the whole tensors.)
  //
  // ## What to try next
  //
  // - Leave out `fully_shard` for the layers, and call it for the network alone. What
  //   are the peak and the bytes that are sent, and why?
  // - Start the program with `./learn launch -n 8`. Which numbers halve?
  // - Do not load Adam's state in the last cell. Which results change?
}
