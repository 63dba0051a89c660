// SPDX-License-Identifier: MIT
// d2l_cuda_translator INPUT OUTPUT [DEPENDENCIES]: translates one file, for builds. With DEPENDENCIES, also its
// headers, if one of them needs it, to the places beside OUTPUT that they have beside INPUT; the file DEPENDENCIES then
// lists what was read, for make and ninja.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "sources.h"

namespace fs = std::filesystem;

namespace {

void write(const fs::path& file, const std::string& text) {
  std::ofstream output(file, std::ios::binary);
  output << text;
  output.close();
  if (!output) throw std::runtime_error("cannot write " + file.string());
}

/// A path as the rules of make have it.
std::string escaped(const fs::path& path) {
  std::string text;
  for (const char letter : path.string()) {
    if (letter == ' ' || letter == '#') text += '\\';
    if (letter == '$') text += '$';
    text += letter;
  }
  return text;
}

void translate(const fs::path& input, const fs::path& output, const char* dependencies) {
  d2l::emulator::translator::Sources sources;
  const fs::path source = fs::absolute(input).lexically_normal();
  const fs::path folder = fs::absolute(output).lexically_normal().parent_path();
  const auto files = sources.add(source);
  write(output, files.at(source)->text);
  if (dependencies == nullptr) return;
  bool headers_change = false;
  for (const auto& [path, file] : files) headers_change |= path != source && file->changed;
  std::string rule = escaped(output) + ":";
  for (const auto& [path, file] : files) {
    rule += " " + escaped(path);
    if (path == source) continue;
    const fs::path place = (folder / path.lexically_relative(source.parent_path())).lexically_normal();
    if (place == path) throw std::runtime_error("the translation of " + path.string() + " would replace it");
    if (headers_change) {
      fs::create_directories(place.parent_path());
      write(place, file->text);
    } else {
      fs::remove(place);  // of an earlier version
    }
  }
  write(dependencies, rule + "\n");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3 && count != 4) {
    std::fputs("usage: d2l_cuda_translator INPUT OUTPUT [DEPENDENCIES]\n", stderr);
    return 2;
  }
  try {
    translate(arguments[1], arguments[2], count == 4 ? arguments[3] : nullptr);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "d2l_cuda_translator: %s\n", error.what());
    return 2;
  }
}
