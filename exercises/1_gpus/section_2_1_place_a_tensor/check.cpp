// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <algorithm>
#include <random>

#include "exercise.h"

namespace d2l::check {
namespace {

constexpr ScalarType dtypes[] = {kDouble, kFloat, kLong};

/// Whole numbers are asked for in int64, others in floating point.
const char* values_for(ScalarType dtype) { return dtype == kLong ? "counts" : "measurements"; }

std::string call(ScalarType dtype, Device wanted) {
  return std::string("place(") + values_for(dtype) + ", k" + toString(dtype) + ", " + wanted.str() + ")";
}

std::vector<Device> devices_here() {
  std::vector<Device> devices{cpu()};
  for (int i = 0; i < num_gpus(); ++i) devices.push_back(gpu(i));
  return devices;
}

std::vector<Device> devices_elsewhere() { return {gpu(num_gpus()), gpu(num_gpus() + 3)}; }

template <class Number>
Tensor converted(const Tensor& values, ScalarType dtype) {
  Tensor result = zeros(values.sizes(), dtype);
  std::transform(values.data_ptr<double>(), values.data_ptr<double>() + values.numel(), result.data_ptr<Number>(),
                 [](double value) { return static_cast<Number>(value); });
  return result;
}

Tensor expected_values(const Inputs& inputs, ScalarType dtype) {
  const Tensor values = inputs.tensor(values_for(dtype));
  if (dtype == kLong) return converted<std::int64_t>(values, dtype);
  return dtype == kFloat ? converted<float>(values, dtype) : values;
}

void expect_values(ItemJudgement& item, const Inputs& inputs, const Outcome& outcome, ScalarType dtype, Device wanted) {
  const std::string name = call(dtype, wanted);
  static_cast<void>(outcome.recording(name));
  item.close(expected_values(inputs, dtype), outcome.tensor(name), 0, name);
}

void expect_placed(ItemJudgement& item, const Outcome& outcome, ScalarType dtype, Device wanted, Device device) {
  static_cast<void>(outcome.recording(call(dtype, wanted)));
  item.placed(outcome, call(dtype, wanted), device);
}

}  // namespace

std::vector<Item> items() {
  return {{"values", 2, Kind::result, "the tensor holds every value, as near as its dtype can", 1},
          {"placed", 2, Kind::placement, "it is in the memory of the device that is asked for", 2},
          {"fallback", 2, Kind::placement, "where there is no such device, it is whole, and in the CPU's memory", 2},
          {"crossing", 2, Kind::cost, "the values cross to a GPU once, in their dtype, and to no other place", 3}};
}

Inputs inputs(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto size = static_cast<std::int64_t>(random() % 20 + 10);
  Tensor measurements = zeros({size}, kDouble);
  Tensor counts = zeros({size}, kDouble);
  for (std::int64_t i = 0; i < size; ++i) {
    measurements.data_ptr<double>()[i] = static_cast<double>(random() % 1'000'000'007) / 3e6 - 100;
    counts.data_ptr<double>()[i] = static_cast<double>(random() % (1ULL << 50U)) - static_cast<double>(1ULL << 49U);
  }
  Inputs inputs(seed);
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
      if (!outcome.attempt(call(dtype, wanted), [&] { placed = place(values, dtype, wanted); })) continue;
      if (placed.defined()) outcome.result(call(dtype, wanted), placed);
    }
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const std::string needs = "a GPU, real or virtual (D2L_VIRTUAL_GPUS=2)";
  judgement.item("values", [&](ItemJudgement& item) {
    for (const Device wanted : devices_here()) {
      for (const ScalarType dtype : dtypes) expect_values(item, inputs, outcome, dtype, wanted);
    }
  });
  judgement.item("placed", [&](ItemJudgement& item) {
    for (const Device wanted : devices_here()) {
      for (const ScalarType dtype : dtypes) expect_placed(item, outcome, dtype, wanted, wanted);
    }
    if (num_gpus() == 0) item.not_verifiable(needs);
  });
  judgement.item("fallback", [&](ItemJudgement& item) {
    for (const Device wanted : devices_elsewhere()) {
      for (const ScalarType dtype : dtypes) {
        expect_values(item, inputs, outcome, dtype, wanted);
        expect_placed(item, outcome, dtype, wanted, cpu());
      }
    }
  });
  judgement.item("crossing", [&](ItemJudgement& item) {
    for (const Device wanted : devices_here()) {
      for (const ScalarType dtype : dtypes) {
        const Recording& recording = outcome.recording(call(dtype, wanted));
        const bool crosses = wanted.is_cuda();
        const auto bytes = expected_values(inputs, dtype).nbytes();
        item.equal(crosses ? 1 : 0, recording.copies(), "copies between devices", call(dtype, wanted));
        item.equal(crosses ? bytes : 0, recording.copied_bytes(), "bytes copied between devices", call(dtype, wanted));
      }
    }
    if (num_gpus() == 0) item.not_verifiable(needs);
  });
}

}  // namespace d2l::check
