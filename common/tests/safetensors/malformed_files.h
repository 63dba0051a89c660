// SPDX-License-Identifier: MIT
// Safetensors files that are malformed, each in its own way, and what is to be said of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace d2l::testing {

/// Whether Python's safetensors package opens the file; where it does, this library is the stricter one.
enum class Reference : std::int8_t { refuses, accepts };

struct MalformedFile {
  std::string name;
  std::string bytes;
  std::string says;  ///< part of our error
  Reference reference = Reference::refuses;
};

/// A file of the given header and data; `length` stands first, and is the header's own unless it is given.
std::string file_of(std::string_view header, std::string_view data = {});
std::string file_of(std::string_view header, std::string_view data, std::uint64_t length);

/// The table; files of many megabytes are not in it.
std::vector<MalformedFile> malformed_files();
/// Some that are well-formed, with unusual things in them.
std::vector<std::string> unusual_files();

}  // namespace d2l::testing
