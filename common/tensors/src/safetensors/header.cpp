// SPDX-License-Identifier: MIT
// Reads a header: its length, its JSON, and whether its entries cover the data.
#include "safetensors/header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <tuple>

namespace d2l::detail::safetensors {

static_assert(std::endian::native == std::endian::little,
              "the format is little-endian, and this code copies its numbers unchanged");

namespace {

using nlohmann::json;

/// The kind of file that begins with these bytes; empty when unknown.
std::string what_it_seems_to_be(std::string_view begin) {
  if (begin.starts_with("PK\x03\x04")) {
    return "; it seems to be a file of torch.save, which safetensors.torch.save_file writes in this format";
  }
  if (begin.starts_with("version "))
    return "; it seems to be a pointer of Git LFS: git lfs pull fetches the file itself";
  if (begin.starts_with("<!") || begin.starts_with("<html")) return "; it seems to be a web page";
  if (begin.starts_with("\x89HDF")) return "; it seems to be an HDF5 file";
  return {};
}

std::int64_t read_length(const InputFile& file) {
  if (file.size() < length_bytes) {
    file.refuse(fmt::format("it has {} bytes, and the length of its header alone takes 8 (byte 0)", file.size()));
  }
  std::array<char, length_bytes> bytes{};
  file.read(0, bytes.data(), length_bytes);
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  const auto seems = what_it_seems_to_be({bytes.data(), bytes.size()});
  if (length > static_cast<std::uint64_t>(longest_header)) {
    file.refuse(
        fmt::format("its header would be {} bytes long, and {} is the most (byte 0){}", length, longest_header, seems));
  }
  const auto available = file.size() - length_bytes;
  if (static_cast<std::int64_t>(length) > available) {
    file.refuse(fmt::format("its header would be {} bytes long, and {} follow (byte 0){}", length, available, seems));
  }
  if (length < 2) file.refuse(fmt::format("its header is {} bytes long, and {{}} is the shortest (byte 0)", length));
  return static_cast<std::int64_t>(length);
}

/// The bytes of a tensor; refuses a size that overflows or ends within a byte.
std::int64_t bytes_of(const InputFile& file, const Entry& entry) {
  std::int64_t bits = 1;
  bool overflow = false;
  for (const auto size : entry.shape) overflow = __builtin_mul_overflow(bits, size, &bits) || overflow;
  overflow = __builtin_mul_overflow(bits, std::int64_t{entry.dtype->bits}, &bits) || overflow;
  if (overflow) {
    file.refuse(
        fmt::format("the shape of tensor {}, [{}], overflows", in_quotes(entry.name), fmt::join(entry.shape, ", ")));
  }
  if (bits % 8 != 0) {
    file.refuse(fmt::format("tensor {}, [{}] of {}, ends within a byte", in_quotes(entry.name),
                            fmt::join(entry.shape, ", "), entry.dtype->name));
  }
  return bits / 8;
}

void check_entry(const InputFile& file, const Entry& entry, std::int64_t data_bytes) {
  const auto offsets = [&] { return fmt::format("data_offsets [{}, {}]", entry.begin, entry.end); };
  if (entry.begin > entry.end) {
    file.refuse(fmt::format("tensor {} ends before it begins: {}", in_quotes(entry.name), offsets()));
  }
  if (entry.end > data_bytes) {
    file.refuse(
        fmt::format("tensor {} lies beyond the {} bytes of data: {}", in_quotes(entry.name), data_bytes, offsets()));
  }
  const auto bytes = bytes_of(file, entry);
  if (bytes != entry.end - entry.begin) {
    file.refuse(fmt::format("tensor {}, [{}] of {}, takes {} bytes, and {} are {}", in_quotes(entry.name),
                            fmt::join(entry.shape, ", "), entry.dtype->name, bytes, offsets(),
                            entry.end - entry.begin));
  }
}

}  // namespace

void check_entries(const InputFile& file, Header& header) {
  const auto data_bytes = file.size() - header.data_begin;
  for (const auto& entry : header.entries) check_entry(file, entry, data_bytes);
  std::sort(header.entries.begin(), header.entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::int64_t covered = 0;
  const Entry* before = nullptr;
  for (const auto& entry : header.entries) {
    if (entry.begin < covered) {
      file.refuse(fmt::format("tensors {} and {} overlap: [{}, {}] and [{}, {}]", in_quotes(before->name),
                              in_quotes(entry.name), before->begin, before->end, entry.begin, entry.end));
    }
    if (entry.begin > covered) {
      file.refuse(fmt::format("{} bytes of data before tensor {} belong to no tensor (byte {})", entry.begin - covered,
                              in_quotes(entry.name), header.data_begin + covered));
    }
    covered = entry.end;
    before = &entry;
  }
  if (covered != data_bytes) {
    file.refuse(fmt::format("{} bytes at its end belong to no tensor (byte {})", data_bytes - covered,
                            header.data_begin + covered));
  }
}

Header read_header(const InputFile& file) {
  const auto length = read_length(file);
  Header header = parse_header(file, length);
  header.data_begin = length_bytes + length;
  check_entries(file, header);
  return header;
}

std::string header_text(const std::vector<Entry>& entries, const SafetensorsMetadata& metadata) {
  std::string text = "{";
  if (!metadata.empty()) {
    text += "\"__metadata__\":{";
    for (const auto& [name, value] : metadata) text += json_text(name) + ':' + json_text(value) + ',';
    text.back() = '}';
  }
  for (const auto& entry : entries) {
    text += fmt::format("{}{}:{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}", text.size() > 1 ? "," : "",
                        json_text(entry.name), entry.dtype->name, fmt::join(entry.shape, ","), entry.begin, entry.end);
  }
  text += '}';
  text.append((8 - text.size() % 8) % 8, ' ');
  const auto length = static_cast<std::uint64_t>(text.size());
  std::array<char, length_bytes> bytes{};
  std::memcpy(bytes.data(), &length, sizeof length);
  return std::string(bytes.data(), bytes.size()) + text;
}

std::string json_text(std::string_view text) { return json(text).dump(-1, ' ', false, json::error_handler_t::replace); }

std::size_t first_invalid_utf8(const std::string& text) {
  try {
    static_cast<void>(json(text).dump());
    return std::string::npos;
  } catch (const json::type_error& error) {
    // "… invalid UTF-8 byte at index 3: 0xA0", or "… incomplete UTF-8 string; last byte: 0xC3".
    constexpr std::string_view before_index = "at index ";
    const std::string reason = error.what();
    const auto at = reason.find(before_index);
    return at == std::string::npos ? text.size() : std::stoul(reason.substr(at + before_index.size()));
  }
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t most = 100;
  if (name.size() <= most) return json_text(name);
  return fmt::format("{}… ({} bytes)", json_text(name.substr(0, most)), name.size());
}

}  // namespace d2l::detail::safetensors
