// SPDX-License-Identifier: MIT
#include "calls/program_stack.h"

#include <execinfo.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "arguments/parameter_names.h"
#include "calls/inlined_calls.h"
#include "checks/function_names.h"

namespace d2l::emulator {
namespace {

/// Parts of the paths of files that are no program's: the emulator's and those of the compiler's library.
constexpr std::array no_program{"/d2l_emulator/",     "/d2l_cuda_emulator/", "/emulator/src/",
                                "/emulator/include/", "/common/machine/",    "/include/c++/"};

bool is_of_program(const SourceLine& line) {
  return line.line > 0 && !line.of_library &&
         std::ranges::none_of(no_program, [&](const char* part) { return line.path.find(part) != std::string::npos; });
}

}  // namespace

ReturnAddresses calls_of_this_thread() noexcept {
  ReturnAddresses calls;
  calls.count = ::backtrace(calls.all.data(), static_cast<int>(calls.all.size()));
  return calls;
}

std::vector<SourceLine> lines_of_program(const ReturnAddresses& calls, const void* instruction) {
  const auto* const end = calls.all.begin() + calls.count;
  const auto* const interrupted = std::find(calls.all.begin(), end, instruction);
  std::vector<SourceLine> lines;
  for (const auto* frame = interrupted == end ? calls.all.begin() : interrupted; frame != end; ++frame) {
    // A frame is where a call returns to, so that the line is that of the byte before.
    const bool is_instruction = *frame == instruction && instruction != nullptr;
    const SourceLine& line = source_line(static_cast<const std::byte*>(*frame) + (is_instruction ? 1 : 0));
    const bool again = !lines.empty() && lines.back().line == line.line && lines.back().file == line.file;
    if (is_of_program(line) && !again) lines.push_back(line);
  }
  return lines;
}

std::string called_kernel(const ReturnAddresses& calls, const void* instruction) {
  std::vector<const void*> frames{static_cast<const std::byte*>(instruction) + 1};
  const auto* const end = calls.all.begin() + calls.count;
  const auto* const interrupted = std::find(calls.all.begin(), end, instruction);
  if (interrupted != end) frames.insert(frames.end(), interrupted + 1, end);
  std::erase_if(frames, [](const void* frame) { return !is_of_program(source_line(frame)); });
  for (const std::vector<InlinedCall>& chain : inlined_calls(frames)) {
    for (const InlinedCall& call : chain) {
      std::string name = without_parameters(call.function);
      if (is_of_program(call.line) && is_kernel(name)) return name;
    }
  }
  return "";
}

std::string stack_text(const std::vector<SourceLine>& lines, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
    text += (i == 0 ? " at " : ", called at ") + lines[i].text();
  }
  return text;
}

namespace {

/// The lines after the first, if that is `here`.
template <class Shown>
std::string callers(const std::vector<SourceLine>& lines, const std::string& here, const Shown& is_shown) {
  constexpr std::size_t most = 4;
  std::string text;
  if (lines.empty() || lines.front().text() != here) return text;
  for (std::size_t i = 1; i < std::min(lines.size(), most); ++i) {
    if (is_shown(lines[i])) text += ", called at " + lines[i].text();
  }
  return text;
}

/// lines_of_program() with the calls that the compiler has inlined.
std::vector<SourceLine> lines_with_inlined_calls(const ReturnAddresses& calls) {
  std::vector<const void*> frames;
  for (int i = 0; i < calls.count; ++i) {
    if (is_of_program(source_line(calls.all[static_cast<std::size_t>(i)])))
      frames.push_back(calls.all[static_cast<std::size_t>(i)]);
  }
  const std::vector<std::vector<InlinedCall>> chains = inlined_calls(frames);
  std::vector<SourceLine> lines;
  const auto add = [&lines](const SourceLine& line) {
    const bool again = !lines.empty() && lines.back().line == line.line && lines.back().file == line.file;
    if (is_of_program(line) && !again) lines.push_back(line);
  };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const SourceLine& line = source_line(frames[i]);
    add(line);
    // The chain may begin in a header, whose line source_line() has left out.
    const auto same = std::ranges::find_if(
        chains[i], [&](const InlinedCall& each) { return each.line.line == line.line && each.line.file == line.file; });
    for (auto outer = same; outer != chains[i].end(); ++outer) add(outer->line);
  }
  return lines;
}

}  // namespace

std::string callers_text(const SourceLine& here, const KernelLaunch& launch) {
  const std::string_view path = launch.file;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  constexpr int lines_of_launch = 8;  // its arguments may be in lines after the first
  const auto is_launch = [&](const SourceLine& line) {
    return line.file == file && line.line >= launch.line && line.line < launch.line + lines_of_launch;
  };
  return callers(lines_with_inlined_calls(calls_of_this_thread()), here.text(),
                 [&](const SourceLine& line) { return !is_launch(line); });
}

std::string callers_text(const ReturnAddresses& calls, const std::string& here) {
  return callers(lines_with_inlined_calls(calls), here, [](const SourceLine&) { return true; });
}

}  // namespace d2l::emulator
