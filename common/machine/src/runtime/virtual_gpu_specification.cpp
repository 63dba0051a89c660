// SPDX-License-Identifier: MIT
// The grammar of D2L_VIRTUAL_GPUS: COUNT[:MEMORY][:cores=N][@host][,delay=SEED][,name=NAME].
#include "runtime/virtual_gpu_specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "d2l/error.h"
#include "values/gpu_type.h"

namespace d2l::detail {
namespace {

constexpr std::uint64_t max_devices = 64;
constexpr std::uint64_t max_cores = 64;
constexpr std::uint64_t max_memory = std::uint64_t{1} << 40;

constexpr std::array<std::pair<std::string_view, int>, 6> units{
    {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}}};  // name, and log2 of the bytes

/// The text in quotes, shortened and printable.
std::string quoted(std::string_view text) {
  constexpr std::size_t most = 100;
  std::string result = "\"";
  for (const char character : text.substr(0, most)) {
    result += character >= ' ' && character <= '~' ? character : '?';
  }
  return result + (text.size() > most ? "…\"" : "\"");
}

[[noreturn]] void refuse(std::string_view text, const std::string& problem) {
  throw ConfigurationError(fmt::format(
      "[D2L_VIRTUAL_GPUS] cannot use {}: {}. The form is COUNT[:MEMORY][:cores=N][@host][,delay=SEED][,name=NAME], for "
      "example D2L_VIRTUAL_GPUS=2 or D2L_VIRTUAL_GPUS=2:512MiB@host,delay=7",
      quoted(text), problem));
}

/// The number in `digits`; nullopt unless it consists of decimal digits and fits.
std::optional<std::uint64_t> number_in(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<std::uint64_t> memory_in(std::string_view size) {
  const std::size_t digits = std::min(size.find_first_not_of("0123456789"), size.size());
  const auto number = number_in(size.substr(0, digits));
  const auto* const unit =
      std::find_if(units.begin(), units.end(), [&](const auto& known) { return known.first == size.substr(digits); });
  if (!number || unit == units.end() || *number > max_memory >> unit->second) return std::nullopt;
  return *number << unit->second;
}

/// Removes the first `mark` and all that follows it from `text`. Returns what follows; nullopt without the mark.
std::optional<std::string_view> cut_off(std::string_view& text, std::string_view mark) {
  const std::size_t position = text.find(mark);
  if (position == std::string_view::npos) return std::nullopt;
  const auto rest = text.substr(position + mark.size());
  text = text.substr(0, position);
  return rest;
}

void read_option(std::string_view option, std::string_view text, VirtualGpuSpecification& specification) {
  constexpr std::string_view delay = "delay=";
  constexpr std::string_view name = "name=";
  if (option.starts_with(delay) && !specification.delay_seed) {
    specification.delay_seed = number_in(option.substr(delay.size()));
    if (specification.delay_seed) return;
    refuse(text, fmt::format("SEED is {}, and must be a whole number from 0 to {}", quoted(option.substr(delay.size())),
                             std::numeric_limits<std::uint64_t>::max()));
  }
  if (!option.starts_with(name) || !specification.name.empty()) {
    refuse(text, fmt::format("expected delay=SEED or name=NAME after the comma, each once, not {}", quoted(option)));
  }
  specification.name = option.substr(name.size());
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  if (specification.name.empty() || !std::all_of(specification.name.begin(), specification.name.end(), is_letter) ||
      (specification.name != "privateuseone" && is_type_of_pytorch(specification.name))) {
    refuse(text,
           fmt::format("NAME is {}, and must be privateuseone, or a name of small letters and underscores that is "
                       "none of PyTorch's types of devices",
                       quoted(specification.name)));
  }
}

}  // namespace

VirtualGpuSpecification parse_virtual_gpus(const std::string& text) {
  VirtualGpuSpecification specification;
  std::string_view rest = text;
  for (auto options = cut_off(rest, ","); options;) {
    std::string_view option = *options;
    options = cut_off(option, ",");
    read_option(option, text, specification);
  }
  if (const auto place = cut_off(rest, "@")) {
    if (*place != "host") refuse(text, fmt::format("expected host after the @, not {}", quoted(*place)));
    specification.on_host = true;
  }
  if (const auto cores = cut_off(rest, ":cores=")) {
    const auto number = number_in(*cores);
    if (!number || *number == 0 || *number > max_cores) {
      refuse(text, fmt::format("N is {}, and must be a whole number of cores from 1 to {}", quoted(*cores), max_cores));
    }
    specification.cores = static_cast<int>(*number);
  }
  if (const auto size = cut_off(rest, ":")) {
    const auto memory = memory_in(*size);
    if (!memory || *memory == 0) {
      refuse(text, fmt::format("MEMORY is {}, and must be a number of B, KiB, MiB, GiB or TiB, such as 512MiB, from 1B "
                               "to 1TiB",
                               quoted(*size)));
    }
    specification.memory = static_cast<std::int64_t>(*memory);
  }
  const auto count = number_in(rest);
  if (!count || *count > max_devices) {
    refuse(text, fmt::format("COUNT is {}, and must be a whole number from 0 to {}", quoted(rest), max_devices));
  }
  specification.count = static_cast<int>(*count);
  return specification;
}

}  // namespace d2l::detail
