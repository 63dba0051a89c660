// SPDX-License-Identifier: MIT
// What a trainer needs for several GPUs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "d2l/trainer.h"
#include "parallel/reducer.h"
#include "parallel/replicas.h"

namespace d2l {

struct Trainer::Parallel {
  Parallel(Model& model, const std::vector<Device>& gpus, double bucket_cap_mb);
  /// The optimizers of all GPUs but the first.
  void make_optimizers(Model& model);

  /// The weighted sum, over the parts of a batch, of a value that the model plots.
  struct Plotted {
    std::string key;
    Tensor sum;
  };

  std::vector<Device> devices;
  detail::Replicas replicas;
  detail::Reducer reducer;
  std::vector<std::unique_ptr<optim::Optimizer>> further;
  std::vector<Plotted> plotted;
  double share = 0;         ///< of the part in the batch
  bool collecting = false;  ///< while the model computes on a part
};

}  // namespace d2l
