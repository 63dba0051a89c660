// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "core/messages.h"
#include "d2l/data.h"
#include "d2l/factories.h"
#include "kernels/random.h"

namespace d2l {

namespace {

Tensor from_values(const std::vector<float>& values, IntArrayRef sizes) {
  auto result = empty(sizes);
  std::copy(values.begin(), values.end(), result.data_ptr<float>());
  return result;
}

/// Standard normal numbers of the sequence of `seed`, from index `offset`: those of randn() for that seed.
std::vector<float> normals(std::int64_t count, std::uint64_t seed, std::uint64_t offset) {
  std::vector<float> numbers(static_cast<std::size_t>(count));
  using Blocks = backend::kernels::RandomWork<backend::kernels::Normal, float>;
  const Blocks work{numbers.data(), count, seed, offset};
  constexpr std::int64_t block = backend::kernels::RandomBlock<float>::size;
  for (std::int64_t i = 0; i < (count + block - 1) / block; ++i) work(i);
  return numbers;
}

void check(const Tensor& w, const SyntheticRegressionOptions& options) {
  const auto& impl = detail::impl_of(w, "SyntheticRegressionData");
  if (impl.sizes.count != 1 || impl.numel == 0) {
    detail::fail<ValueError>("SyntheticRegressionData", "w must have one dimension and at least one weight",
                             detail::operands({{"w", &impl}}), "for example tensor({2.0, -3.4})");
  }
  if (options.num_train < 1 || options.num_val < 0) {
    detail::fail<ValueError>("SyntheticRegressionData",
                             fmt::format("invalid numbers of examples: {} for training and {} for validation",
                                         options.num_train, options.num_val),
                             {}, "give at least one for training");
  }
  if (options.num_val > INT64_MAX / 4 / impl.numel - options.num_train) {
    detail::fail<ValueError>("SyntheticRegressionData", "the examples do not fit into memory", {}, "ask for fewer");
  }
}

}  // namespace

SyntheticRegressionData::SyntheticRegressionData(const Tensor& weights, double bias,
                                                 const SyntheticRegressionOptions& chosen)
    : w(weights), b(bias), options(chosen) {
  check(w, options);
  const auto weight = w.to_vector<double>();
  const auto features = weight.size();
  const auto count = static_cast<std::size_t>(options.num_train + options.num_val);
  const auto inputs = normals(static_cast<std::int64_t>(count * features), options.seed, 0);
  const auto offset = (count * features + 3) / 4 * 4;
  const auto noise = normals(static_cast<std::int64_t>(count), options.seed, offset);
  std::vector<float> targets(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = b + options.noise * static_cast<double>(noise[i]);
    for (std::size_t j = 0; j < features; ++j) sum += static_cast<double>(inputs[i * features + j]) * weight[j];
    targets[i] = static_cast<float>(sum);
  }
  X = from_values(inputs, {static_cast<std::int64_t>(count), static_cast<std::int64_t>(features)});
  y = from_values(targets, {static_cast<std::int64_t>(count), 1});
}

SyntheticRegressionData::SyntheticRegressionData(const SyntheticRegressionOptions& chosen)
    : SyntheticRegressionData(tensor({2.0, -3.4}), 4.2, chosen) {}

DataLoader SyntheticRegressionData::train_dataloader() const {
  return DataLoader({X.slice(0, 0, options.num_train), y.slice(0, 0, options.num_train)},
                    DataLoaderOptions(options.batch_size).shuffle(true).seed(options.seed));
}

std::optional<DataLoader> SyntheticRegressionData::val_dataloader() const {
  if (options.num_val == 0) return std::nullopt;
  return DataLoader({X.slice(0, options.num_train), y.slice(0, options.num_train)},
                    DataLoaderOptions(options.batch_size));
}

}  // namespace d2l
