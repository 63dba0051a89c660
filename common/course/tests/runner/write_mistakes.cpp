// SPDX-License-Identifier: MIT
// write_mistakes SOLUTION MISTAKES FOLDER: writes the wrong solutions of an exercise, each as FOLDER/NAME.cpp or .cu.
// MISTAKES is its mistakes.md, which has a section for each:
//   ## NAME
//   Why it looks correct.
//   - Fails: ITEM: TEXT      what prove_check expects
//   ```diff                  an edit of the solution: lines that begin with ' ' or '-' are replaced by those with ' '
//   ```                      or '+'. They must be in the solution once. Without a diff, a block is the whole file
// A file that would not change keeps its date. Exit code: 0, or 1 with a message that names the line.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

using Lines = std::vector<std::string>;

/// A block of code between two lines that begin with ```.
struct Block {
  std::size_t line = 0;  ///< of its first line, from 1
  std::string language;
  Lines lines;
};

struct Mistake {
  std::string name;
  Lines comment;
  std::vector<Block> blocks;
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!(text << stream.rdbuf())) throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
  return text.str();
}

Lines lines_of(const fs::path& file) {
  std::istringstream text(text_of(file));
  Lines lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

/// The code of a solution, without the prose before it.
Lines code_of(const fs::path& solution) {
  Lines lines = lines_of(solution);
  const auto is_code = [](const std::string& line) { return !line.empty() && !line.starts_with("//"); };
  lines.erase(lines.begin(), std::find_if(lines.begin(), lines.end(), is_code));
  return lines;
}

std::vector<Mistake> read_mistakes(const fs::path& file) {
  std::vector<Mistake> mistakes;
  bool in_block = false;
  std::size_t number = 0;
  for (const std::string& line : lines_of(file)) {
    ++number;
    if (line.starts_with("```")) {
      if (mistakes.empty())
        throw std::runtime_error(fmt::format("{}:{}: code before the first name", file.string(), number));
      const std::string language = line.substr(3);
      if (!in_block && language != "diff" && language != "cpp" && language != "cuda") {
        throw std::runtime_error(
            fmt::format("{}:{}: a block is diff, cpp or cuda, not \"{}\"", file.string(), number, language));
      }
      if (!in_block) mistakes.back().blocks.push_back({number + 1, line.substr(3), {}});
      in_block = !in_block;
    } else if (in_block) {
      mistakes.back().blocks.back().lines.push_back(line);
    } else if (line.starts_with("## ")) {
      const std::string name = line.substr(3);
      if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
        throw std::runtime_error(
            fmt::format("{}:{}: a name has lower-case letters, digits and _, not \"{}\"", file.string(), number, name));
      }
      mistakes.push_back({name, {}, {}});
    } else if (!mistakes.empty() && !line.empty()) {
      mistakes.back().comment.push_back(line.starts_with("- ") ? line.substr(2) : line);
    }
  }
  if (in_block) throw std::runtime_error(fmt::format("{}: the last block has no end", file.string()));
  return mistakes;
}

/// The lines of an edit without those that begin with `left_out`, and without the first character of each.
Lines side_of(const Block& edit, char left_out, const std::string& place) {
  Lines lines;
  for (std::size_t i = 0; i < edit.lines.size(); ++i) {
    const std::string& line = edit.lines[i];
    if (!line.empty() && line[0] != ' ' && line[0] != '+' && line[0] != '-') {
      throw std::runtime_error(
          fmt::format("{}:{}: a line of a diff begins with ' ', '-' or '+'", place, edit.line + i));
    }
    if (line.empty() || line[0] != left_out) lines.push_back(line.empty() ? line : line.substr(1));
  }
  return lines;
}

/// Changes the code in the one place that an edit fits.
void apply(const Block& edit, Lines& code, const std::string& mistake, const std::string& place) {
  const Lines before = side_of(edit, '+', place);
  const Lines after = side_of(edit, '-', place);
  auto found = std::search(code.begin(), code.end(), before.begin(), before.end());
  const bool is_there = !before.empty() && found != code.end();
  if (!is_there || std::search(found + 1, code.end(), before.begin(), before.end()) != code.end()) {
    throw std::runtime_error(
        fmt::format("{}:{}: this edit of {} does not fit the solution: its lines that begin with ' ' or "
                    "'-' are {}, after the edits before it",
                    place, edit.line, mistake, is_there ? "in it more than once" : "not in it"));
  }
  found = code.erase(found, found + static_cast<std::ptrdiff_t>(before.size()));
  code.insert(found, after.begin(), after.end());
}

std::string wrong_solution(const Mistake& mistake, Lines code, const std::string& place) {
  if (mistake.blocks.empty()) throw std::runtime_error(fmt::format("{}: {} has no code", place, mistake.name));
  for (const Block& block : mistake.blocks) {
    if (block.language == "diff") {
      apply(block, code, mistake.name, place);
    } else {
      code = block.lines;
    }
  }
  std::string text = "// SPDX-License-Identifier: MIT\n";
  for (const std::string& line : mistake.comment) text += "// " + line + "\n";
  for (const std::string& line : code) text += line + "\n";
  return text;
}

void write_all(const fs::path& solution, const fs::path& mistakes, const fs::path& folder) {
  const Lines code = code_of(solution);
  fs::create_directories(folder);
  for (const Mistake& mistake : read_mistakes(mistakes)) {
    const std::string text = wrong_solution(mistake, code, mistakes.string());
    const fs::path file = folder / (mistake.name + solution.extension().string());
    if (fs::exists(file) && text_of(file) == text) continue;
    std::ofstream stream(file, std::ios::binary);
    if (!(stream << text << std::flush)) throw std::runtime_error(fmt::format("{} cannot be written", file.string()));
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count != 4) throw std::runtime_error("usage: write_mistakes SOLUTION MISTAKES FOLDER");
    write_all(arguments[1], arguments[2], arguments[3]);
    return 0;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 1;
  }
}
