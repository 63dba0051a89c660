// SPDX-License-Identifier: MIT
// For tests: a temporary folder, whole files, and tensors of every dtype.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "d2l/d2l.h"

namespace d2l::testing {

/// A new folder, removed with its contents.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "d2l_safetensors_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] int files() const {
    return static_cast<int>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

inline std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Makes a new file: overwriting an old one may wait for the disk.
inline void write_contents(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

inline constexpr ScalarType every_dtype[] = {kBool, kByte, kInt, kLong, kFloat, kDouble};

/// The bytes of a tensor in row-major order.
inline std::string bytes_of(const Tensor& tensor) {
  const Tensor host = tensor.cpu().contiguous();
  if (host.numel() == 0) return {};
  return {static_cast<const char*>(host.data_ptr()), static_cast<std::size_t>(host.nbytes())};
}

/// A CPU tensor whose byte j is (seed + 89 j) mod 256, or of bool mod 2: among its floats are all kinds of NaN.
inline Tensor patterned(IntArrayRef sizes, ScalarType dtype, int seed) {
  Tensor tensor = empty(sizes, dtype);
  if (tensor.numel() == 0) return tensor;
  auto* bytes = static_cast<unsigned char*>(tensor.data_ptr());
  for (std::int64_t j = 0; j < tensor.nbytes(); ++j) {
    const auto value = static_cast<unsigned char>(seed + 89 * j);
    bytes[j] = dtype == kBool ? static_cast<unsigned char>(value % 2) : value;
  }
  return tensor;
}

/// Every dtype, with two dimensions, with none, and empty.
inline StateDict one_of_each() {
  StateDict tensors;
  int seed = 1;
  for (const auto dtype : every_dtype) {
    const std::string name = toString(dtype);
    tensors.insert(name + ".matrix", patterned({3, 5}, dtype, seed++));
    tensors.insert(name + ".number", patterned({}, dtype, seed++));
    tensors.insert(name + ".empty", patterned({0, 4}, dtype, seed++));
  }
  return tensors;
}

}  // namespace d2l::testing
