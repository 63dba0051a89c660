// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "base/message.h"
#include "d2l/error.h"
#include "d2l/figures.h"
#include "lesson/svg_text.h"

namespace d2l {

namespace {

constexpr int cell = 14;
constexpr int gap = 26;  // between two pictures
constexpr int margin = 40;

}  // namespace

std::string heatmaps_svg(const Tensor& matrices, const std::string& xlabel, const std::string& ylabel,
                         const std::vector<std::string>& titles) {
  if (matrices.dim() != 4) {
    detail::fail<ShapeError>("heatmaps_svg", fmt::format("the matrices have {} dimensions, not 4", matrices.dim()), {},
                             "give (rows, columns, queries, keys), for example with unsqueeze");
  }
  const auto sizes = matrices.sizes().vec();
  if (!titles.empty() && static_cast<std::int64_t>(titles.size()) != sizes[1]) {
    detail::fail<ShapeError>("heatmaps_svg", fmt::format("{} titles for {} columns", titles.size(), sizes[1]), {},
                             "give a title for each column");
  }
  const auto values = matrices.detach().to_vector<double>();
  const double low = values.empty() ? 0 : *std::ranges::min_element(values);
  const double high = values.empty() ? 1 : *std::ranges::max_element(values);
  const double range = high > low ? high - low : 1;
  const std::int64_t width = sizes[3] * cell + gap;
  const std::int64_t height = sizes[2] * cell + gap;
  std::string text;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    text += fmt::format("<text x='{}' y='14'>{}</text>", margin + static_cast<std::int64_t>(i) * width,
                        detail::svg_text(titles[i]));
  }
  std::size_t at = 0;
  for (std::int64_t row = 0; row < sizes[0]; ++row) {
    for (std::int64_t column = 0; column < sizes[1]; ++column) {
      const std::int64_t left = margin + column * width;
      const std::int64_t top = gap + row * height;
      for (std::int64_t query = 0; query < sizes[2]; ++query) {
        for (std::int64_t key = 0; key < sizes[3]; ++key, ++at) {
          text += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill-opacity='{:.3f}'/>", left + key * cell,
                              top + query * cell, cell, cell, (values[at] - low) / range);
        }
      }
      text += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' fill='none' stroke='currentColor'/>", left, top,
                          sizes[3] * cell, sizes[2] * cell);
    }
  }
  const std::int64_t bottom = gap + sizes[0] * height;
  text += fmt::format("<text x='{}' y='{}'>{}</text>", margin, bottom, detail::svg_text(xlabel));
  text += fmt::format("<text transform='translate(14 {}) rotate(-90)' text-anchor='end'>{}</text>", gap,
                      detail::svg_text(ylabel));
  return fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' fill='currentColor' "
      "font-family='sans-serif' font-size='13'>{2}</svg>",
      margin + sizes[1] * width, bottom + 10, text);
}

}  // namespace d2l
