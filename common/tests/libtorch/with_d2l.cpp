// SPDX-License-Identifier: MIT
// The shared programs with this library; compares the values with those of LibTorch's executable, if it is given.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>
#include <string>

#include "d2l/d2l.h"

namespace t = d2l;

#include "print_values.h"

namespace {

constexpr int skipped = 77;

/// The output lines of an executable, by their first word.
std::map<std::string, std::string> lines_of(const std::string& command) {
  std::map<std::string, std::string> lines;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return lines;
  std::string output;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  if (pclose(pipe) != 0) return lines;
  std::istringstream stream(output);
  for (std::string line; std::getline(stream, line);) {
    const auto space = line.find(' ');
    lines[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return lines;
}

bool agree(double ours, double theirs) {
  if (ours == theirs || (std::isnan(ours) && std::isnan(theirs))) return true;
  const bool whole = ours == std::floor(ours) && theirs == std::floor(theirs);
  // A float32 sum whose terms cancel keeps the error of the largest term.
  return !whole && std::abs(ours - theirs) <= 1e-6 * std::max(std::abs(ours), std::abs(theirs)) + 4e-7;
}

/// Whether a program's values are those of LibTorch.
bool same_values(const programs::Program& program, const std::string& theirs) {
  const auto ours = program.run();
  std::istringstream stream(theirs);
  std::size_t count = 0;
  for (std::string word; stream >> word; ++count) {
    const double value = std::strtod(word.c_str(), nullptr);
    if (count < ours.size() && agree(ours[count], value)) continue;
    std::printf("%s: value %zu is %s in LibTorch, ", program.name, count, word.c_str());
    count < ours.size() ? std::printf("%.9g here\n", ours[count]) : std::puts("and missing here");
    return false;
  }
  if (count == ours.size()) return true;
  std::printf("%s: %zu values in LibTorch, %zu here\n", program.name, count, ours.size());
  return false;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    for (const auto& program : programs::all) program.run();
    std::puts("Skipped: LibTorch is not installed (libtorch-dev), so there is nothing to compare with.");
    return skipped;
  }
  if (std::strcmp(arguments[1], "--print") == 0) return print_values();
  const auto theirs = lines_of(arguments[1]);
  int wrong = 0;
  for (const auto& program : programs::all) {
    const auto found = theirs.find(program.name);
    if (found == theirs.end()) std::printf("%s: no output from LibTorch's executable\n", program.name);
    if (found == theirs.end() || !same_values(program, found->second)) ++wrong;
  }
  std::printf("%zu programs, %d differ\n", std::size(programs::all), wrong);
  return wrong == 0 ? 0 : 1;
}
