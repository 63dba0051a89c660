// SPDX-License-Identifier: MIT
// Programs with a fault in the order of streams or in the handling of errors, and right ones, under several seeds of
// the order and of delays. Each runs in a process of its own, because the last reports come when a process ends.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int seeds = 3;  // of which the second has delays

struct Result {
  int code = -1;
  std::string output;
  std::string errors;  ///< without the line that tells of virtual GPUs
};

std::string read_all(std::FILE* file) {
  std::string text;
  char buffer[4096];
  for (std::size_t count = 0; (count = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, count);
  return text;
}

std::string without_banner(const std::string& text) {
  std::istringstream lines(text);
  std::string rest;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("stand in for real ones") == std::string::npos) rest += line + "\n";
  }
  return rest;
}

/// Runs a program with its errors on the pipe, and its output in a file.
Result run(const std::string& program, const std::string& name, int seed) {
  const std::string seed_text = std::to_string(seed);
  const std::string delay = seed % 2 == 0 ? "" : ",delay=" + seed_text;
  const std::string file = testing::TempDir() + "d2l_streams_" + std::to_string(::getpid());
  const std::string command = "D2L_VIRTUAL_GPUS=2@host" + delay + " D2L_KERNEL_ORDER=" + seed_text +
                              " D2L_CHECK_KERNELS=1 ASAN_OPTIONS=detect_leaks=0 '" + program + "' " + name +
                              " 2>&1 >'" + file + "'";
  Result result;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return result;
  result.errors = without_banner(read_all(pipe));
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
  if (std::FILE* const output = std::fopen(file.c_str(), "r"); output != nullptr) {
    result.output = read_all(output);
    std::fclose(output);
  }
  std::remove(file.c_str());
  return result;
}

struct Program {
  std::string name;
  std::string report;
};

std::vector<Program> programs_of(const std::string& table) {
  std::vector<Program> programs;
  std::FILE* const pipe = ::popen(("'" + table + "'").c_str(), "r");
  if (pipe == nullptr) return programs;
  std::istringstream lines(read_all(pipe));
  ::pclose(pipe);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    programs.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return programs;
}

/// The "file.cu:7" that the program tells with this word; empty if it tells none.
std::string told_line(const std::string& output, const std::string& word) {
  std::string line;
  std::istringstream lines(output);
  for (std::string each; std::getline(lines, each);) {
    if (each.starts_with(word + " ")) line = each.substr(word.size() + 1);
  }
  return line;
}

/// What is wrong with the reports of a faulty program; empty if nothing is.
std::string fault_of(const Program& program, const Result& result) {
  if (!std::regex_search(result.errors, std::regex(program.report))) return "expected " + program.report;
  if (result.code != 1) return "exit code " + std::to_string(result.code);
  const bool of_threads =
      std::regex_search(result.errors, std::regex("^(race|uninitialised|out of bounds|host memory) "));
  const bool one = of_threads || result.errors.find('\n') + 1 == result.errors.size();
  if (!one && program.report.find("awaited") == std::string::npos) return "expected one report";
  const std::string later = told_line(result.output, "later");
  const auto says = [&](const char* end) { return result.errors.find(" at " + later + end) != std::string::npos; };
  if (!later.empty() && !says(":") && !says(", called at main.cpp:")) {
    return "expected the line " + later;
  }
  const std::string earlier = told_line(result.output, "earlier");
  if (!earlier.empty() && result.errors.find("issued at " + earlier + ",") == std::string::npos) {
    return "expected the line " + earlier + " of the earlier operation";
  }
  return "";
}

TEST(Streams, FaultyProgramsAreReported) {
  const auto programs = programs_of(D2L_FAULTY_STREAMS);
  EXPECT_GE(programs.size(), 50U);
  for (const Program& program : programs) {
    for (int seed = 0; seed < seeds; ++seed) {
      const Result result = run(D2L_FAULTY_STREAMS, program.name, seed);
      const std::string fault = fault_of(program, result);
      if (fault.empty()) continue;
      ADD_FAILURE() << program.name << " with seed " << seed << ": " << fault << "\n" << result.errors;
      break;
    }
  }
}

TEST(Streams, RightProgramsAreClean) {
  const auto programs = programs_of(D2L_RIGHT_STREAMS);
  EXPECT_GE(programs.size(), 50U);
  for (const Program& program : programs) {
    for (int seed = 0; seed < seeds; ++seed) {
      const Result result = run(D2L_RIGHT_STREAMS, program.name, seed);
      if (result.code == 0 && result.errors.empty()) continue;
      ADD_FAILURE() << program.name << " with seed " << seed << ": exit code " << result.code << "\n" << result.errors;
      break;
    }
  }
}

}  // namespace
