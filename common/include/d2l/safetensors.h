// SPDX-License-Identifier: MIT
/// @file
/// Parameters on disk, in the safetensors format that the field shares: saved whole or not at all, loaded onto any
/// device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "d2l/device.h"
#include "d2l/ordered_dict.h"
#include "d2l/tensor.h"

namespace d2l {

/// What a file says of itself beside its tensors, text by text, such as {"format", "pt"}.
using SafetensorsMetadata = std::map<std::string, std::string>;

/// What the header of a file says of one tensor.
struct SafetensorsInfo {
  std::string name;                 ///< of the tensor
  std::string dtype;                ///< as the format names it: "F32", "I64", "BOOL", also "BF16" and others
  std::vector<std::int64_t> shape;  ///< empty for a single number
  std::int64_t nbytes = 0;          ///< bytes of its elements
  std::int64_t offset = 0;          ///< of its first byte, from the start of the file
};

/// Writes tensors, of any device, to a file that appears whole or not at all; from a GPU one explicit copy a tensor;
/// ConfigurationError says why it cannot, ValueError what the format cannot hold; what was there before stays.
void save_file(const StateDict& tensors, const std::string& path, const SafetensorsMetadata& metadata = {});

/// All tensors of a file, on `device`, whatever device they were saved from; to a GPU one explicit copy a tensor;
/// ConfigurationError for a malformed file, TypeError for a dtype that the library does not have, ShapeError for more
/// than 8 dimensions, OutOfMemoryError when the device has no room.
StateDict load_file(const std::string& path, Device device = Device(kCPU));

/// A file of tensors of which only the header has been read; tensors are read when they are asked for.
class SafetensorsFile {
 public:
  /// Reads and checks the header; ConfigurationError says what is wrong with the file, and where.
  explicit SafetensorsFile(const std::string& path);

  /// Where the file is, as it was named.
  [[nodiscard]] const std::string& path() const noexcept;
  /// What the file says of itself.
  [[nodiscard]] const SafetensorsMetadata& metadata() const noexcept;
  /// How many tensors there are.
  [[nodiscard]] std::size_t size() const noexcept;
  /// The names of the tensors, in the order of their places in the file.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Whether there is a tensor of that name.
  [[nodiscard]] bool contains(const std::string& name) const noexcept;
  /// What the header says of a tensor; IndexError when there is none of that name.
  [[nodiscard]] const SafetensorsInfo& info(const std::string& name) const;
  /// What the header says of all tensors, in the order of their places in the file.
  [[nodiscard]] const std::vector<SafetensorsInfo>& infos() const noexcept;
  /// Reads one tensor onto `device`; IndexError when there is none of that name, TypeError for a dtype that the library
  /// does not have, ConfigurationError when the file has changed since it was opened.
  [[nodiscard]] Tensor tensor(const std::string& name, Device device = Device(kCPU)) const;
  /// Reads all tensors onto `device`, as load_file does.
  [[nodiscard]] StateDict tensors(Device device = Device(kCPU)) const;

 private:
  struct Impl;
  SafetensorsFile(const std::string& path, const char* operation);
  friend StateDict load_file(const std::string& path, Device device);

  std::shared_ptr<const Impl> impl_;
};

}  // namespace d2l
