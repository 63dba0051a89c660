// SPDX-License-Identifier: MIT
// Checkpoints of a trainer: one safetensors file, which rank 0 writes and reads. It is a file of the optimizer, with
// the state of the model besides ("model.…").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "d2l/model.h"

namespace d2l::detail {

/// A checkpoint, the same on all ranks.
class Checkpoint {
 public:
  /// Removes the file at the end if it is a copy.
  Checkpoint(std::string path, bool is_copy);
  ~Checkpoint();
  Checkpoint(Checkpoint&& other) noexcept;
  Checkpoint& operator=(Checkpoint&&) = delete;
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;

  /// Sets the parameters and buffers.
  void load(Model& model) const;
  /// Sets the options and what is kept for the parameters.
  void load(optim::Optimizer& optimizer) const;
  /// The number of training steps.
  [[nodiscard]] std::int64_t steps() const { return number("steps"); }
  /// The number of finished epochs.
  [[nodiscard]] int epochs() const { return static_cast<int>(number("epochs")); }

 private:
  [[nodiscard]] std::int64_t number(const std::string& name) const;

  std::string path_;
  bool is_copy_;
};

/// The checkpoint that rank 0 has at `path`, copied to the other ranks; nullopt if there is none.
std::optional<Checkpoint> find_checkpoint(const std::string& path);
/// Writes a checkpoint, whole or not at all.
void write_checkpoint(const std::string& path, const Model& model, const optim::Optimizer& optimizer, int epochs,
                      std::int64_t steps);

}  // namespace d2l::detail
