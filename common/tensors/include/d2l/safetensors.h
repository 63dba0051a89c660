// SPDX-License-Identifier: MIT
/// @file
/// Parameters in safetensors files: saved whole or not at all, loaded to any device.
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

/// The metadata of a file: texts by name, such as {"format", "pt"}.
using SafetensorsMetadata = std::map<std::string, std::string>;

/// The header entry of a tensor.
struct SafetensorsInfo {
  std::string name;                 ///< of the tensor
  std::string dtype;                ///< the name in the format: "F32", "I64", "BOOL", also "BF16" and others
  std::vector<std::int64_t> shape;  ///< empty for a single number
  std::int64_t nbytes = 0;          ///< bytes of the elements
  std::int64_t offset = 0;          ///< of the first byte, from the start of the file
};

/// Writes tensors of any device to a file, whole or not at all; from a GPU, one explicit copy for each tensor. After an
/// error the old file is unchanged: ConfigurationError if the file cannot be written, or if an expanded tensor would
/// fill more than 1 GiB of it with more than 64 repetitions; ValueError for names or tensors that the format cannot
/// hold.
void save_file(const StateDict& tensors, const std::string& path, const SafetensorsMetadata& metadata = {});

/// Loads all tensors of a file to `device`; to a GPU, one explicit copy for each tensor. ConfigurationError for a
/// malformed file, TypeError for a dtype that the library does not have, ShapeError for more than 8 dimensions,
/// OutOfMemoryError if they do not fit into the memory of the device.
StateDict load_file(const std::string& path, Device device = Device(kCPU));

/// A file of tensors; the constructor reads only the header, tensor() and tensors() read the elements.
class SafetensorsFile {
 public:
  /// Reads and checks the header; ConfigurationError for a malformed file.
  explicit SafetensorsFile(const std::string& path);

  /// The path, as given.
  [[nodiscard]] const std::string& path() const noexcept;
  /// The metadata.
  [[nodiscard]] const SafetensorsMetadata& metadata() const noexcept;
  /// The number of tensors.
  [[nodiscard]] std::size_t size() const noexcept;
  /// The names of the tensors, in their order in the file.
  [[nodiscard]] std::vector<std::string> keys() const;
  /// Whether there is a tensor of that name.
  [[nodiscard]] bool contains(const std::string& name) const noexcept;
  /// The header entry of a tensor; IndexError for an unknown name.
  [[nodiscard]] const SafetensorsInfo& info(const std::string& name) const;
  /// The header entries of all tensors, in their order in the file.
  [[nodiscard]] const std::vector<SafetensorsInfo>& infos() const noexcept;
  /// Reads one tensor onto `device`; IndexError for an unknown name, TypeError for a dtype that the library
  /// does not have, ConfigurationError if the file has changed since it was opened.
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
