// SPDX-License-Identifier: MIT
#include "base/tar.h"

#include <fmt/format.h>

#include <numeric>

#include "base/error.h"

namespace d2l::runner {
namespace {

constexpr std::size_t block = 512;

void put(std::string& header, std::size_t at, const std::string& text) { header.replace(at, text.size(), text); }

/// No owner and no time, so that the same files make the same archive.
std::string header_of(const std::string& path, std::size_t size) {
  constexpr std::size_t longest = 100;
  if (path.size() > longest) throw Stop(failed, fmt::format("{} is too long a name for an archive", path));
  std::string header(block, '\0');
  put(header, 0, path);
  put(header, 100, "0000644");
  put(header, 108, "0000000");
  put(header, 116, "0000000");
  put(header, 124, fmt::format("{:011o}", size));
  put(header, 136, "00000000000");
  put(header, 148, "        ");
  put(header, 156, "0");
  put(header, 257, "ustar");
  put(header, 263, "00");
  const auto sum = std::accumulate(header.begin(), header.end(), 0U,
                                   [](unsigned total, char byte) { return total + static_cast<unsigned char>(byte); });
  put(header, 148, fmt::format("{:06o}", sum) + '\0' + ' ');
  return header;
}

}  // namespace

std::string tar(const std::map<std::string, std::string>& files) {
  std::string archive;
  for (const auto& [path, bytes] : files) {
    archive += header_of(path, bytes.size()) + bytes;
    archive.append((block - archive.size() % block) % block, '\0');
  }
  return archive.append(2 * block, '\0');
}

}  // namespace d2l::runner
