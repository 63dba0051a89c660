// SPDX-License-Identifier: MIT
#include "outputs/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "source/text.h"

namespace d2l::weaver {

namespace {

const std::string selected_first = "virtual2";

const std::vector<Output>& outputs_in(const Capture& capture, int cell) {
  static const std::vector<Output> empty;
  const auto found = capture.cells.find(cell);
  return found == capture.cells.end() ? empty : found->second;
}

std::string pre(std::string_view name, const std::string& text) {
  // A browser drops the first newline of a <pre>.
  return fmt::format("<pre class=\"{}\">{}{}</pre>\n", name, text.starts_with('\n') ? "\n" : "", html(text));
}

std::string measured_html(const Output& output) {
  const auto said = output.label + ": ";
  const auto value = output.text.starts_with(said) ? output.text.substr(said.size()) : output.text;
  std::string out = "<div class=\"d2l-measured\">";
  if (!output.label.empty()) out += fmt::format("<span class=\"d2l-label\">{}</span> ", html(output.label));
  if (value.find('\n') == std::string::npos) {
    out += fmt::format("<span class=\"d2l-value\">{}</span> <span class=\"d2l-mark\">measured</span>", html(value));
  } else {
    out += "<span class=\"d2l-mark\">measured</span>" + pre("d2l-value", value);
  }
  return out + "</div>\n";
}

std::string stale_html(const Capture& capture) {
  if (!capture.stale) return "";
  return fmt::format(
      "<p class=\"d2l-stale\">Out of date: captured on {}, and the program has changed since. Its output on this GPU "
      "may "
      "be different now.</p>\n",
      html(capture.when));
}

/// The index of the tab that is selected at first.
std::size_t first_tab(const std::vector<Capture>& captures) {
  const auto found = std::find_if(captures.begin(), captures.end(),
                                  [](const Capture& capture) { return capture.configuration == selected_first; });
  return found == captures.end() ? 0 : static_cast<std::size_t>(found - captures.begin());
}

std::string tabs(const std::vector<Capture>& captures, int cell, const std::string& prefix) {
  const auto first = first_tab(captures);
  std::string list;
  std::string panels;
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const auto& capture = captures[i];
    const auto id = fmt::format("{}-{}", prefix, capture.configuration);
    const auto configuration = html(capture.configuration);
    list += fmt::format(
        "<button role=\"tab\" id=\"{0}\" aria-controls=\"{0}-panel\" aria-selected=\"{1}\" "
        "data-configuration=\"{2}\">{3}"
        "</button>",
        id, i == first ? "true" : "false", configuration, html(capture.name));
    panels += fmt::format(
        "<div role=\"tabpanel\" id=\"{0}-panel\" aria-labelledby=\"{0}\" data-configuration=\"{1}\" tabindex=\"0\">\n"
        "<h4 class=\"d2l-configuration\">{2}</h4>\n",
        id, configuration, html(capture.name));
    const auto& outputs = outputs_in(capture, cell);
    panels +=
        stale_html(capture) + (outputs.empty() ? "<p>No output here.</p>\n" : outputs_html(outputs, id)) + "</div>\n";
  }
  return fmt::format(
      "<div class=\"d2l-tabs\" data-cell=\"{}\"><div role=\"tablist\" aria-label=\"Output on\">{}</div>\n{}</div>\n",
      cell, list, panels);
}

}  // namespace

std::string embedded_svg(const std::string& svg, const std::string& alternative, const std::string& prefix) {
  auto text = svg.substr(std::min(svg.find("<svg"), svg.size()));
  static const std::regex identity(R"re((\sid="|(?:xlink:)?href="#|url\(#|aria-labelledby="))re");
  text = std::regex_replace(text, identity, "$1" + prefix + "-");
  const auto end = text.find('>');
  const auto tag = text.substr(0, end);
  std::string more;
  if (tag.find(" aria-label") == std::string::npos) more += fmt::format(" aria-label=\"{}\"", html(alternative));
  if (tag.find(" role=") == std::string::npos) more += " role=\"img\"";
  return text.insert(std::min(std::string("<svg").size(), text.size()), more);
}

std::string outputs_html(const std::vector<Output>& outputs, const std::string& prefix) {
  std::string out;
  int pictures = 0;
  for (const auto& output : outputs) {
    switch (output.kind) {
      case Output::Kind::text:
        out += pre("d2l-output", output.text);
        break;
      case Output::Kind::measured:
        out += measured_html(output);
        break;
      case Output::Kind::svg:
        out += fmt::format("<figure class=\"d2l-figure\">{}<figcaption>{}</figcaption></figure>\n",
                           embedded_svg(output.text, output.label, fmt::format("{}-picture{}", prefix, ++pictures)),
                           html(output.label));
        break;
    }
  }
  return out;
}

std::string outputs_of_cell(const std::vector<Capture>& captures, int cell, const std::string& prefix) {
  if (std::all_of(captures.begin(), captures.end(),
                  [&](const Capture& capture) { return outputs_in(capture, cell).empty(); })) {
    return "";
  }
  const auto& first = outputs_in(captures.front(), cell);
  const bool equal = std::all_of(captures.begin(), captures.end(), [&](const Capture& capture) {
    return !capture.stale && outputs_in(capture, cell) == first;
  });
  if (!equal) return tabs(captures, cell, prefix);
  return fmt::format("<div class=\"d2l-outputs\" data-cell=\"{}\">\n{}</div>\n", cell, outputs_html(first, prefix));
}

std::string provenance_html(const std::vector<Capture>& captures) {
  std::string out;
  for (const auto& capture : captures) {
    out += fmt::format(
        "<p class=\"d2l-provenance\" data-configuration=\"{}\"><strong>{}</strong>: captured on {}, on {}{}{}.",
        html(capture.configuration), html(capture.name), html(capture.when), html(capture.on),
        capture.devices.empty() ? "" : "; GPUs: ", html(fmt::format("{}", fmt::join(capture.devices, ", "))));
    out += capture.stale ? " Out of date: the program has changed since.</p>\n" : "</p>\n";
  }
  return out;
}

}  // namespace d2l::weaver
