// SPDX-License-Identifier: MIT
// ratios: runs the benchmarks, all sides interleaved, and prints the table of ratios and goals.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

namespace {

/// The standard output of a command; empty if it fails.
std::string output_of(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  char buffer[4096];
  while (const std::size_t count = std::fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, count);
  return pclose(pipe) == 0 ? output : std::string();
}

using Times = std::map<std::string, double>;

/// The summary of a program's repetitions, and the unit of its times in nanoseconds.
struct Summary {
  const char* name = "median";
  double unit = 1;
  const char* time = "real_time";
};

/// Runs a benchmark program and adds the time of each benchmark, in nanoseconds.
void measure(const std::string& program, const std::string& filter, int repetitions, double seconds, Times& times,
             Summary summary = {}) {
  const auto command = fmt::format(
      "'{}' --benchmark_filter='{}' --benchmark_repetitions={} --benchmark_min_time={} --benchmark_format=json "
      "--benchmark_enable_random_interleaving=true --benchmark_report_aggregates_only=true 2>/dev/null",
      program, filter, repetitions, seconds);
  const auto report = nlohmann::json::parse(output_of(command), nullptr, false);
  if (report.is_discarded()) {
    fmt::print(stderr, "ratios: {} failed; run it to see why\n", program);
    std::exit(2);
  }
  for (const auto& benchmark : report["benchmarks"]) {
    if (benchmark.value("aggregate_name", "") != summary.name || benchmark.value("error_occurred", false)) continue;
    std::string name = benchmark["run_name"];
    const auto suffix = std::min(name.find("/real_time"), name.find("/manual_time"));
    times[name.substr(0, suffix)] = summary.unit * benchmark[summary.time].get<double>();
  }
}

std::string time_text(std::optional<double> nanoseconds) {
  if (!nanoseconds) return "-";
  if (*nanoseconds < 1e3) return fmt::format("{:.0f} ns", *nanoseconds);
  if (*nanoseconds < 1e6) return fmt::format("{:.2f} µs", *nanoseconds / 1e3);
  return fmt::format("{:.2f} ms", *nanoseconds / 1e6);
}

/// Prints the table, and counts the goals that are missed.
class Table {
 public:
  Table() { print_row("operation", "ours", "theirs", "ratio", "goal", "met"); }
  void add(const std::string& operation, std::optional<double> ours, std::optional<double> theirs, double goal,
           bool at_least = false) {
    if (!ours || !theirs) {
      print_row(operation, time_text(ours), time_text(theirs), "-", fmt::format("{}", goal), "not measured");
      return;
    }
    const double ratio = at_least ? *theirs / *ours : *ours / *theirs;
    const bool met = at_least ? ratio >= goal : ratio <= goal;
    missed_ += met ? 0 : 1;
    print_row(operation, time_text(ours), time_text(theirs), fmt::format("{:.3f}", ratio),
              fmt::format("{} {}", at_least ? "≥" : "≤", goal), met ? "yes" : "NO");
  }
  /// A ratio without a goal.
  void add_for_comparison(const std::string& operation, std::optional<double> time, std::optional<double> slower) {
    const auto ratio = time && slower ? fmt::format("{:.3f}", *slower / *time) : "-";
    print_row(operation, time_text(time), time_text(slower), ratio, "-", "for comparison");
  }
  void add_number(const std::string& operation, double value, double goal) {
    const bool met = value <= goal;
    missed_ += met ? 0 : 1;
    print_row(operation, fmt::format("{:.1e}", value), "-", "-", fmt::format("≤ {:.0e}", goal), met ? "yes" : "NO");
  }
  void add_accuracy(const std::string& operation, double value, double goal) {
    const bool met = value >= goal;
    missed_ += met ? 0 : 1;
    print_row(operation, fmt::format("{:.3f}", value), "-", "-", fmt::format("≥ {}", goal), met ? "yes" : "NO");
  }
  [[nodiscard]] int missed() const { return missed_; }

 private:
  static void print_row(const std::string& operation, const std::string& ours, const std::string& theirs,
                        const std::string& ratio, const std::string& goal, const std::string& met) {
    fmt::print("{:<34} {:>11} {:>11} {:>8} {:>8}  {}\n", operation, ours, theirs, ratio, goal, met);
    std::fflush(stdout);
  }
  int missed_ = 0;
};

std::optional<double> find(const Times& times, const std::string& name) {
  const auto found = times.find(name);
  return found == times.end() ? std::nullopt : std::optional(found->second);
}

struct Comparison {
  const char* work;
  const char* label;
  double goal;
};
constexpr Comparison comparisons[] = {
    {"add/6", "2×3 add", 0.35},
    {"ones/6", "2×3 ones", 0.35},
    {"identity_to/6", "identity to", 0.5},
    {"add/10000", "c = a + b, 10⁴", 0.9},
    {"add/1000000", "c = a + b, 10⁶", 1.0},
    {"add/100000000", "c = a + b, 10⁸", 0.3},
    {"sum/100000000", "sum, 10⁸", 1.1},
    {"mm/100", "mm, n = 100", 1.05},
    {"mm/256", "mm, n = 256", 1.05},
    {"mm/1024", "mm, n = 1024", 1.05},
    {"mm/4096", "mm, n = 4096", 1.05},
    {"softmax/1024", "softmax, 1024×1024", 0.95},
    {"sort/1000000", "sort, 10⁶", 1.2},
    {"layer_norm/4096", "layer_norm with gradients, 4096×256", 0.95},
    {"forward/6", "Sequential(Linear(3, 1))(X)", 0.4},
    {"step/32", "SGD step, Linear(3, 1)", 0.35},
    {"step_clipped/32", "the same with clipping", 0.35},
    {"perceptron_step/256", "SGD step, 784-256-10", 0.95},
    {"adam/1000000", "Adam step, 10⁶", 0.8},
    {"max_pool2d/2", "max pooling 2×2 and gradient", 1.0},
    {"max_pool2d/3", "max pooling 3×3 and gradient", 1.0},
    {"conv2d/8", "conv2d 32×3×3×3, 8×3×64×64", 1.2},
    {"lenet_step/64", "SGD step, LeNet, 64 images", 1.0},
    {"add_half/1000000", "c = a + b, 10⁶ of float16", 1.0},
    {"sum_half/1000000", "sum, 10⁶ of float16", 1.0},
    {"softmax_half/1000", "softmax, 10³×10³ of float16", 1.0},
    {"add_bfloat16/1000000", "c = a + b, 10⁶ of bfloat16", 1.0},
    {"sum_bfloat16/1000000", "sum, 10⁶ of bfloat16", 1.0},
    {"softmax_bfloat16/1000", "softmax, 10³×10³ of bfloat16", 1.0},
    {"attention/256", "attention, 8×256×64", 1.2},
    {"language_model_step/16", "AdamW step, model of 5.10", 1.0},
};

struct Limit {
  const char* work;
  const char* label;
  double milliseconds;
};
/// Of the CUDA emulator. 256,000 threads without a barrier may take 30 ns each.
constexpr Limit limits[] = {
    {"two_barriers/0", "two barriers / 60 ms", 60},
    {"two_barriers/1", "the same, checked / 150 ms", 150},
    {"two_barriers/2", "the same, counted too / 300 ms", 300},
    {"no_barrier/0", "256,000 threads / 7.68 ms", 7.68},
    {"two_barriers/threads", "two barriers, not instrumented / 30 ms", 30},
    {"product/threads", "tiled 1024×1024 product, not instrumented / 1.5 s", 1500},
    {"tiled_product/1", "tiled 256×256 product, checked / 0.5 s", 500},
    {"tiled_product/2", "the same, counted too / 0.5 s", 500},
};

}  // namespace

int main(int count, char** arguments) {
  // Some machines pin OpenBLAS to an older processor; both sides must run at full speed.
  unsetenv("OPENBLAS_CORETYPE");
  unsetenv("OPENBLAS_L2_SIZE");
  const bool quick = count > 1 && std::strcmp(arguments[1], "--quick") == 0;
  Times times;
  measure(D2L_SPEED, "^(add|ones|identity_to|print)/(6|10000)/", quick ? 5 : 15, 0.05, times);
  measure(D2L_SPEED, "^(forward|step|step_clipped)/", quick ? 5 : 15, 0.05, times);
  measure(D2L_SPEED, "^(perceptron_step|conv2d)/", quick ? 5 : 15, 0.2, times);
  measure(D2L_SPEED, "^((add|adam|sort)/1000000|mm/(100|256|1024)|softmax/1024)/", quick ? 5 : 15, 0.1, times);
  measure(D2L_SPEED, "^(.*_half|.*_bfloat16|attention|language_model_step)/", quick ? 5 : 15, 0.1, times);
  measure(D2L_SPEED, "^(max_pool2d|layer_norm)/", quick ? 5 : 15, 0.1, times);
  measure(D2L_SPEED, "^(add/100000000|sum/100000000|mm/4096)/", quick ? 3 : 7, 0.1, times);
  measure(D2L_VIRTUAL_GPUS_BENCHMARK, ".*", quick ? 15 : 101, 0.01, times, {"fastest"});
  measure(D2L_LOADING, "^kept/", quick ? 5 : 9, 0.1, times, {"median", 1e6});
  measure(D2L_EMULATOR_BENCHMARK, "-^cores/", quick ? 5 : 15, 0.01, times, {"fastest", 1e6, "cpu_time"});
  measure(D2L_EMULATOR_BENCHMARK, "^cores/", quick ? 1 : 3, 0.01, times, {"fastest", 1e6});
  const auto error = output_of(D2L_ACCURACY);
  measure(D2L_SPEED, "^lenet_step/", quick ? 5 : 15, 0.2, times);
  const auto learned = output_of(D2L_LEARNING);
  // The distribution's PyTorch needs the distribution's Python, which may not be the first in PATH.
  std::string python;
  for (const char* interpreter : {"python3", "/usr/bin/python3"}) {
    if (python.empty()) python = output_of(fmt::format("{} '{}' 2>/dev/null", interpreter, D2L_PRINTING));
  }

  Table table;
  for (const char* threads : {"1", "2"}) {
    const auto lookup = [&](const std::string& work, const char* side) {
      return find(times, fmt::format("{}/{}/{}", work, side, threads));
    };
    const auto suffix = fmt::format(", {} thread{}", threads, *threads == '1' ? "" : "s");
    for (const auto& comparison : comparisons) {
      table.add(comparison.label + suffix, lookup(comparison.work, "d2l"), lookup(comparison.work, "libtorch"),
                comparison.goal);
    }
    table.add("add in cache / vector loop" + suffix, lookup("add/10000", "d2l"), lookup("add/10000", "vector_loop"),
              0.5, true);
    table.add("load 1 GiB / read it" + suffix, lookup("kept", "d2l"), find(times, "kept/read/1"), 1.2);
  }
  table.add("printing 2×3 / Python", find(times, "print/6/d2l/1"),
            python.empty() ? std::nullopt : std::optional(std::stod(python)), 0.2);
  table.add("two virtual GPUs / one", find(times, "products/2"), find(times, "products/1"), 1.8, true);
  table.add_for_comparison("two threads / one, no device", find(times, "threads/2"), find(times, "threads/1"));
  table.add("exercise 1.5.4, two / one", find(times, "exercise/2"), find(times, "exercise/1"), 1.7, true);
  for (const auto& limit : limits) {
    table.add(std::string("emulator: ") + limit.label, find(times, limit.work), limit.milliseconds * 1e6, 1);
  }
  for (const char* work : {"saxpy", "black_scholes"}) {
    table.add(fmt::format("emulator: {} / plain loop", work), find(times, fmt::format("{}/threads", work)),
              find(times, fmt::format("{}/loop", work)), 3);
  }
  table.add("emulator: two cores / one", find(times, "cores/2"), find(times, "cores/1"), 1.8, true);
  if (!error.empty()) table.add_number("relative error of sum, 10⁸", std::stod(error), 1e-6);
  std::istringstream lines(learned);
  double accuracy = 0;
  for (std::string model; lines >> model >> accuracy;) table.add_accuracy("accuracy of " + model, accuracy, 0.9);
  return table.missed() == 0 ? 0 : 1;
}
