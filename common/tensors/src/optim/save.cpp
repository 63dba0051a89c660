// SPDX-License-Identifier: MIT
// Optimizers in safetensors files. The metadata has the options of each group and the names of what is kept for each
// parameter; the tensors are "state.<number of the parameter>.<name>", and "step" is an int64 number.
#include "optim/save.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <system_error>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "d2l/factories.h"
#include "d2l/nn/parameter.h"
#include "d2l/optim/optimizer.h"
#include "d2l/repr.h"
#include "d2l/safetensors.h"

namespace d2l {

namespace {

constexpr const char* file_kind = "d2l optimizer";

[[noreturn]] void refuse_file(const std::string& path, const std::string& problem) {
  detail::fail<ConfigurationError>("load", fmt::format("\"{}\" is not a file of an optimizer: {}", path, problem), {},
                                   "give a file that save(optimizer, path) wrote");
}

[[noreturn]] void refuse_match(const std::string& sentence, const std::string& context = {}) {
  detail::fail<ValueError>("load", sentence, context,
                           "create the optimizer as it was when it was saved, with the same parameters");
}

std::string key_of(std::size_t parameter, const std::string& name) {
  return fmt::format("state.{}.{}", parameter, name);
}

/// The metadata and the tensors of a file, with errors that name it.
class OptimizerFile {
 public:
  explicit OptimizerFile(const std::string& path) : file_(path) {
    if (text_of("format") != file_kind) refuse_file(path, fmt::format("its format is not \"{}\"", file_kind));
  }

  [[nodiscard]] const std::string& text_of(const std::string& name) const {
    const auto found = file_.metadata().find(name);
    if (found == file_.metadata().end()) refuse_file(file_.path(), fmt::format("its metadata lack \"{}\"", name));
    return found->second;
  }
  [[nodiscard]] double number_of(const std::string& name) const {
    const std::string& text = text_of(name);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
      refuse_file(file_.path(), fmt::format("\"{}\" is not a number: \"{}\"", name, text));
    }
    return number;
  }
  [[nodiscard]] bool is_count(const std::string& name, std::size_t count) const {
    return number_of(name) == static_cast<double>(count);
  }

  /// The options of a group.
  [[nodiscard]] optim::OptionValues options_of(std::size_t group, const optim::OptionValues& like) const {
    optim::OptionValues values;
    for (const auto& [name, unused] : like) values[name] = number_of(fmt::format("group.{}.{}", group, name));
    return values;
  }
  /// Whether it has something for a parameter: `name`, which the metadata list, is a tensor of the file.
  [[nodiscard]] bool has(std::size_t parameter, const std::string& name) const {
    const std::string list = " " + text_of(fmt::format("state.{}", parameter)) + " ";
    if (list.find(" " + name + " ") == std::string::npos) return false;
    if (!file_.contains(key_of(parameter, name))) {
      refuse_file(file_.path(), fmt::format("the tensor \"{}\" is missing", key_of(parameter, name)));
    }
    return true;
  }
  [[nodiscard]] std::int64_t steps_of(std::size_t parameter) const {
    const auto key = key_of(parameter, "step");
    const Tensor step = file_.tensor(key);
    if (step.dtype() == kLong && step.numel() == 1 && step.item<std::int64_t>() >= 0) return step.item<std::int64_t>();
    refuse_file(file_.path(), fmt::format("\"{}\" is not a number of steps", key));
  }
  /// A tensor that is kept for a parameter.
  [[nodiscard]] Tensor tensor_of(std::size_t number, const std::string& name, const Tensor& parameter) const {
    const auto key = key_of(number, name);
    const IntArrayRef sizes(file_.info(key).shape);
    if (nn::is_uninitialized(parameter) || !(sizes == parameter.sizes())) {
      const std::string own = nn::is_uninitialized(parameter) ? "none yet" : repr(parameter.sizes());
      refuse_match(fmt::format("\"{}\" of \"{}\" has the shape {}, and its parameter has {}", key, file_.path(),
                               repr(sizes), own));
    }
    return file_.tensor(key, parameter.device()).to(parameter.dtype());
  }

 private:
  SafetensorsFile file_;
};

}  // namespace

detail::OptimizerContents detail::contents_of(const optim::Optimizer& optimizer) {
  const auto names = optimizer.state_names();
  OptimizerContents contents;
  auto& [tensors, metadata] = contents;
  metadata = {
      {"format", file_kind}, {"optimizer", optimizer.name()}, {"groups", std::to_string(optimizer.groups_.size())}};
  std::size_t number = 0;
  for (std::size_t g = 0; g < optimizer.groups_.size(); ++g) {
    const auto& group = optimizer.groups_[g];
    for (const auto& [name, value] : group.options().values()) {
      metadata[fmt::format("group.{}.{}", g, name)] = fmt::format("{}", value);  // enough digits for the same double
    }
    metadata[fmt::format("group.{}.parameters", g)] = std::to_string(group.params().size());
    for (const Tensor& parameter : group.params()) {
      std::vector<std::string> kept;
      const auto* const state = optimizer.find_state(parameter, g);
      if (state != nullptr && state->step > 0) {
        kept.emplace_back("step");
        tensors.insert(key_of(number, "step"), tensor(state->step));
      }
      for (std::size_t i = 0; state != nullptr && i < names.size(); ++i) {
        if (!state->tensors[i].defined()) continue;
        kept.push_back(names[i]);
        tensors.insert(key_of(number, names[i]), state->tensors[i]);
      }
      metadata[fmt::format("state.{}", number++)] = fmt::format("{}", fmt::join(kept, " "));
    }
  }
  return contents;
}

void save(const optim::Optimizer& optimizer, const std::string& path) {
  const auto [tensors, metadata] = detail::contents_of(optimizer);
  save_file(tensors, path, metadata);
}

void load(optim::Optimizer& optimizer, const std::string& path) {
  const NoGradGuard unrecorded;
  const OptimizerFile file(path);
  if (file.text_of("optimizer") != optimizer.name()) {
    refuse_match(fmt::format("\"{}\" belongs to {}, not to {}", path, file.text_of("optimizer"), optimizer.name()));
  }
  auto& groups = optimizer.groups_;
  if (!file.is_count("groups", groups.size()))
    refuse_match("loaded state dict has a different number of parameter groups");
  const auto names = optimizer.state_names();
  std::vector<optim::OptionValues> options;
  std::vector<std::vector<optim::Optimizer::ParameterState>> states(groups.size());
  std::size_t number = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!file.is_count(fmt::format("group.{}.parameters", g), groups[g].params().size())) {
      refuse_match("loaded state dict contains a parameter group that doesn't match the size of optimizer's group");
    }
    const auto tried = groups[g].options().clone();
    options.push_back(file.options_of(g, tried->values()));
    tried->set_values(options.back());
    optimizer.check(*tried);
    for (const Tensor& parameter : groups[g].params()) {
      optim::Optimizer::ParameterState state{parameter.impl(), 0, {}};
      if (file.has(number, "step")) state.step = file.steps_of(number);
      for (std::size_t i = 0; i < names.size(); ++i) {
        if (file.has(number, names[i])) state.tensors[i] = file.tensor_of(number, names[i], parameter);
      }
      states[g].push_back(std::move(state));
      ++number;
    }
  }
  // From here on nothing fails.
  for (std::size_t g = 0; g < groups.size(); ++g) groups[g].options().set_values(options[g]);
  optimizer.states_ = std::move(states);
}

}  // namespace d2l
