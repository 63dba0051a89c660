// SPDX-License-Identifier: MIT
// A rank is killed while it trains: the others end with the error, the checkpoint is whole, and training goes on from
// it with another number of ranks to the same bits.
#include <cstdlib>
#include <filesystem>
#include <random>
#include <thread>

#include "d2l/trainer.h"
#include "distributed/processes.h"
#include "temporary_folder.h"
#include "trainer/exact_training.h"

namespace d2l::testing {
namespace {

constexpr int epochs = 12;  // of 4 steps; so many are not exact

/// A training whose steps take a moment.
struct Slow : Exact {
  Tensor training_step(const Batch& batch) override {
    std::this_thread::sleep_for(2ms);
    return Exact::training_step(batch);
  }
};

std::vector<double> weights_after(Exact& model, const std::string& checkpoint) {
  Trainer trainer({.max_epochs = epochs, .checkpoint = checkpoint, .checkpoint_every_n_steps = 1});
  trainer.fit(model, ExactData(4));
  return model.net->weight.detach().to_vector<double>();
}

/// How often a rank is killed: more often with D2L_TEST_KILLS=50.
int number_of_kills() {
  const char* const text = std::getenv("D2L_TEST_KILLS");
  return text == nullptr ? 4 : std::atoi(text);
}

class KilledTraining : public Processes {};

TEST_F(KilledTraining, EndsOnAllRanksAndGoesOnToTheSameWeights) {
  Exact reference;
  const auto expected = weights_after(reference, "");
  std::mt19937 random(7);
  for (int kill = 0; kill < number_of_kills(); ++kill) {
    const tests::TemporaryFolder folder;
    const std::string path = folder / "checkpoint";
    const int ranks = 2 + kill % 2;
    const auto killed = static_cast<std::size_t>(random() % static_cast<unsigned>(ranks));
    start(
        ranks,
        [&](int /*rank*/) {
          Slow model;
          weights_after(model, path);
        },
        "rank " + std::to_string(killed), 3s);
    std::this_thread::sleep_for(std::chrono::milliseconds(50 + random() % 200));
    ::kill(children_[killed], SIGKILL);
    const auto began = std::chrono::steady_clock::now();
    const auto codes = finish();
    EXPECT_LT(std::chrono::steady_clock::now() - began, 5s);
    for (std::size_t rank = 0; rank < codes.size(); ++rank) {
      if (rank == killed) {
        EXPECT_TRUE(codes[rank] == -SIGKILL || codes[rank] == 0) << codes[rank];
      } else {
        EXPECT_TRUE(codes[rank] == 2 || codes[rank] == 0) << "rank " << rank << ": " << codes[rank];
      }
    }
    EXPECT_LE(folder.files(), 2);  // the checkpoint, and what a killed rank 0 was writing
    dist::run_ranks(1 + kill % 3, [&](int /*rank*/) {
      Exact model;
      const auto found = weights_after(model, path);
      for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << "kill " << kill;
    });
  }
}

}  // namespace
}  // namespace d2l::testing
