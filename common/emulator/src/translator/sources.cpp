// SPDX-License-Identifier: MIT
#include "sources.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace d2l::emulator::translator {

namespace fs = std::filesystem;

namespace {

bool is_header_of_hip(std::string_view name) {
  constexpr std::array<std::string_view, 8> beginnings{"hip/",    "hipblas",   "hipcub/",   "hipfft",
                                                       "hiprand", "hipsolver", "hipsparse", "rccl"};
  return std::ranges::any_of(beginnings, [name](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace

bool is_hip(const fs::path& file, const TranslatedFiles& files) {
  const auto any = [&](bool TranslatedFile::*property) {
    return std::ranges::any_of(files, [&](const auto& one) { return one.second->*property; });
  };
  return file.extension() == ".hip" || (any(&TranslatedFile::includes_hip) && !any(&TranslatedFile::includes_runtime));
}

Sources::Sources(std::vector<fs::path> include_folders, std::string (*shown)(const fs::path&))
    : include_folders_(std::move(include_folders)), shown_(shown) {}

TranslatedFiles Sources::add(const fs::path& file) {
  TranslatedFiles found;
  std::vector<fs::path> wanted = {fs::absolute(file).lexically_normal()};
  while (!wanted.empty()) {
    const fs::path next = std::move(wanted.back());
    wanted.pop_back();
    if (found.contains(next)) continue;
    const TranslatedFile& one = translated(next);
    found.emplace(next, &one);
    wanted.insert(wanted.end(), one.includes.begin(), one.includes.end());
  }
  return found;
}

const TranslatedFile& Sources::translated(const fs::path& file) {
  if (const auto known = files_.find(file); known != files_.end()) return known->second;
  std::ifstream input(file, std::ios::binary);
  const std::string source{std::istreambuf_iterator<char>(input), {}};
  if (!input) throw std::runtime_error("cannot read " + file.string());
  Translation translation = translate(source, shown_ == nullptr ? file.string() : shown_(file));
  TranslatedFile& result = files_[file];
  result.changed = translation.text.substr(translation.text.find('\n') + 1) != source;  // the first line is a #line
  result.text = std::move(translation.text);
  result.uses_volatile = translation.uses_volatile;
  result.has_kernels = translation.has_kernels;
  result.has_device_code = translation.has_device_code;
  const std::string extension = file.extension().string();
  const bool header = extension == ".cuh" || (extension.find('h') == 1 && extension != ".hip");
  if (extension == ".cu" || (result.has_kernels && !header)) result.text.insert(0, "#include <cuda_runtime.h>\n");
  if (extension == ".hip") result.text.insert(0, "#include <hip/hip_runtime.h>\n");
  for (const Include& include : translation.includes) {
    result.includes_runtime |= include.name.starts_with("cuda_runtime");
    if (fs::path found = find(include, file.parent_path()); !found.empty()) {
      result.includes.push_back(std::move(found));
      continue;
    }
    result.includes_hip |= is_header_of_hip(include.name);
    result.includes_hip_language |= include.name == "hip/hip_runtime.h";
  }
  return result;
}

fs::path Sources::find(const Include& include, const fs::path& folder) const {
  const auto in = [&](const fs::path& one) {
    fs::path file = fs::absolute(one / include.name).lexically_normal();
    return fs::is_regular_file(file) ? file : fs::path();
  };
  if (include.quoted) {
    if (fs::path found = in(folder); !found.empty()) return found;
  }
  for (const fs::path& one : include_folders_) {
    if (fs::path found = in(one); !found.empty()) return found;
  }
  return {};
}

}  // namespace d2l::emulator::translator
