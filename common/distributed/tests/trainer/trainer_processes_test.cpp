// SPDX-License-Identifier: MIT
// Training in new processes: with other numbers of virtual GPUs, with a fault on the device, on a terminal.
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "d2l/model.h"
#include "d2l/trainer.h"
#include "every_device.h"
#include "messages.h"
#include "temporary_folder.h"
#include "trainer/progress.h"
#include "trainer/watched_regression.h"

namespace d2l::testing {
namespace {

void write_losses() {
  std::ofstream file(std::getenv("D2L_TEST_FILE"));
  for (const double loss : losses_of_training({.max_epochs = 3, .num_gpus = 1, .gradient_clip_val = 2})) {
    file << std::hexfloat << loss << '\n';
  }
}

TEST(TrainerInAnotherProcess, LossesAreBitIdenticalBesideAnyNumberOfVirtualGpus) {
  const tests::FileOfDeathTest file("D2L_TEST_FILE");
  std::string on_one;
  for (const int count : {1, 2, 4}) {
    EXPECT_EXIT(tests::in_own_process((std::to_string(count) + "@host").c_str(),
                                      [count] {
                                        write_losses();
                                        return num_gpus() == count;
                                      }),
                ::testing::ExitedWithCode(0), "");
    if (count == 1) on_one = file.read();
    EXPECT_EQ(std::count(on_one.begin(), on_one.end(), '\n'), 96);
    EXPECT_EQ(file.read(), on_one) << count;
  }
}

/// A classifier; one of its targets is not a class.
class Classifier : public Model {
 public:
  Classifier() { register_module("net", net); }
  Tensor forward(const Tensor& X) override { return net(X); }
  Tensor loss(const Tensor& scores, const Tensor& y) override { return cross_entropy_loss(scores, y); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), 0.1);
  }
  Tensor training_step(const Batch& batch) override {
    auto result = Model::training_step(batch);
    ++steps;
    return result;
  }
  nn::Sequential net{nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 3)};
  int steps = 0;
};

/// Batches of 16 examples of 3 classes; the class of example 20 is `label`.
GivenData labelled(std::int64_t label) {
  const auto labels = zeros({64}, kLong);
  labels[20] = label;
  return GivenData({rand({64, 4}), labels}, 16);
}

TEST(TrainerFaults, AClassOutOfRangeIsAnErrorAtOnceOnTheCpu) {
  for (const std::int64_t label : {3, -1}) {
    Classifier model;
    Trainer trainer({.max_epochs = 1});
    expect_error<IndexError>([&] { trainer.fit(model, labelled(label)); }, "out of bounds");
    EXPECT_EQ(model.steps, 1);  // the example is in the second batch
    EXPECT_NO_THROW(trainer.fit(model, labelled(2)));
  }
}

/// Holds the GPU's queue until the last batch is issued: a fast device would report the fault at an earlier call.
class HeldClassifier : public Classifier {
 public:
  Tensor training_step(const Batch& batch) override {
    auto result = Classifier::training_step(batch);
    if (steps == 4) held_.release();
    return result;
  }

 private:
  HeldQueue held_{gpu(0)};
};

/// Exits with 0 if the fault surfaced after every batch of the epoch was issued, and only on its device.
[[noreturn]] void train_into_the_fault() {
  HeldClassifier model;
  Trainer trainer({.max_epochs = 2, .num_gpus = 1});
  try {
    trainer.fit(model, labelled(3));
  } catch (const FatalDeviceError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    if (model.steps != 4) std::exit(2);  // all of the first epoch were issued
    try {
      static_cast<void>(model.parameters().front().to_vector<float>());
      std::exit(3);
    } catch (const FatalDeviceError&) {
    }
    if ((ones({2}) + 1).sum().item<float>() != 4) std::exit(4);
    // A fault of one slice of a GPU is a fault of all.
    const bool has_another = num_gpus() > 1 && device_properties(gpu(1)).kind != DeviceKind::virtual_gpu_on_card;
    if (has_another && (ones({2}, gpu(1)) + 1).sum().item<float>() != 4) std::exit(5);
    std::exit(0);
  }
  std::exit(6);
}

TEST(TrainerFaultsDeathTest, AClassOutOfRangeIsFatalForAGpuAndSurfacesAtTheEndOfTheEpoch) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  EXPECT_EXIT(train_into_the_fault(), ::testing::ExitedWithCode(0), "device-side assert triggered");
}

/// The output of a slow training on a terminal of this kind; nullopt if the system has no terminals.
std::optional<std::string> output_on_terminal(const char* kind) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) return std::nullopt;
  if (child == 0) {
    ::setenv("TERM", kind, 1);
    detail::EpochProgress progress("epoch 1/1", 4, detail::Caller::here());
    for (int i = 0; i < 4; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(120));
      progress.step();
    }
    progress.finish("train_loss 1");
    std::fflush(stdout);
    ::_exit(0);
  }
  std::string text;
  std::array<char, 256> part{};
  for (auto count = ::read(terminal, part.data(), part.size()); count > 0;
       count = ::read(terminal, part.data(), part.size())) {
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  EXPECT_EQ(status, 0);
  return text;
}

TEST(Progress, IsABarOnATerminalAndGoesAway) {
  const auto said = output_on_terminal("xterm");
  if (!said) GTEST_SKIP() << "no terminal can be opened here (/dev/pts is missing)";
  const std::string& text = *said;
  EXPECT_NE(text.find("\repoch 1/1  [######                  ]  25 %"), std::string::npos) << text;
  EXPECT_NE(text.find("100 %\r\033[Kepoch 1/1  train_loss 1\r\n"), std::string::npos) << text;
}

TEST(Progress, IsALineElsewhere) {
  const auto said = output_on_terminal("dumb");
  if (!said) GTEST_SKIP() << "no terminal can be opened here (/dev/pts is missing)";
  EXPECT_EQ(*said, "epoch 1/1  train_loss 1\r\n");
}

TEST(Progress, HasABarOfOneWidth) {
  EXPECT_EQ(detail::bar_text("e", 0, 3), "e  [                        ]   0 %");
  EXPECT_EQ(detail::bar_text("e", 3, 3), "e  [########################] 100 %");
  EXPECT_EQ(detail::bar_text("e", 9, 3), detail::bar_text("e", 3, 3));
  EXPECT_EQ(detail::bar_text("e", 0, 0), detail::bar_text("e", 1, 1));
}

}  // namespace
}  // namespace d2l::testing
