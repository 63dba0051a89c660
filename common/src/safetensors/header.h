// SPDX-License-Identifier: MIT
// The header of a safetensors file: which tensors there are, of what type and shape, and where their bytes lie.
//
//   8 bytes     the length of the JSON, a little-endian number
//   the JSON    {"__metadata__": {"a": "text"}, "weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//   the data    without gaps; offsets count from its start
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "d2l/safetensors.h"
#include "safetensors/format_dtype.h"
#include "safetensors/input_file.h"

namespace d2l::detail::safetensors {

/// Bytes of the number that stands first.
inline constexpr std::int64_t length_bytes = 8;
/// The longest JSON that the format allows.
inline constexpr std::int64_t longest_header = 100'000'000;
/// The most dimensions that a header may give a tensor; NumPy and PyTorch have as many.
inline constexpr std::size_t most_dimensions = 64;
/// The name under which the metadata stand.
inline constexpr std::string_view metadata_name = "__metadata__";

/// A tensor in a header; offsets count from the start of the data.
struct Entry {
  std::string name;
  const FormatDtype* dtype = nullptr;
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

struct Header {
  std::vector<Entry> entries;
  SafetensorsMetadata metadata;
  std::int64_t data_begin = 0;  ///< from the start of the file
};

/// Reads the header, checks it and puts its entries in the order of their bytes; ConfigurationError says what is wrong
/// and where.
Header read_header(const InputFile& file);

// The parts of read_header.
/// The JSON of `length` bytes, taken apart but not checked further than for its form.
Header parse_header(const InputFile& file, std::int64_t length);
/// Puts the entries in order and holds them against the bytes that there are.
void check_entries(const InputFile& file, Header& header);

/// The length and the JSON that describe `entries`, padded with spaces to a multiple of 8 bytes.
std::string header_text(const std::vector<Entry>& entries, const SafetensorsMetadata& metadata);

/// A name as errors show it: quoted, escaped, cut short.
std::string in_quotes(std::string_view name);
/// Text as JSON has it; bytes that are no UTF-8 are replaced.
std::string json_text(std::string_view text);

}  // namespace d2l::detail::safetensors
