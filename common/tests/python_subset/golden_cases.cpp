// SPDX-License-Identifier: MIT
// Reading the reference cases.
#include "python_subset/golden_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <stdexcept>

#include "d2l/show.h"

namespace golden {
namespace {

double real_of(const Json& value) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
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
  if (error.find("\n\t") != std::string::npos) return error.substr(0, error.find_last_not_of(" \n") + 1);
  std::string first = error.substr(0, error.find('\n'));
  return first.substr(0, first.find(" (when checking argument"));
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

bool holds(const std::string& text, const std::string& sentence) {
  const auto opened = sentence.find(" in <");
  const auto closed = opened == std::string::npos ? opened : sentence.find(">. ", opened);
  if (closed == std::string::npos) return text.find(sentence) != std::string::npos;
  const auto found = text.find(sentence.substr(0, opened));
  return found != std::string::npos && text.find(sentence.substr(closed + 1), found + opened) != std::string::npos;
}

std::string on_devices(std::string text, const std::string& first, const std::string& second) {
  const auto shown = [](const std::string& device) {
    return device == "cpu" ? std::string("device(type='cpu')")
                           : "device(type='cuda', index=" + device.substr(device.find(':') + 1) + ")";
  };
  if (first != "cpu") {
    text = replace_all(text, "device(type='cpu')", shown(first));
    text = replace_all(text, "'cpu'", "'" + first + "'");
    text = replace_all(text, "\"cpu\"", "'" + first + "'");
    text = replace_all(text, ".cpu()", ".to('" + first + "')");
  }
  text = replace_all(text, "device(type='meta')", shown(second));
  return replace_all(text, "'meta'", "'" + second + "'");
}

std::string with_types_of(const d2l::Device& device, const std::string& text) {
  static const std::regex type("torch\\.([A-Z][a-z]+Tensor)");
  return device.is_cpu() ? text : std::regex_replace(text, type, "torch.cuda.$1");
}

bool has_no_numbers(const std::string& expected) {
  return expected.rfind("tensor(..., device=", 0) == 0 ||
         expected.rfind("Parameter containing:\ntensor(..., device=", 0) == 0;
}

std::string text_without_numbers(const d2l::Tensor& x) {
  const bool parameter = d2l::repr(x).rfind("Parameter containing:", 0) == 0;
  std::string text =
      std::string(parameter ? "Parameter containing:\n" : "") + "tensor(..., device='" + x.device().str() + "', size=(";
  for (std::int64_t i = 0; i < x.dim(); ++i) text += (i > 0 ? ", " : "") + std::to_string(x.size(i));
  text += x.dim() == 1 ? ",)" : ")";
  if (x.dtype() != d2l::kFloat32) text += ", dtype=" + d2l::repr(x.dtype());
  if (x.grad_fn()) return text + ", grad_fn=<" + x.grad_fn()->name() + ">)";
  return text + (x.requires_grad() ? ", requires_grad=True)" : ")");
}

std::string without_device(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n') result += c;
  }
  result = replace_all(result, "\\n", "");
  for (int i = 0; i < d2l::num_gpus(); ++i) {
    result = replace_all(result, ",device='" + d2l::gpu(i).str() + "'", "");
  }
  return result;
}

bool close_values(const d2l::Tensor& x, const Json& expected, double rtol, double atol) {
  if (static_cast<std::size_t>(x.numel()) != expected.size()) return false;
  const auto held = x.to_vector<double>();
  for (std::size_t i = 0; i < held.size(); ++i) {
    const double wanted = real_of(expected[i]);
    const bool close = std::abs(held[i] - wanted) <= atol + rtol * std::abs(wanted);
    if (!close && held[i] != wanted && !(std::isnan(held[i]) && std::isnan(wanted))) return false;
  }
  return true;
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
