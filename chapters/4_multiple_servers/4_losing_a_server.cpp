// SPDX-License-Identifier: MIT
// Section 4.4: a rank dies: an error instead of a hang, a checkpoint, and training that
// continues with fewer ranks.
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>

#include "d2l/distributed.h"
#include "d2l/safetensors.h"
#include "d2l/show.h"

using namespace d2l;
namespace dist = d2l::distributed;

// %%
// # Losing a server
//
// *Twenty minutes.* After this lesson you can say what happens to the other ranks when
// one dies, save the state of training so that nothing is half written, and continue it
// with a different number of ranks.
//
// A computer fails once every few years. With a thousand of them, one fails every day.
// A training run that takes weeks *will* lose ranks. What happens then is part of the
// program.
//
// For this lesson the ranks are threads of one process: `run_ranks` gives each a rank
// of one group, and their messages go through memory. They use the same collectives,
// and a rank that throws an error counts as dead. So we can lose a rank, catch what the
// others see, and show it.

int main() {
  // %%
  // ## An error instead of a hang
  //
  // Rank 2 of three dies in the fourth step. **Predict first.** What do the ranks 0 and
  // 1 notice, and when?
  std::array<std::string, 3> seen;
  std::array<int, 3> steps{};
  try {
    dist::run_ranks(3, [&](int rank) {
      const auto place = static_cast<std::size_t>(rank);
      try {
        for (int step = 0; step < 100; ++step) {
          if (rank == 2 && step == 3) throw ValueError("the power supply failed");
          const Tensor gradient = ones({1000});
          dist::all_reduce(gradient).wait();
          ++steps[place];
        }
      } catch (const Error& error) {
        seen[place] = error.what();
        throw;
      }
    });
  } catch (const Error& error) {
    show(std::string(error.what()));
  }
  show(steps[0], steps[1], steps[2]);
  show(seen[0]);

  // %%
  // They were in the all-reduce of the fourth step, and it ended with an error that
  // names the rank. Without the error, they would wait: a computer that has lost its
  // power does not close its connections, and TCP may take many minutes to notice. So
  // every collective has a timeout, 5 minutes unless `InitOptions::timeout` says
  // otherwise. In a process, the error ends the program with a message and the exit
  // code 2, and the launcher ends what is left. A hang would keep all machines
  // occupied, and cost money, until someone looks.
  //
  // ## A checkpoint
  //
  // All work since the start would be lost. So from time to time, rank 0 writes a
  // *checkpoint*. It must have everything that training needs to continue as if nothing
  // had happened: the parameters; the *buffers*, tensors of a module that are not
  // trained, such as the running means of batch normalisation; what the optimizer keeps
  // (the momentum!); and how many steps were done. The trainer writes one after each
  // epoch, and with `checkpoint_every_n_steps` in between. The file is written under
  // another name and then renamed, so that a crash in the middle leaves the old one.
  const std::string name = "lesson_4_4_" + std::to_string(::getpid()) + ".safetensors";
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  const SyntheticRegressionData data;
  const auto options = optim::SGDOptions(0.03).momentum(0.9);

  // All runs start with the parameters 0, so that they can be compared.
  const auto start_at_zero = [&](LinearRegression& model) {
    const NoGradGuard unrecorded;
    model.forward(data.X.narrow(0, 0, 1));  // the layer is lazy
    for (const Tensor& parameter : model.parameters()) Tensor(parameter).zero_();
  };

  // A model that dies in a given step of rank 1.
  struct Dying : LinearRegression {
    using LinearRegression::LinearRegression;
    Tensor training_step(const Batch& batch) override {
      if (dist::is_initialized() && dist::get_rank() == 1 && ++done == 50)
        throw ValueError("rank 1 has lost its power");
      return LinearRegression::training_step(batch);
    }
    int done = 0;
  };

  // %%
  // First the reference: three epochs of 32 steps without an interruption, in one
  // process.
  LinearRegression reference(options);
  start_at_zero(reference);
  Trainer({.max_epochs = 3}).fit(reference, data);

  // %%
  // Now three ranks, and a checkpoint after every 16 steps. Rank 1 dies in step 50.
  // **Predict first.** Which step is in the file?
  try {
    dist::run_ranks(3, [&](int /*rank*/) {
      Dying dying(options);
      start_at_zero(dying);
      Trainer({.max_epochs = 3, .checkpoint = path, .checkpoint_every_n_steps = 16})
          .fit(dying, data);
    });
  } catch (const Error& error) {
    show(std::string(error.what()));
  }
  const SafetensorsFile file(path);
  show(file.metadata().at("steps"), file.metadata().at("epochs"));

  // %%
  // ## Continuing with fewer ranks
  //
  // Two ranks are left. The trainer divides each batch between the ranks that there are
  // (section 3.6), so nothing else has to change: the same batches, the same gradients,
  // only more rows for each. `fit` finds the file, and continues after step 48, in the
  // middle of the second epoch.
  std::array<Tensor, 2> weights;
  dist::run_ranks(2, [&](int rank) {
    LinearRegression resumed(options);
    Trainer({.max_epochs = 3, .checkpoint = path}).fit(resumed, data);
    weights[static_cast<std::size_t>(rank)] = resumed.parameters()[0].detach().clone();
  });
  const Tensor expected = reference.parameters()[0].detach();
  show(expected);
  show(weights[0]);
  show(weights[0].equal(weights[1]), weights[0].allclose(expected, /*rtol=*/1e-4));

  // %%
  // As if nothing had happened, up to the rounding of sums in another order. Two things
  // made this possible. The checkpoint has the state of the optimizer: without the
  // momentum, the curve would bend at step 48. And the data is a function of the seed
  // and the number of the epoch: the loader can be put back to any place.
  //
  // What about a checkpoint by every rank? All have the same parameters, so one file is
  // enough, and rank 0 writes it. When training continues, rank 0 reads it and sends it
  // to the others, which may be on machines that do not have it.
  std::filesystem::remove(path);

  // %%
  // ## How often?
  //
  // A checkpoint costs time, and so does what is lost since the last one. If a
  // checkpoint takes c seconds and a failure comes every f seconds on average, an
  // interval of about √(2·c·f) loses least (Young, 1974). With half a minute and one
  // failure a day, that is every 38 minutes:
  show(std::round(std::sqrt(2 * 30.0 * 86400) / 60));

  // %%
  // ## What to try next
  //
  // - Leave the momentum out of the file. How far do the weights differ at the end?
  // - Let rank 0 die instead of rank 1. What changes?
  // - With `--max-restarts=3`, torchrun restarts all ranks when one dies. Which of the
  //   steps above do they need?
}
