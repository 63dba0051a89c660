// SPDX-License-Identifier: MIT
// Loads the header at once, and each tensor on demand, directly into its own memory.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "core/construct.h"
#include "core/messages.h"
#include "core/transfer.h"
#include "runtime/runtime.h"
#include "safetensors/header.h"

namespace d2l {

using detail::fail;
using detail::safetensors::Header;
using detail::safetensors::in_quotes;
using detail::safetensors::InputFile;

namespace {

/// The index of the first byte that is neither 0 nor 1; -1 when there is none.
std::int64_t first_no_bool(const unsigned char* bytes, std::int64_t count) {
  constexpr std::int64_t block = 4096;
  for (std::int64_t begin = 0; begin < count; begin += block) {
    const auto end = std::min(count, begin + block);
    unsigned all = 0;
    for (auto i = begin; i < end; ++i) all |= bytes[i];
    if (all <= 1) continue;
    return std::find_if(bytes + begin, bytes + end, [](unsigned char byte) { return byte > 1; }) - bytes;
  }
  return -1;
}

}  // namespace

struct SafetensorsFile::Impl {
  Impl(const std::string& path, const char* operation) : file(path, operation) {
    Header header = read_header(file);
    metadata = std::move(header.metadata);
    infos.reserve(header.entries.size());
    types.reserve(header.entries.size());
    for (auto& entry : header.entries) {
      by_name.emplace(entry.name, infos.size());
      infos.push_back({std::move(entry.name), std::string(entry.dtype->name), std::move(entry.shape),
                       entry.end - entry.begin, header.data_begin + entry.begin});
      types.push_back(entry.dtype->ours);
    }
  }

  [[nodiscard]] std::size_t place_of(const std::string& name) const {
    const auto found = by_name.find(name);
    if (found != by_name.end()) return found->second;
    std::string has;
    for (const auto& info : infos) {
      if (has.size() > 200) {
        has += ", …";
        break;
      }
      has += (has.empty() ? "" : ", ") + in_quotes(info.name);
    }
    fail<IndexError>(file.operation(), fmt::format("\"{}\" has no tensor {}", file.path(), in_quotes(name)),
                     has.empty() ? "(it has none)" : fmt::format("(it has {})", has), "keys() lists the names");
  }

  void check_loadable(std::size_t place) const {
    const auto& info = infos[place];
    if (!types[place]) {
      fail<TypeError>(
          file.operation(),
          fmt::format("tensor {} of \"{}\" is {}, and tensors here are F16, BF16, F32, F64, I32, I64, U8 or BOOL",
                      in_quotes(info.name), file.path(), info.dtype),
          {}, "save it as one of these, in Python for example with x.float(), or load the others by name");
    }
    if (info.shape.size() > static_cast<std::size_t>(max_dimensions)) {
      fail<ShapeError>(file.operation(),
                       fmt::format("tensor {} of \"{}\" has {} dimensions, and tensors here have up to {}",
                                   in_quotes(info.name), file.path(), info.shape.size(), max_dimensions),
                       {}, "save it with fewer, for example reshaped, or load the others by name");
    }
  }

  /// Checks all tensors together against the free memory: each alone may fit.
  void check_room(Device device) const {
    std::int64_t bytes = 0;
    for (const auto& info : infos) bytes += info.nbytes;
    const auto memory = detail::backend_of(device).memory(detail::number_of(device));
    if (bytes <= memory.free) return;
    fail<OutOfMemoryError>(file.operation(),
                           fmt::format("the tensors of \"{}\" take {} bytes on {}, which has {} bytes, {} of them free",
                                       file.path(), bytes, device.str(), memory.total, memory.free),
                           {}, "load some of them by name with SafetensorsFile, or free memory first");
  }

  [[nodiscard]] Tensor read(std::size_t place) const {
    const auto& info = infos[place];
    auto tensor = detail::make_tensor(detail::dimensions(info.shape, file.operation()), *types[place], Device(kCPU),
                                      false, file.operation());
    read_part(place, tensor.impl()->data(), 0, info.nbytes);
    return tensor;
  }

  /// Reads `count` bytes of a tensor from the byte `begin` on.
  void read_part(std::size_t place, void* memory, std::int64_t begin, std::int64_t count) const {
    const std::int64_t offset = infos[place].offset + begin;
    file.read_mapped(offset, memory, count);
    if (types[place] != kBool) return;
    const auto* bytes = static_cast<const unsigned char*>(memory);
    if (const auto wrong = first_no_bool(bytes, count); wrong >= 0) {
      file.refuse(fmt::format("tensor {} is BOOL, and has {} where 0 or 1 belongs (byte {})",
                              in_quotes(infos[place].name), bytes[wrong], offset + wrong));
    }
  }

  [[nodiscard]] Tensor load(std::size_t place, Device device) const {
    if (device.is_cpu()) return read(place);
    const auto& info = infos[place];
    auto tensor = detail::make_tensor(detail::dimensions(info.shape, file.operation()), *types[place], device, false,
                                      file.operation());
    if (info.nbytes == 0) return tensor;
    const auto read_chunk = [&](void* memory, std::int64_t begin, std::int64_t count) {
      read_part(place, memory, begin, count);
    };
    detail::transfer_from(*tensor.impl(), read_chunk, {file.operation()});
    return tensor;
  }

  InputFile file;
  SafetensorsMetadata metadata;
  std::vector<SafetensorsInfo> infos;
  std::vector<std::optional<ScalarType>> types;
  std::map<std::string, std::size_t, std::less<>> by_name;
};

SafetensorsFile::SafetensorsFile(const std::string& path) : SafetensorsFile(path, "SafetensorsFile") {}
SafetensorsFile::SafetensorsFile(const std::string& path, const char* operation)
    : impl_(std::make_shared<const Impl>(path, operation)) {}

const std::string& SafetensorsFile::path() const noexcept { return impl_->file.path(); }
const SafetensorsMetadata& SafetensorsFile::metadata() const noexcept { return impl_->metadata; }
std::size_t SafetensorsFile::size() const noexcept { return impl_->infos.size(); }
bool SafetensorsFile::contains(const std::string& name) const noexcept { return impl_->by_name.count(name) != 0; }
const SafetensorsInfo& SafetensorsFile::info(const std::string& name) const {
  return impl_->infos[impl_->place_of(name)];
}
const std::vector<SafetensorsInfo>& SafetensorsFile::infos() const noexcept { return impl_->infos; }

std::vector<std::string> SafetensorsFile::keys() const {
  std::vector<std::string> names;
  names.reserve(size());
  for (const auto& info : infos()) names.push_back(info.name);
  return names;
}

Tensor SafetensorsFile::tensor(const std::string& name, Device device) const {
  static_cast<void>(detail::backend_of(device));
  const auto place = impl_->place_of(name);
  impl_->check_loadable(place);
  auto tensor = impl_->load(place, device);
  impl_->file.check_unchanged();
  return tensor;
}

StateDict SafetensorsFile::tensors(Device device) const {
  static_cast<void>(detail::backend_of(device));
  for (std::size_t place = 0; place < size(); ++place) impl_->check_loadable(place);
  impl_->check_room(device);
  StateDict result;
  result.reserve(size());
  for (std::size_t place = 0; place < size(); ++place) {
    result.insert(infos()[place].name, impl_->load(place, device));
  }
  impl_->file.check_unchanged();
  return result;
}

StateDict load_file(const std::string& path, Device device) {
  static_cast<void>(detail::backend_of(device));
  return SafetensorsFile(path, "load_file").tensors(device);
}

}  // namespace d2l
