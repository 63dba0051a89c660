// SPDX-License-Identifier: MIT
// Bad input to factories and views, beside that of which other tests check PyTorch's sentence: each must be a clear
// error of the right class.
#include "tensor/bad_input.h"

#include <limits>

#include "d2l/testing.h"

namespace d2l::testing::refusals {
namespace {

constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

TEST(BadInput, Devices) {
  expect_refusals({
      refuses<DeviceError>("gpu(-1)", [](Device) { (void)gpu(-1); }),
      refuses<DeviceError>("gpu(128)", [](Device) { (void)gpu(128); }),
      refuses<DeviceError>("try_gpu(-1)", [](Device) { (void)try_gpu(-1); }),
      refuses<DeviceError>("try_gpu(128)", [](Device) { (void)try_gpu(std::numeric_limits<int>::min()); }),
      refuses<DeviceError>("gpus(-1)", [](Device) { (void)gpus(-1); }),
      refuses<DeviceError>("gpus(more)", [](Device) { (void)gpus(num_gpus() + 1); }),
      refuses<DeviceError>("Device of type and index", [](Device) { (void)Device(kCUDA, -2); }),
      refuses<DeviceError>("Device(\"cuda:-1\")", [](Device) { (void)Device("cuda:-1"); }),
      refuses<DeviceError>("Device(\"cuda:128\")", [](Device) { (void)Device("cuda:128"); }),
      refuses<DeviceError>("Device(\"\")", [](Device) { (void)Device(""); }),
      refuses<DeviceError>("Device(\"hip\")", [](Device) { (void)Device("hip"); }),
      refuses<DeviceError>("ones on a GPU that is not there", [](Device) { (void)ones({1}, gpu(num_gpus())); }),
      refuses<DeviceError>("to a GPU that is not there", [](Device d) { (void)six(d).to(gpu(num_gpus())); }),
      refuses<DeviceError>("cuda(that is not there)", [](Device d) { (void)six(d).cuda(num_gpus()); }),
      refuses<DeviceError>("cuda(-1)", [](Device d) { (void)six(d).cuda(-1); }),
      refuses<DeviceError>("properties of none", [](Device) { (void)device_properties(gpu(num_gpus())); }),
      refuses<DeviceError>("memory of none", [](Device) { (void)memory_info(gpu(num_gpus())); }),
      refuses<DeviceError>("synchronize none", [](Device) { synchronize(gpu(num_gpus())); }),
      refuses<DeviceError>("record in none", [](Device) { Event().record(gpu(num_gpus())); }),
      refuses<ValueError>("no threads", [](Device) { set_num_threads(0); }),
  });
}

TEST(BadInput, VirtualGpusAfterFirstUse) {
  const int before = num_gpus();
  (void)ones({1}, try_gpu());
  expect_refusals({
      refuses<ConfigurationError>("too late", [](Device) { use_virtual_gpus("2"); }),
      refuses<ConfigurationError>("malformed", [](Device) { use_virtual_gpus("two"); }),
      refuses<ConfigurationError>("negative", [](Device) { use_virtual_gpus("-1"); }),
      refuses<ConfigurationError>("too many", [](Device) { use_virtual_gpus("1000000"); }),
      refuses<ConfigurationError>("unit", [](Device) { use_virtual_gpus("2:12XB"); }),
      refuses<ConfigurationError>("delay", [](Device) { use_virtual_gpus("2,delay=x"); }),
      refuses<ConfigurationError>("empty", [](Device) { use_virtual_gpus(""); }),
  });
  EXPECT_EQ(num_gpus(), before);
}

template <class Make>
void add_shape_cases(std::vector<Case>& cases, const std::string& name, Make make) {
  cases.push_back(refuses<ShapeError>(name + " negative", [make](Device d) { make({2, -1}, d); }));
  cases.push_back(refuses<ShapeError>(name + " smallest", [make](Device d) { make({smallest}, d); }));
  cases.push_back(refuses<ShapeError>(name + " overflows", [make](Device d) { make({huge, huge}, d); }));
  cases.push_back(refuses<ShapeError>(name + " bytes overflow", [make](Device d) { make({largest}, d); }));
  cases.push_back(refuses<ShapeError>(name + " dimensions", [make](Device d) {
    make({1, 1, 1, 1, 1, 1, 1, 1, 1}, d);
  }));
  cases.push_back(refuses<OutOfMemoryError>(name + " too large", [make](Device d) { make({huge, 128}, d); }));
}

TEST(BadInput, ShapesOfFactories) {
  std::vector<Case> cases;
  add_shape_cases(cases, "empty", [](IntArrayRef sizes, Device d) { (void)empty(sizes, d); });
  add_shape_cases(cases, "zeros", [](IntArrayRef sizes, Device d) { (void)zeros(sizes, d); });
  add_shape_cases(cases, "ones", [](IntArrayRef sizes, Device d) { (void)ones(sizes, d); });
  add_shape_cases(cases, "full", [](IntArrayRef sizes, Device d) { (void)full(sizes, 7.0, d); });
  add_shape_cases(cases, "rand", [](IntArrayRef sizes, Device d) { (void)rand(sizes, d); });
  add_shape_cases(cases, "randn", [](IntArrayRef sizes, Device d) { (void)randn(sizes, d); });
  expect_refusals(cases);
}

TEST(BadInput, Ranges) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusals({
      refuses<Error>("wrong way", [](Device d) { (void)arange(0, 10, -1, d); }),
      refuses<Error>("nan", [](Device d) { (void)arange(nan, d); }),
      refuses<Error>("nan step", [](Device d) { (void)arange(0, 10, nan, d); }),
      refuses<Error>("absurd", [](Device d) { (void)arange(0, 1e300, 1e-300, d); }),
      refuses<Error>("longer than memory", [](Device d) { (void)arange(std::int64_t{1} << 50, d); }),
      refuses<Error>("all integers", [](Device d) { (void)arange(smallest, largest, 1, d); }),
  });
}

TEST(BadInput, NestedLists) {
  std::vector<Case> cases;
  for (const auto& ragged : std::initializer_list<TensorData>{
           {{1, 2}, {3}}, {{1, 2}, 3}, {1, {2, 3}}, {{{1}, {2}}, {{3}, {4, 5}}}, {{{{{{{{{1, 2}}}}}}}}}}) {
    cases.push_back(refuses<ShapeError>(ragged.problem(), [=](Device d) { (void)tensor(ragged, d); }));
  }
  expect_refusals(cases);
}

TEST(BadInput, Views) {
  expect_refusals({
      refuses<ShapeError>("view does not divide", [](Device d) { (void)six(d).view(list(-1, 4)); }),
      refuses<ShapeError>("view overflows", [](Device d) { (void)six(d).view(list(huge, huge)); }),
      refuses<ShapeError>("view overflows to its size", [](Device d) { (void)six(d).view(list(huge, huge, 6)); }),
      refuses<ShapeError>("view dimensions", [](Device d) { (void)six(d).view(list(1, 1, 1, 1, 1, 1, 1, 2, 3)); }),
      refuses<ShapeError>("reshape overflows", [](Device d) { (void)six(d).reshape(list(huge, huge)); }),
      refuses<ShapeError>("reshape unknown overflows", [](Device d) { (void)six(d).reshape(list(-1, huge, huge)); }),
      refuses<ShapeError>("expand negative", [](Device d) { (void)six(d).expand(list(-2, 2, 3)); }),
      refuses<ShapeError>("expand overflows", [](Device d) { (void)ones(list(1, 1), d).expand(list(huge, huge)); }),
      refuses<IndexError>("transpose smallest", [](Device d) { (void)six(d).transpose(smallest, 0); }),
      refuses<IndexError>("size smallest", [](Device d) { (void)six(d).size(smallest); }),
      refuses<IndexError>("stride far", [](Device d) { (void)six(d).stride(-3); }),
  });
}

TEST(BadInput, Indices) {
  expect_refusals({
      refuses<IndexError>("[] far", [](Device d) { (void)six(d)[2]; }),
      refuses<IndexError>("[] smallest", [](Device d) { (void)six(d)[smallest]; }),
      refuses<IndexError>("[] of nothing", [](Device d) { (void)empty({0}, d)[0]; }),
      refuses<IndexError>("slice dim", [](Device d) { (void)six(d).slice(2); }),
      refuses<ValueError>("slice step -1", [](Device d) { (void)six(d).slice(0, 0, 2, -1); }),
      refuses<ValueError>("slice step smallest", [](Device d) { (void)six(d).slice(0, 0, 2, smallest); }),
      refuses<IndexError>("sum dim", [](Device d) { (void)six(d).sum({2}); }),
      refuses<IndexError>("max dim", [](Device d) { (void)six(d).max(2); }),
      refuses<IndexError>("argmax dim", [](Device d) { (void)six(d).argmax(-3); }),
  });
}

TEST(BadInput, SlicesAreCutToWhatThereIs) {
  on_every_device([](Device device) {
    const auto x = arange(5, device);
    expect_tensor(x.slice(0, smallest, largest, largest), {1}, {0});
    EXPECT_EQ(x.slice(0, 3, 1).numel(), 0);
    EXPECT_EQ(x.slice(0, largest, smallest).numel(), 0);
    expect_tensor(x.slice(0, -2), {2}, {3, 4});
  });
}

}  // namespace
}  // namespace d2l::testing::refusals
