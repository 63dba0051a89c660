// SPDX-License-Identifier: MIT
// What a trainer needs for several devices, of one process or of several.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "d2l/trainer.h"
#include "parallel/reducer.h"
#include "parallel/replicas.h"
#include "trainer/checkpoint.h"

namespace d2l {

struct Trainer::Parallel {
  /// With several ranks, all begin with the parameters and buffers of rank 0.
  Parallel(Model& model, const std::vector<Device>& devices, double bucket_cap_mb, int ranks);
  /// The optimizers of all devices but the first.
  void make_optimizers(Model& model, const std::optional<detail::Checkpoint>& checkpoint);
  /// Copies the buffers of the first device of rank 0 to all others.
  void share_buffers();
  /// The first row and the end of the part of device `place` of this process.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> rows_of(std::size_t place, std::int64_t rows) const;
  /// Validates on this rank's part of a batch.
  void validate(Trainer& trainer, const Batch& batch);
  /// Calls `step` with some rows of a batch on a device; what the model plots counts with their share of the batch.
  void on_part(const Batch& batch, std::int64_t first, std::int64_t end, Device device,
               const std::function<void(const Batch&)>& step);

  /// A value that the model plots, weighted, for each part of a batch. The parts are added up when the step is done: a
  /// copy to the first device waits for what is in its queue, so the next device would begin after it.
  struct Plotted {
    std::string key;
    std::vector<Tensor> parts;
  };

  int ranks;
  std::vector<Device> devices;
  std::int64_t before = 0;  ///< the number of devices of lower ranks
  std::int64_t total = 0;   ///< the number of devices of all ranks
  detail::Replicas replicas;
  detail::Reducer reducer;
  std::vector<std::vector<Tensor>> buffers;  ///< each on all devices
  std::vector<std::unique_ptr<optim::Optimizer>> further;
  std::vector<Plotted> plotted;
  double share = 0;         ///< of the part in the batch
  bool collecting = false;  ///< while the model computes on a part
};

}  // namespace d2l
