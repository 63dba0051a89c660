// SPDX-License-Identifier: MIT
// The options of nvrtcCompileProgram(), for the C++ compiler.
#include <algorithm>
#include <array>
#include <string_view>

#include "nvrtc/program.h"

namespace d2l::emulator::nvrtc {
namespace {

// Those that choose code for a card, or that advise its compiler, have no effect. Each also stands before "=VALUE".
constexpr std::array<std::string_view, 55> without_effect = {"--gpu-architecture",
                                                             "-arch",
                                                             "--std",
                                                             "-std",
                                                             "--use_fast_math",
                                                             "-use_fast_math",
                                                             "--fmad",
                                                             "-fmad",
                                                             "--ftz",
                                                             "-ftz",
                                                             "--prec-div",
                                                             "-prec-div",
                                                             "--prec-sqrt",
                                                             "-prec-sqrt",
                                                             "--maxrregcount",
                                                             "-maxrregcount",
                                                             "--generate-line-info",
                                                             "-lineinfo",
                                                             "--device-debug",
                                                             "-G",
                                                             "--dopt",
                                                             "-dopt",
                                                             "--relocatable-device-code",
                                                             "-rdc",
                                                             "--device-c",
                                                             "-dc",
                                                             "--device-w",
                                                             "-dw",
                                                             "--extra-device-vectorization",
                                                             "-extra-device-vectorization",
                                                             "--default-device",
                                                             "-default-device",
                                                             "--device-as-default-execution-space",
                                                             "--disable-warnings",
                                                             "-w",
                                                             "--restrict",
                                                             "-restrict",
                                                             "--split-compile",
                                                             "-split-compile",
                                                             "--minimal",
                                                             "-minimal",
                                                             "--device-int128",
                                                             "-device-int128",
                                                             "--builtin-move-forward",
                                                             "--no-display-error-number",
                                                             "--ptxas-options",
                                                             "--display-error-number",
                                                             "--diag-error",
                                                             "--offload-arch",
                                                             "-O0",
                                                             "-O1",
                                                             "-O2",
                                                             "-O3",
                                                             "-ffast-math",
                                                             "-fgpu-rdc"};

/// An option with a value: beside it, after '=', or the next word.
struct WithValue {
  std::string_view option;
  std::string_view to;  ///< of the C++ compiler
};
constexpr std::array<WithValue, 9> with_value = {{{"--include-path", "-I"},
                                                  {"-I", "-I"},
                                                  {"--define-macro", "-D"},
                                                  {"-D", "-D"},
                                                  {"--undefine-macro", "-U"},
                                                  {"-U", "-U"},
                                                  {"--pre-include", "-include"},
                                                  {"-include", "-include"},
                                                  {"--std", ""}}};

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

void add(Options& options, std::string_view to, const std::string& value) {
  if (to == "-I") {
    options.include_folders.push_back(value);
  } else if (to == "-include") {
    options.words.emplace_back(to);
    options.words.push_back(value);
  } else if (!to.empty()) {
    options.words.push_back(std::string(to) + value);
  }
}

bool has_no_effect(const std::string& word) {
  const std::string_view name = std::string_view(word).substr(0, word.find('='));
  return std::ranges::find(without_effect, name) != without_effect.end();
}

}  // namespace

Options read_options(const std::vector<std::string>& given) {
  Options options;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string word = trimmed(given[i]);
    const auto* const found =
        std::ranges::find_if(with_value, [&](const WithValue& one) { return word.starts_with(one.option); });
    if (found != with_value.end()) {
      std::string value = trimmed(std::string_view(word).substr(found->option.size()));
      if (value.starts_with('=')) value = trimmed(std::string_view(value).substr(1));
      if (value.empty() && i + 1 < given.size()) value = trimmed(given[++i]);
      add(options, found->to, value);
    } else if (word == "-arch" || word == "--gpu-architecture" || word == "-std") {
      ++i;  // its value is the next word
    } else if (!word.empty() && !has_no_effect(word)) {
      options.unknown = word;
    }
  }
  return options;
}

}  // namespace d2l::emulator::nvrtc
