// SPDX-License-Identifier: MIT
#include "course/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "base/error.h"
#include "base/root.h"
#include "base/terminal.h"
#include "course/records.h"

namespace d2l::runner {
namespace {

/// "One by one" of "## 1. One by one".
std::string title_of(const std::string& heading) {
  const std::size_t begin = heading.find_first_not_of("#0123456789. ");
  return begin == std::string::npos ? "" : heading.substr(begin);
}

void trim(std::string& text) {
  text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
  while (text.ends_with("\n\n")) text.pop_back();
}

}  // namespace

std::vector<Hint> read_hints(const std::filesystem::path& file) {
  std::vector<Hint> hints;
  std::ifstream in(file);
  bool code = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) code = !code;
    if (line.starts_with("## ") && !code) {
      hints.push_back({title_of(line), ""});
    } else if (!hints.empty()) {
      hints.back().text += line + "\n";
    }
  }
  for (Hint& hint : hints) trim(hint.text);
  if (hints.empty()) throw Stop(failed, fmt::format("{} has no hints (sections \"## 1. …\")", file.string()));
  return hints;
}

void show_hint(const Exercise& exercise, int number, bool keys) {
  const std::vector<Hint> hints = read_hints(exercise.folder / "hint.md");
  const int count = static_cast<int>(hints.size());
  if (number < 0 || number > count) {
    throw Stop(wrong_usage, fmt::format("There is no hint {} for {}: they are numbered from 1 to {}.", number,
                                        exercise.number, count));
  }
  bool again = false;
  change_records(root(), [&](Records& records) {
    int& read = records.exercises[exercise.key()].hints;
    again = number == 0 && read >= count;
    if (number == 0) number = std::min(read, count - 1) + 1;
    read = std::max(read, number);
  });
  const Hint& hint = hints[static_cast<std::size_t>(number) - 1];
  fmt::print("{}\n\n{}\n",
             bold(fmt::format("{} {}: hint {} of {}, {}", exercise.number, exercise.title, number, count, hint.title)),
             shown(hint.text));
  if (number < count) {
    fmt::print("One more: {}{}\n", keys ? "press h" : "./learn hint " + exercise.number,
               number + 1 < count ? ", and others after it" : "");
  } else {
    fmt::print("{}\n", again ? "You have read all hints; this is the last. To see another again: ./learn hint NUMBER"
                             : "This was the last hint.");
  }
}

}  // namespace d2l::runner
