// SPDX-License-Identifier: MIT
// Saves the header, then each tensor in turn, so that little is held in memory twice.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "base/atomic_file.h"
#include "core/construct.h"
#include "core/messages.h"
#include "d2l/safetensors.h"
#include "safetensors/header.h"
#include "tensor/copies.h"

namespace d2l {

using detail::fail;
using detail::safetensors::Entry;
using detail::safetensors::in_quotes;

namespace {

constexpr const char* operation = "save_file";
/// A tensor that is not row-major is copied to row-major order in parts of about this size.
constexpr std::int64_t part_bytes = std::int64_t{16} << 20;
/// An expanded tensor is an error if it has more bytes than this, and repeats its elements more often than this.
constexpr std::int64_t max_repeated_bytes = std::int64_t{1} << 30;
constexpr std::int64_t max_repetitions = 64;

void check_text(const std::string& text, const char* what) {
  const auto wrong = detail::safetensors::first_invalid_utf8(text);
  if (wrong == std::string::npos) return;
  fail<ValueError>(operation, fmt::format("{} {} is not UTF-8: byte {} of it", what, in_quotes(text), wrong), {},
                   "the format takes texts in UTF-8 alone");
}

void check_name(const std::string& name) {
  check_text(name, "the name");
  if (name != detail::safetensors::metadata_name) return;
  fail<ValueError>(operation, "a tensor cannot be named \"__metadata__\": the format keeps that name for the metadata",
                   {}, "give it another name");
}

void check_value(const std::string& name, const Tensor& tensor) {
  if (!tensor.defined()) {
    fail<ValueError>(operation, fmt::format("the tensor {} is undefined (moved from, or never made)", in_quotes(name)),
                     {}, "leave it out, or give it a value first");
  }
  if (tensor.impl()->parameter == detail::ParameterState::uninitialized) {
    fail<ValueError>(operation, fmt::format("the parameter {} has no shape yet: its layer is lazy", in_quotes(name)),
                     {}, "call the module once with an input, which gives it one");
  }
}

/// How often a tensor repeats its elements.
std::int64_t repetitions_of(const detail::TensorImpl& tensor) {
  std::int64_t count = 1;
  for (int i = 0; i < tensor.sizes.count; ++i) count *= tensor.strides[i] == 0 ? tensor.sizes[i] : 1;
  return count;
}

/// The bytes of a tensor; ConfigurationError when it repeats its elements too often.
std::int64_t bytes_of(const Tensor& tensor, const std::string& name) {
  std::int64_t bytes = 0;
  const bool overflows = __builtin_mul_overflow(tensor.numel(), tensor.element_size(), &bytes);
  const auto repetitions = repetitions_of(*tensor.impl());
  if (!overflows && (bytes <= max_repeated_bytes || repetitions <= max_repetitions)) return bytes;
  fail<ConfigurationError>(
      operation,
      fmt::format("the tensor {} repeats its elements {} times, too often for a file", in_quotes(name), repetitions),
      detail::operands({{"it", tensor.impl().get()}}),
      "an expanded tensor is saved with all its repetitions; save what it was expanded from");
}

/// The tensors in the order of the format, without their offsets.
std::vector<std::pair<Entry, Tensor>> in_order(const StateDict& tensors) {
  std::vector<std::pair<Entry, Tensor>> ordered;
  ordered.reserve(tensors.size());
  for (const auto& item : tensors) {
    check_name(item.key());
    check_value(item.key(), item.value());
    ordered.emplace_back(
        Entry{item.key(), &detail::safetensors::format_dtype_of(item.value().dtype()), item.value().sizes().vec()},
        item.value());
  }
  // Largest elements first, so that every tensor is aligned to its element size.
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return std::forward_as_tuple(-a.first.dtype->rank, a.first.name) <
           std::forward_as_tuple(-b.first.dtype->rank, b.first.name);
  });
  return ordered;
}

std::string header_of(std::vector<std::pair<Entry, Tensor>>& tensors, const SafetensorsMetadata& metadata) {
  std::vector<Entry> entries;
  entries.reserve(tensors.size());
  std::int64_t place = 0;
  for (auto& [entry, tensor] : tensors) {
    entry.begin = place;
    place += bytes_of(tensor, entry.name);
    entry.end = place;
    entries.push_back(entry);
  }
  auto text = detail::safetensors::header_text(entries, metadata);
  const auto length = static_cast<std::int64_t>(text.size()) - detail::safetensors::length_bytes;
  if (length > detail::safetensors::longest_header) {
    fail<ConfigurationError>(operation,
                             fmt::format("the header of {} tensors would be {} bytes long, and {} is the most",
                                         tensors.size(), length, detail::safetensors::longest_header),
                             {}, "save them in several files");
  }
  return text;
}

/// The rows from `begin` to before `end`; a single row comes without its first dimension.
Tensor rows_of(const Tensor& tensor, std::int64_t begin, std::int64_t end) {
  const detail::TensorImpl& all = *tensor.impl();
  auto sizes = all.sizes;
  auto strides = all.strides;
  sizes[0] = end - begin;
  if (end - begin == 1) {
    std::shift_left(sizes.values.begin(), sizes.values.end(), 1);
    std::shift_left(strides.values.begin(), strides.values.end(), 1);
    sizes.count = --strides.count;
  }
  return detail::make_view(all, sizes, strides, all.offset + begin * all.strides[0]);
}

void write_tensor(detail::AtomicFile& file, const Tensor& tensor) {
  if (tensor.numel() == 0) return;
  const bool in_parts = tensor.is_cpu() && !tensor.is_contiguous() && tensor.dim() > 0 && tensor.size(0) > 1 &&
                        tensor.nbytes() > part_bytes;
  if (!in_parts) {
    const Tensor host = detail::to_host(tensor, operation, false);
    file.write(host.impl()->data(), static_cast<std::size_t>(host.nbytes()));
    return;
  }
  const auto row = tensor.nbytes() / tensor.size(0);
  const auto rows = std::max<std::int64_t>(part_bytes / row, 1);  // a larger row is split in turn
  for (std::int64_t begin = 0; begin < tensor.size(0); begin += rows) {
    const auto end = std::min(begin + rows, tensor.size(0));
    write_tensor(file, rows_of(tensor, begin, end));
  }
}

}  // namespace

void save_file(const StateDict& tensors, const std::string& path, const SafetensorsMetadata& metadata) {
  for (const auto& [name, value] : metadata) {
    check_text(name, "the metadata's name");
    check_text(value, "the metadata's text");
  }
  auto ordered = in_order(tensors);
  const auto header = header_of(ordered, metadata);
  detail::AtomicFile file(operation, path);
  file.write(header);
  for (const auto& [entry, tensor] : ordered) write_tensor(file, tensor);
  file.commit();
}

}  // namespace d2l
