// SPDX-License-Identifier: MIT
// d2l_cuda_translator INPUT OUTPUT: translates one file; CMake and ./learn cuda compile the output.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "translate.h"

int main(int count, char** arguments) {
  if (count != 3) {
    std::fputs("usage: d2l_cuda_translator INPUT OUTPUT\n", stderr);
    return 2;
  }
  std::ifstream input(arguments[1], std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(input), {}};
  std::string text = d2l::emulator::translator::translate(source, arguments[1]).text;
  if (std::string(arguments[1]).ends_with(".cu")) text.insert(0, "#include <cuda_runtime.h>\n");
  std::ofstream output(arguments[2], std::ios::binary);
  output << text;
  output.close();
  if (input && output) return 0;
  std::fprintf(stderr, "d2l_cuda_translator: cannot %s %s\n", input ? "write" : "read", arguments[input ? 2 : 1]);
  return 2;
}
