// SPDX-License-Identifier: MIT
#include "trainer/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/message.h"
#include "d2l/distributed/collectives.h"
#include "d2l/factories.h"
#include "d2l/safetensors.h"
#include "optim/save.h"

namespace d2l::detail {

namespace {

constexpr std::string_view prefix = "model.";

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  fail<ConfigurationError>("fit", fmt::format("the checkpoint \"{}\" {}", path, problem), {},
                           "remove it to train from the start, or give another one");
}

std::vector<char> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<char> bytes(file ? static_cast<std::size_t>(file.tellg()) : 0);
  file.seekg(0).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) refuse(path, "cannot be read");
  return bytes;
}

/// A new file of this process with these bytes.
std::string write_copy(const std::vector<char>& bytes) {
  std::string path = (std::filesystem::temp_directory_path() / "d2l-checkpoint-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  if (descriptor >= 0) ::close(descriptor);
  std::ofstream file(path, std::ios::binary);
  if (descriptor < 0 || !file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) {
    std::filesystem::remove(path);
    fail<ConfigurationError>("fit", fmt::format("the copy \"{}\" of the checkpoint cannot be written", path), {},
                             "make room, or set TMPDIR to a folder that has some");
  }
  return path;
}

}  // namespace

Checkpoint::Checkpoint(std::string path, bool is_copy) : path_(std::move(path)), is_copy_(is_copy) {}

Checkpoint::Checkpoint(Checkpoint&& other) noexcept
    : path_(std::move(other.path_)), is_copy_(std::exchange(other.is_copy_, false)) {}

Checkpoint::~Checkpoint() {
  std::error_code ignored;
  if (is_copy_) std::filesystem::remove(path_, ignored);
}

std::int64_t Checkpoint::number(const std::string& name) const {
  const SafetensorsFile file(path_);
  const auto found = file.metadata().find(name);
  if (found == file.metadata().end()) refuse(path_, fmt::format("lacks the number of {}", name));
  const std::string& text = found->second;
  std::int32_t value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    refuse(path_, fmt::format("has \"{}\" {}", text, name));
  }
  return value;
}

void Checkpoint::load(Model& model) const {
  const SafetensorsFile file(path_);
  StateDict state;
  for (const auto& key : file.keys()) {
    if (key.starts_with(prefix)) state.insert(key.substr(prefix.size()), file.tensor(key));
  }
  if (state.is_empty()) refuse(path_, "has no parameters of a model");
  model.load_state_dict(state);
}

void Checkpoint::load(optim::Optimizer& optimizer) const { d2l::load(optimizer, path_); }

std::optional<Checkpoint> find_checkpoint(const std::string& path) {
  if (!distributed::is_initialized() || distributed::get_world_size() == 1) {
    if (!std::filesystem::exists(path)) return std::nullopt;
    return Checkpoint(path, /*is_copy=*/false);
  }
  const bool is_first = distributed::get_rank() == 0;
  std::vector<char> bytes;
  std::int64_t size = -1;
  if (is_first && std::filesystem::exists(path)) {
    bytes = read(path);
    size = static_cast<std::int64_t>(bytes.size());
  }
  distributed::broadcast(from_blob(&size, {1}, kLong), 0).wait();
  if (size < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(size));
  distributed::broadcast(from_blob(bytes.data(), {size}, kByte), 0).wait();
  if (is_first) return Checkpoint(path, /*is_copy=*/false);
  return Checkpoint(write_copy(bytes), /*is_copy=*/true);
}

void write_checkpoint(const std::string& path, const Model& model, const optim::Optimizer& optimizer, int epochs,
                      std::int64_t steps) {
  auto [tensors, metadata] = contents_of(optimizer);
  for (const auto& item : model.state_dict()) tensors.insert(fmt::format("{}{}", prefix, item.key()), item.value());
  metadata["epochs"] = std::to_string(epochs);
  metadata["steps"] = std::to_string(steps);
  save_file(tensors, path, metadata);
}

}  // namespace d2l::detail
