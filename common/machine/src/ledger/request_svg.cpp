// SPDX-License-Identifier: MIT
// The picture of a warp's request and its description. The picture has no style sheets, scripts, fonts, or identifiers
// that could clash with those of another picture on the page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/svg.h"
#include "ledger/request_parts.h"

namespace d2l {
namespace {

using detail::banks;
using detail::for_each_lane_of;
using detail::Sector;
using detail::sector_bytes;
using detail::sectors_of;
using detail::served_parts;
using detail::ServedPart;
using detail::Word;
using detail::svg::at;
using detail::svg::escaped;

// Colours that are visible on white and on black.
constexpr const char* asked = "#2f7fc4";
constexpr const char* costly = "#c4621a";
constexpr double width = 700;
constexpr double left = 24;
constexpr double lanes_width = 672;

std::string text_at(double x, double y, const std::string& text, const char* anchor = "start") {
  return fmt::format(R"(<text x="{}" y="{}" text-anchor="{}">{}</text>)", at(x), at(y), anchor, escaped(text));
}

std::string box(double x, double y, double wide, double high, const char* colour, double opacity) {
  return fmt::format(R"(<rect x="{}" y="{}" width="{}" height="{}" fill="{}" fill-opacity="{}"/>)", at(x), at(y),
                     at(wide), at(high), colour, at(opacity));
}

std::string svg_of(double height, const std::string& title, const std::string& content) {
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {} {}" role="img" font-family="sans-serif" )"
      R"(font-size="12" fill="currentColor"><title>{}</title>{}</svg>)",
      at(width), at(height), escaped(title), content);
}

double lane_x(const WarpRequest& request, unsigned lane) { return left + 6 + lanes_width / request.warp_size * lane; }

/// A dot for each lane, pale for those that do not take part, and numbers above some.
std::string lane_dots(const WarpRequest& request) {
  std::string taking_part;
  std::string others;
  std::string numbers;
  for (unsigned lane = 0; lane < request.warp_size; ++lane) {
    const bool active = (request.lanes >> lane & 1U) != 0;
    const double x = lane_x(request, lane);
    (active ? taking_part : others) += fmt::format("M{} 38h0", at(x));
    if (lane % (request.warp_size / 8) == 0 || lane == request.warp_size - 1) {
      numbers += text_at(x, 28, std::to_string(lane), "middle");
    }
  }
  const auto dots = [&](const std::string& path, double opacity) {
    constexpr const char* form =
        R"(<path d="{}" stroke="currentColor" stroke-width="{}" stroke-linecap="round" stroke-opacity="{}"/>)";
    return path.empty() ? "" : fmt::format(form, path, request.warp_size == 32 ? 9 : 6, at(opacity));
  };
  return text_at(left, 13, "lanes of the warp") + numbers + dots(taking_part, 1) + dots(others, 0.2);
}

/// The runs of bytes of a sector that the lanes ask for.
std::string used_bytes(const Sector& sector, double x, double y, double wide, double high) {
  std::string text;
  const double byte = wide / static_cast<double>(sector_bytes);
  for (unsigned i = 0; i < sector_bytes;) {
    if ((sector.used >> i & 1U) == 0) {
      ++i;
      continue;
    }
    unsigned end = i;
    while (end < sector_bytes && (sector.used >> end & 1U) != 0) ++end;
    text += box(x + byte * i, y, byte * (end - i), high, asked, 0.8);
    i = end;
  }
  return text;
}

std::string used_percent(const WarpRequest& request) {
  std::size_t used = 0;
  const auto sectors = sectors_of(request);
  for (const auto& [number, sector] : sectors) used += static_cast<unsigned>(std::popcount(sector.used));
  const std::size_t all = static_cast<std::size_t>(sector_bytes) * std::max<std::size_t>(1, sectors.size());
  return fmt::format("{:.0f} %", 100 * static_cast<double>(used) / static_cast<double>(all));
}

std::string counted(std::uint64_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string passes_text(unsigned passes) { return fmt::format("{} {}", passes, passes == 1 ? "pass" : "passes"); }

std::string sectors_text(const WarpRequest& request) {
  return fmt::format("{} of 32 bytes, of which {} are used", counted(sectors_of(request).size(), "sector"),
                     used_percent(request));
}

std::string global_svg(const WarpRequest& request) {
  constexpr double top = 96;
  constexpr double high = 22;
  constexpr double gap = 5;
  const auto sectors = sectors_of(request);
  const auto follows_another = [&](std::int64_t number) { return sectors.contains(number - 1); };
  std::size_t parts = 0;
  for (const auto& [number, sector] : sectors) parts += follows_another(number) ? 0 : 1;
  const double room = width - 2 * left + 12 - gap * static_cast<double>(std::max<std::size_t>(parts, 1) - 1);
  const double wide = std::min(166.0, room / static_cast<double>(std::max<std::size_t>(1, sectors.size())));
  std::string boxes;
  std::string outlines;
  std::map<std::int64_t, double> places;
  double x = left;
  for (const auto& [number, sector] : sectors) {
    if (!places.empty() && !follows_another(number)) x += gap;
    places[number] = x;
    boxes += box(x, top, wide, high, costly, 0.25) + used_bytes(sector, x, top, wide, high);
    outlines += fmt::format("M{} {}h{}v{}h-{}z", at(x), at(top), at(wide), at(high), at(wide));
    x += wide;
  }
  std::string lines;
  for_each_lane_of(request, [&](unsigned lane) {
    const double middle = static_cast<double>(request.offsets.at(lane) + request.begin) + request.bytes / 2.0;
    const auto number = static_cast<std::int64_t>(std::floor(middle / static_cast<double>(sector_bytes)));
    const auto place = places.find(number);
    if (place == places.end()) return;
    const double in_sector = (middle / static_cast<double>(sector_bytes) - static_cast<double>(number)) * wide;
    lines += fmt::format("M{} 44L{} {}", at(lane_x(request, lane)), at(place->second + in_sector), at(top));
  });
  const std::string content =
      lane_dots(request) + boxes +
      fmt::format(R"(<path d="{}{}" fill="none" stroke="currentColor" stroke-opacity="0.6"/>)", lines, outlines) +
      text_at(left, top + high + 18, sectors_text(request));
  return svg_of(top + high + 28, "The lanes of a warp and the sectors that they touch", content);
}

/// What is written in the cell of a word: its lane, or how many lanes share it.
std::string word_label(const Word& word) {
  const auto lanes = static_cast<unsigned>(std::popcount(word.lanes));
  return lanes == 1 ? std::to_string(std::countr_zero(word.lanes)) : fmt::format("×{}", lanes);
}

std::string shared_svg(const WarpRequest& request) {
  constexpr double column = 20;
  constexpr double row = 16;
  constexpr double first = 48;  // of the columns
  const auto parts = served_parts(request);
  std::string content = text_at(4, 13, "banks of shared memory; the numbers in the cells are lanes");
  for (unsigned bank = 0; bank < banks; ++bank) {
    if (bank % 4 == 0 || bank == banks - 1)
      content += text_at(first + column * (bank + 0.5), 30, std::to_string(bank), "middle");
  }
  double y = 36;
  unsigned pass = 0;
  std::string grid;
  for (const ServedPart& part : parts) {
    for (unsigned i = 0; i < part.passes; ++i) {
      content += text_at(first - 6, y + row * (i + 0.75), std::to_string(++pass), "end");
    }
    for (unsigned bank = 0; bank < banks; ++bank) {
      const auto& words = part.by_bank.at(bank);
      for (unsigned i = 0; i < words.size(); ++i) {
        const double x = first + column * bank;
        content += box(x, y + row * i, column, row, i == 0 ? asked : costly, 0.5) +
                   text_at(x + column / 2, y + row * (i + 0.75), word_label(words.at(i)), "middle");
      }
    }
    grid += fmt::format("M{} {}h{}v{}h-{}z", at(first), at(y), at(column * banks), at(row * part.passes),
                        at(column * banks));
    y += row * part.passes + 6;
  }
  content += fmt::format(R"(<path d="{}" fill="none" stroke="currentColor" stroke-opacity="0.6"/>)", grid);
  return svg_of(y + 18, "The lanes of a warp in the banks of shared memory",
                content + text_at(first, y + 10, passes_text(pass)));
}

/// "in[3]", or "element 3" of an array without a name.
std::string short_element(const WarpRequest& request, unsigned lane) {
  const std::string all = element_of(request, lane);
  return all.substr(0, all.find(" of "));
}

/// "in[0], in[2], in[4], …, in[62]": what the lanes access.
std::string elements_text(const WarpRequest& request) {
  constexpr unsigned first_ones = 3;
  std::string text;
  unsigned named = 0;
  const auto last = static_cast<unsigned>(std::bit_width(request.lanes)) - 1;
  for_each_lane_of(request, [&](unsigned lane) {
    if (named++ >= first_ones && lane != last) return;
    text += text.empty() ? "" : lane == last && named > first_ones + 1 ? ", …, " : ", ";
    text += fmt::format("lane {} {}", lane, short_element(request, lane));
  });
  return text;
}

std::string conflicts_text(const WarpRequest& request) {
  const auto parts = served_parts(request);
  unsigned passes = 0;
  for (const ServedPart& part : parts) passes += part.passes;
  std::string text = "It takes " + passes_text(passes);
  if (parts.size() > 1)
    text += fmt::format(", because lanes of {} bytes are served in {} parts", request.bytes, parts.size());
  for (const ServedPart& part : parts) {
    for (unsigned bank = 0; bank < banks; ++bank) {
      const std::size_t words = part.by_bank.at(bank).size();
      if (words < 2 || words < part.passes) continue;
      return text + fmt::format(": bank {} has {} different words", bank, words);
    }
  }
  return text + (parts.size() > 1 ? "" : ": no bank has two different words");
}

}  // namespace

std::string request_svg(const WarpRequest& request) {
  return request.shared ? shared_svg(request) : global_svg(request);
}

std::string request_description(const WarpRequest& request) {
  const auto lanes = static_cast<unsigned>(std::popcount(request.lanes));
  const bool one = lanes == 1;
  const bool has_name = request.array.find(' ') == std::string::npos;
  std::string text = fmt::format("{} of warp {} of block ({}, {}, {}) {}{} {}", counted(lanes, "lane"), request.warp,
                                 request.block[0], request.block[1], request.block[2], request.store ? "store" : "load",
                                 one ? "s" : "", counted(request.bytes, "byte"));
  text += fmt::format("{}{}: {}. ", one ? "" : " each", has_name ? "" : " of " + request.array, elements_text(request));
  return text + (request.shared ? conflicts_text(request) : "It touches " + sectors_text(request)) + ".";
}

}  // namespace d2l
