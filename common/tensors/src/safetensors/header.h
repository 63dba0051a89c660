// SPDX-License-Identifier: MIT
// The header of a safetensors file: which tensors there are, of what type and shape, and where their bytes are.
//
//   8 bytes     the length of the JSON, a little-endian number
//   the JSON    {"__metadata__": {"a": "text"}, "weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}}
//   the data    without gaps; offsets count from its start
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d2l/safetensors.h"
#include "safetensors/input_file.h"

namespace d2l::detail::safetensors {

/// Bytes of the length that the file begins with.
inline constexpr std::int64_t length_bytes = 8;
/// The longest JSON that the format allows.
inline constexpr std::int64_t longest_header = 100'000'000;
/// The maximum number of dimensions of a tensor in a header, as in NumPy and PyTorch.
inline constexpr std::size_t max_dimensions = 64;
/// The key of the metadata.
inline constexpr std::string_view metadata_name = "__metadata__";

/// An element type of the format.
struct FormatDtype {
  std::string_view name;
  int bits;                        ///< of one element; some types pack two into a byte, or four into three bytes
  std::optional<ScalarType> ours;  ///< unset where the library has no such type
  int rank = 0;                    ///< of ours: tensors of a higher rank come first in a file
};

/// The type of that name; null when the format has none.
const FormatDtype* find_format_dtype(std::string_view name) noexcept;
/// The entry of one of the library's types.
const FormatDtype& format_dtype_of(ScalarType type) noexcept;

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

/// Reads and checks the header, and sorts its entries by offset; ConfigurationError says what is wrong and where.
Header read_header(const InputFile& file);

// The parts of read_header.
/// Parses the JSON of `length` bytes; checks its form only.
Header parse_header(const InputFile& file, std::int64_t length);
/// Sorts the entries and checks that they cover the data exactly.
void check_entries(const InputFile& file, Header& header);

/// The length and the JSON that describe `entries`, padded with spaces to a multiple of 8 bytes.
std::string header_text(const std::vector<Entry>& entries, const SafetensorsMetadata& metadata);

/// A name as errors show it: quoted, escaped, shortened.
std::string in_quotes(std::string_view name);
/// Text as a JSON string; bytes that are not UTF-8 are replaced.
std::string json_text(std::string_view text);
/// The index of the first byte that does not continue well-formed UTF-8; npos when there is none.
std::size_t first_invalid_utf8(const std::string& text);

}  // namespace d2l::detail::safetensors
