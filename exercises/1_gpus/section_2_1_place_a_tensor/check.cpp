// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr ScalarType dtypes[] = {kDouble, kFloat, kLong};

/// The values for a dtype: whole numbers for int64, others for floating point.
const char* values_for(ScalarType dtype) {
  return dtype == kLong ? "counts" : "measurements";
}

std::string call(ScalarType dtype, Device wanted) {
  return std::string("place(") + values_for(dtype) + ", k" + toString(dtype) + ", " +
         wanted.str() + ")";
}

std::vector<Device> devices_here() {
  std::vector<Device> devices{cpu()};
  for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
  return devices;
}

std::vector<Device> devices_elsewhere() {
  return {gpu(num_gpus()), gpu(num_gpus() + 3)};
}

template <class Number>
Tensor converted(const Tensor& values, ScalarType dtype) {
  Tensor result = zeros(values.sizes(), dtype);
  std::transform(values.data_ptr<double>(), values.data_ptr<double>() + values.numel(),
                 result.data_ptr<Number>(),
                 [](double value) { return static_cast<Number>(value); });
  return result;
}

Tensor expected_values(const Inputs& inputs, ScalarType dtype) {
  const Tensor values = inputs.tensor(values_for(dtype));
  if (dtype == kLong) return converted<std::int64_t>(values, dtype);
  return dtype == kFloat ? converted<float>(values, dtype) : values;
}

}  // namespace

std::vector<Item> items() {
  return {
      {"values", 2, Kind::result,
       "the tensor holds every value, as exactly as its dtype allows", 1},
      {"placed", 2, Kind::placement,
       "the tensor is in the memory of the requested device", 2},
      {"fallback", 2, Kind::placement,
       "if that device does not exist, the whole tensor is in the CPU's memory", 2},
      {"crossing", 2, Kind::cost,
       "the values are copied to a GPU once, in the requested dtype, and nowhere else",
       3}};
}

Inputs inputs(std::uint64_t seed) {
  Inputs inputs(seed);
  const auto size = inputs.draw(10, 29);
  Tensor measurements = zeros({size}, kDouble);
  Tensor counts = zeros({size}, kDouble);
  constexpr std::int64_t largest = std::int64_t{1} << 49;
  for (std::int64_t i = 0; i < size; ++i) {
    measurements.data_ptr<double>()[i] =
        static_cast<double>(inputs.draw(0, 1'000'000'006)) / 3e6 - 100;
    counts.data_ptr<double>()[i] =
        static_cast<double>(inputs.draw(-largest, largest - 1));
  }
  inputs.put("measurements", measurements);
  inputs.put("counts", counts);
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  auto devices = devices_here();
  for (const Device device : devices_elsewhere()) devices.push_back(device);
  for (const Device wanted : devices) {
    for (const ScalarType dtype : dtypes) {
      const auto values = inputs.tensor(values_for(dtype)).to_vector<double>();
      Tensor placed;
      outcome.attempt(call(dtype, wanted),
                      [&] { placed = place(values, dtype, wanted); });
      if (placed.defined()) outcome.result(call(dtype, wanted), placed);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each_call = [&](const std::vector<Device>& devices,
                             const std::function<void(ScalarType, Device)>& look) {
    for (const Device wanted : devices) {
      for (const ScalarType dtype : dtypes) {
        outcome.require(call(dtype, wanted));
        look(dtype, wanted);
      }
    }
  };
  const auto expect_values = [&](ItemJudgement& item, ScalarType dtype, Device wanted) {
    item.close(expected_values(inputs, dtype), outcome.tensor(call(dtype, wanted)), 0,
               call(dtype, wanted));
  };
  judgement.item("values", [&](ItemJudgement& item) {
    each_call(devices_here(), [&](ScalarType dtype, Device wanted) {
      expect_values(item, dtype, wanted);
    });
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    each_call(devices_here(), [&](ScalarType dtype, Device wanted) {
      item.placed(outcome, call(dtype, wanted), wanted);
    });
    item.lacks_gpus(1);
  });
  judgement.item("fallback", [&](ItemJudgement& item) {
    each_call(devices_elsewhere(), [&](ScalarType dtype, Device wanted) {
      expect_values(item, dtype, wanted);
      item.placed(outcome, call(dtype, wanted), cpu());
    });
  });
  judgement.item("crossing", [&](ItemJudgement& item) {
    each_call(devices_here(), [&](ScalarType dtype, Device wanted) {
      const std::string name = call(dtype, wanted);
      const Recording& recording = outcome.recording(name);
      const auto bytes = wanted.is_cuda() ? expected_values(inputs, dtype).nbytes() : 0;
      item.equal(bytes > 0 ? 1 : 0, recording.copies(), "copies between devices", name);
      item.equal(bytes, recording.copied_bytes(), "bytes copied between devices", name);
    });
    item.lacks_gpus(1);
  });
}

}  // namespace d2l::check
