// SPDX-License-Identifier: MIT
// Data-parallel training by several processes that drive several virtual GPUs each: it is that of one device.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

#include "d2l/linear_regression.h"
#include "d2l/trainer.h"
#include "distributed/processes.h"
#include "temporary_folder.h"
#include "trainer/exact_training.h"
#include "trainer/watched_regression.h"

namespace d2l::testing {
namespace {

/// One hidden layer, on the data of the linear regression.
struct HiddenLayer : Model {
  HiddenLayer() { net = register_module("net", nn::Sequential(nn::Linear(2, 8), nn::ReLU(), nn::Linear(8, 1))); }
  Tensor forward(const Tensor& x) override { return net->forward(x); }
  Tensor loss(const Tensor& prediction, const Tensor& y) override { return mse_loss(prediction, y); }
  std::unique_ptr<optim::Optimizer> configure_optimizers() override {
    return std::make_unique<optim::SGD>(parameters(), optim::SGDOptions(0.02).momentum(0.9));
  }
  std::shared_ptr<nn::SequentialImpl> net;
};

std::string text_of(Model& model) {
  std::string text;
  for (const Tensor& parameter : model.parameters()) {
    for (const double value : parameter.detach().cpu().to_vector<double>()) text += fmt::format("{:a}\n", value);
  }
  return text;
}

std::string exact_training(int gpus) {
  Exact model;
  Trainer({.max_epochs = 2, .num_gpus = gpus}).fit(model, ExactData(8));
  return text_of(model);
}

template <class Trained>
std::string regression(int gpus) {
  manual_seed(3);
  Trained model;
  Trainer({.max_epochs = 1, .num_gpus = gpus}).fit(model, SyntheticRegressionData());
  return text_of(model);
}

struct WithMomentum : LinearRegression {
  WithMomentum() : LinearRegression(optim::SGDOptions(0.03).momentum(0.5)) {}
};

const char* const folder_variable = "D2L_TEST_RANKS_FOLDER";

/// What a rank of the tests below does, in a process of its own.
TEST(ProcessesAndGpus, BeARank) {
  const char* const folder = std::getenv(folder_variable);
  if (folder == nullptr) GTEST_SKIP() << "this is a rank of other tests";
  dist::init_process_group("gloo", {.timeout = 30s});
  const int gpus = num_gpus();
  const auto file = std::string(folder) + "/" + std::to_string(dist::get_rank());
  tests::write_contents(file + " exact", exact_training(gpus));
  if (std::getenv("D2L_TEST_RANKS_EXACT_ONLY") == nullptr) {
    tests::write_contents(file + " linear", regression<WithMomentum>(gpus));
    tests::write_contents(file + " perceptron", regression<HiddenLayer>(gpus));
  }
  dist::destroy_process_group();
}

/// Starts ranks that write their parameters into a folder.
void run_processes(int processes, const std::string& gpus, const std::string& folder, bool exact_only) {
  const int port = free_port();
  std::vector<pid_t> children;
  for (int rank = 0; rank < processes; ++rank) {
    const pid_t child = ::fork();
    if (child > 0) {
      children.push_back(child);
      continue;
    }
    ::alarm(120);
    ::setenv("RANK", std::to_string(rank).c_str(), 1);
    ::setenv("WORLD_SIZE", std::to_string(processes).c_str(), 1);
    ::setenv("MASTER_ADDR", "127.0.0.1", 1);
    ::setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
    ::setenv("D2L_VIRTUAL_GPUS", gpus.c_str(), 1);
    ::setenv(folder_variable, folder.c_str(), 1);
    if (exact_only) ::setenv("D2L_TEST_RANKS_EXACT_ONLY", "1", 1);
    ::execl("/proc/self/exe", "d2l_tests", "--gtest_filter=ProcessesAndGpus.BeARank", "--gtest_brief=1", nullptr);
    ::_exit(127);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
}

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  const char* at = text.c_str();
  for (char* end = nullptr; *at != 0; at = *end == 0 ? end : end + 1) numbers.push_back(std::strtod(at, &end));
  return numbers;
}

void expect_near(const std::string& found, const std::string& expected) {
  const auto numbers = numbers_of(found);
  const auto others = numbers_of(expected);
  ASSERT_EQ(numbers.size(), others.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_NEAR(numbers[i], others[i], 1e-6) << i;
}

constexpr std::pair<int, int> layouts[] = {{1, 1}, {1, 2}, {1, 4}, {2, 1}, {2, 2}, {4, 1}, {4, 2}};

TEST(ProcessesAndGpus, TrainAsOneDevice) {
  SKIP_WITHOUT_GLOO();
  const auto exact = exact_training(0);
  const auto linear = regression<WithMomentum>(0);
  const auto perceptron = regression<HiddenLayer>(0);
  for (const auto& [processes, gpus] : layouts) {
    SCOPED_TRACE(fmt::format("{} processes with {} GPUs", processes, gpus));
    const tests::TemporaryFolder folder;
    run_processes(processes, fmt::format("{}@host", gpus), folder.path(), /*exact_only=*/false);
    for (int rank = 0; rank < processes; ++rank) {
      const std::string file = folder / std::to_string(rank);
      EXPECT_EQ(tests::contents(file + " exact"), exact) << rank;
      expect_near(tests::contents(file + " linear"), linear);
      expect_near(tests::contents(file + " perceptron"), perceptron);
    }
  }
}

/// With how many seeds the work of the GPUs is delayed: more with D2L_TEST_DELAYS=20.
int number_of_delays() {
  const char* const text = std::getenv("D2L_TEST_DELAYS");
  return text == nullptr ? 1 : std::atoi(text);
}

TEST(ProcessesAndGpus, TrainAsOneDeviceUnderDelays) {
  SKIP_WITHOUT_GLOO();
  const auto exact = exact_training(0);
  for (int seed = 1; seed <= number_of_delays(); ++seed) {
    for (const auto& [processes, gpus] : layouts) {
      SCOPED_TRACE(fmt::format("{} processes with {} GPUs, seed {}", processes, gpus, seed));
      const tests::TemporaryFolder folder;
      run_processes(processes, fmt::format("{}@host,delay={}", gpus, seed), folder.path(), /*exact_only=*/true);
      for (int rank = 0; rank < processes; ++rank) {
        EXPECT_EQ(tests::contents(folder / (std::to_string(rank) + " exact")), exact) << rank;
      }
    }
  }
}

}  // namespace
}  // namespace d2l::testing
