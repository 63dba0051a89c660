// SPDX-License-Identifier: MIT
#include "grading/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "grading/reports/printable.h"

namespace d2l::grading {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

/// Only letters, digits, - and _, and short enough for a file system.
std::string plain(const std::string& name) {
  std::string text = name.substr(0, 100);
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char letter) {
        return letter >= 0x80 || (std::isalnum(letter) == 0 && letter != '-' && letter != '_');
      },
      '_');
  return text;
}

/// Appends a number to the names that are taken. Those that are equal to their original take theirs first.
std::vector<std::string> distinct(std::vector<std::string> names, const std::vector<std::string>& originals,
                                  const char* before, const char* after) {
  std::set<std::string> taken;
  std::vector<bool> settled(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    settled[i] = names[i] == originals[i] && taken.insert(lower_case(names[i])).second;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string wanted = names[i];
    for (int number = 2; !settled[i]; ++number) {
      settled[i] = taken.insert(lower_case(names[i])).second;
      if (!settled[i]) names[i] = fmt::format("{}{}{}{}", wanted, before, number, after);
    }
  }
  return names;
}

}  // namespace

std::vector<Name> names_of(const std::vector<std::string>& entries) {
  std::vector<std::string> lines = entries;
  std::transform(lines.begin(), lines.end(), lines.begin(), [](const std::string& entry) { return one_line(entry); });
  const std::vector<std::string> shown = distinct(std::move(lines), entries, " (", ")");
  std::vector<std::string> files = shown;
  std::transform(files.begin(), files.end(), files.begin(), plain);
  files = distinct(std::move(files), shown, "_", "");
  std::vector<Name> names;
  for (std::size_t i = 0; i < entries.size(); ++i) names.push_back({shown[i], files[i]});
  return names;
}

}  // namespace d2l::grading
