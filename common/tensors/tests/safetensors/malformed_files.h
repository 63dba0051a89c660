// SPDX-License-Identifier: MIT
// Malformed safetensors files, and the error that each must cause.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace d2l::testing {

/// Whether Python's safetensors package opens the file; where it does, this library is stricter.
enum class Reference : std::int8_t { refuses, accepts };

struct MalformedFile {
  std::string name;
  std::string bytes;
  std::string says;  ///< part of our error
  Reference reference = Reference::refuses;
};

/// A file of a header and data; `length` is the header's own length unless given.
std::string file_of(std::string_view header, std::string_view data = {});
std::string file_of(std::string_view header, std::string_view data, std::uint64_t length);

/// The table, without files of many megabytes.
std::vector<MalformedFile> malformed_files();
/// Unusual files that are well-formed.
std::vector<std::string> unusual_files();

}  // namespace d2l::testing
