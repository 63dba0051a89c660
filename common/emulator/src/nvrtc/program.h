// SPDX-License-Identifier: MIT
// A program that is compiled at run time.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace d2l::emulator::nvrtc {

struct Program {
  std::string name;
  std::string source;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names and contents
  std::vector<std::string> expressions;                      ///< of nvrtcAddNameExpression()
  std::map<std::string, std::string> lowered;                ///< by expression
  bool compiled = false;                                     ///< or tried
  std::string log;
  std::string image;  ///< what is given as PTX; empty until the program is compiled
};

/// What the options say to the C++ compiler.
struct Options {
  std::vector<std::string> include_folders;
  std::vector<std::string> words;
  std::string unknown;  ///< an option that nvrtc does not have
};
Options read_options(const std::vector<std::string>& given);

/// Compiles it. False with the messages in its log.
bool compile(Program& program, const Options& options);

/// The names of the kernels in a source that are no templates and in no namespace.
std::vector<std::string> plain_kernels(const std::string& source);

}  // namespace d2l::emulator::nvrtc
