// SPDX-License-Identifier: MIT
#include "examples/program.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace d2l::examples {
namespace {

constexpr int wrong_usage = 2;

/// What is wrong with a learning rate; CLI::Range would accept nan.
std::string problem_of_rate(const std::string& text) {
  double rate = 0;
  const bool is_rate = CLI::detail::lexical_cast(text, rate) && rate > 0 && rate <= 1000;
  return is_rate ? "" : fmt::format("{} is not a number above 0 and up to 1000", text);
}

/// What is wrong with a seed; CLI11 would make a large number of a negative one.
std::string problem_of_seed(const std::string& text) {
  return text.starts_with('-') ? fmt::format("{} is negative", text) : "";
}

/// What is wrong with the name of a device.
std::string problem_of_device(const std::string& text) {
  try {
    static_cast<void>(Device(text));
    return "";
  } catch (const DeviceError& error) {
    return error.what();
  }
}

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("--device", settings.device, "cpu, cuda or cuda:1; by default the first GPU, or the CPU without one")
      ->check(problem_of_device);
  app.add_option("--epochs", settings.epochs, "how often it trains on all examples")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  app.add_option("--examples", settings.examples, "how many examples it draws to train on")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--batch-size", settings.batch_size, "the examples of a step")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  app.add_option("--lr", settings.lr, "the learning rate")->check(problem_of_rate)->capture_default_str();
  app.add_option("--seed", settings.seed, "of parameters, examples and their order")
      ->check(problem_of_seed)
      ->capture_default_str();
  if (settings.width == 0) return;
  app.add_option("--width", settings.width, "the channels of the first layers: fewer are faster")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
}

}  // namespace

int run_program(int count, char** words, const std::string& description, Settings settings,
                const std::function<void(const Settings&)>& train) {
  CLI::App app(description);
  add_options(app, settings);
  try {
    app.parse(count, words);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : wrong_usage;
  }
  try {
    const Device device = settings.chosen_device();
    static_cast<void>(device_properties(device));  // a device that does not exist is reported before the work
    fmt::print("{} examples on {}, {} in a batch\n", settings.examples, device.str(), settings.batch_size);
    train(settings);
    // Each epoch flushes its line, so that an earlier error is kept in the state of the stream alone.
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return 0;
    fmt::print(stderr, "error: the standard output cannot be written\n");
  } catch (const std::exception& error) {
    std::fflush(stdout);
    fmt::print(stderr, "error: {}\n", error.what());
  }
  return wrong_usage;
}

}  // namespace d2l::examples
