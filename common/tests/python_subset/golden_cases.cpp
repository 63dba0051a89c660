// SPDX-License-Identifier: MIT
// Reading the reference cases.
#include "python_subset/golden_cases.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "d2l/show.h"

namespace golden {
namespace {

double real_of(const Json& value) {
  return value.is_string() ? std::strtod(value.get<std::string>().c_str(), nullptr) : value.get<double>();
}

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

}  // namespace

Json read(const std::string& file) {
  const char* const folder = std::getenv("D2L_GOLDEN_DIR");
  const std::string path = std::string(folder != nullptr ? folder : D2L_GOLDEN) + "/" + file;
  std::ifstream input(path);
  if (!input) throw std::runtime_error("cannot open " + path);
  return Json::parse(input);
}

std::optional<d2l::ScalarType> dtype_named(const std::string& name) {
  for (int i = 0; i < d2l::scalar_type_count; ++i) {
    const auto type = static_cast<d2l::ScalarType>(i);
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}

std::string name_of(d2l::ScalarType dtype) { return d2l::repr(dtype).substr(std::string("torch.").size()); }

d2l::Tensor values(const Json& list, d2l::ScalarType dtype, const d2l::Device& device) {
  if (d2l::isFloatingType(dtype)) {
    std::vector<double> reals;
    for (const auto& value : list) reals.push_back(real_of(value));
    return d2l::tensor(reals, dtype).to(device);
  }
  std::vector<std::int64_t> integers;
  for (const auto& value : list) integers.push_back(value.get<std::int64_t>());
  return d2l::tensor(integers, d2l::kInt64).to(dtype).to(device);
}

d2l::Tensor tensor(const Json& list, const Json& shape, d2l::ScalarType dtype, const d2l::Device& device) {
  return values(list, dtype, device).reshape(shape.get<std::vector<std::int64_t>>());
}

bool same_values(const d2l::Tensor& x, const Json& list) {
  if (static_cast<std::size_t>(x.numel()) != list.size()) return false;
  if (d2l::isIntegralType(x.dtype(), false)) {
    const auto held = x.to_vector<std::int64_t>();
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i] != list[i].get<std::int64_t>()) return false;
    }
    return true;
  }
  const auto held = x.to_vector<double>();
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (!same(held[i], real_of(list[i]))) return false;
  }
  return true;
}

std::vector<d2l::Device> devices() {
  std::vector<d2l::Device> list{d2l::cpu()};
  if (d2l::num_gpus() > 0) list.push_back(d2l::gpu(0));
  return list;
}

std::string sentence(const std::string& error) {
  std::string first = error.substr(0, error.find('\n'));
  return first.substr(0, first.find(" (when checking argument"));
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

void Tally::report(const std::string& title) const {
  int total = 0;
  for (const auto& [name, count] : passed_over_) total += count;
  std::printf("%s: %d ran, %d passed over", title.c_str(), ran_, total);
  const char* separator = ": ";
  for (const auto& [name, count] : passed_over_) {
    std::printf("%s%s (%d)", separator, name.c_str(), count);
    separator = ", ";
  }
  std::puts("");
}

}  // namespace golden
