// SPDX-License-Identifier: MIT
#include "source/markdown.h"

#include <fmt/format.h>
#include <md4c-html.h>

#include <algorithm>
#include <regex>
#include <stdexcept>
#include <utility>

#include "source/text.h"

namespace d2l::weaver {

namespace {

/// Markdown as HTML by md4c, which knows neither the course nor its names.
std::string plain_html(std::string_view words) {
  std::string out;
  const auto append = [](const MD_CHAR* text, MD_SIZE size, void* data) {
    static_cast<std::string*>(data)->append(text, size);
  };
  if (md_html(words.data(), static_cast<MD_SIZE>(words.size()), append, &out, MD_FLAG_TABLES | MD_FLAG_NOHTML, 0) !=
      0) {
    throw std::runtime_error("md4c ran out of memory");
  }
  return out;
}

/// Throws for a row of a table that is continued on the next line, as an editor that breaks long lines leaves it.
void check_tables(std::string_view words) {
  bool code = false;
  for (const std::string& line : lines_of(words)) {
    if (line.starts_with("```")) code = !code;
    const std::size_t end = line.find_last_not_of(' ');
    if (code || !line.starts_with("|") || line[end] == '|') continue;
    throw std::runtime_error(fmt::format("a row of a table needs one line: {}", line));
  }
}

/// "section 1.2.2" and "exercise 1.5.3" as a link, if the course has that page.
std::string place_html(const std::string& words, const std::string& number, const Links& links) {
  const auto& pages = words.front() == 's' || words.front() == 'S' ? links.sections : links.exercises;
  const auto page = pages.find(number);
  return page == pages.end() ? words : fmt::format("<a href=\"{}\">{}</a>", page->second, words);
}

std::string block_html(const std::string& language, const std::string& code, const Links& links,
                       const Variables& variables) {
  const bool cpp = language == "cpp" || language == "c++" || language.empty();
  return cpp ? code_block(code, links.names, variables) : plain_block(code);
}

}  // namespace

std::string markdown(std::string_view words, const Links& links, const Variables& variables) {
  // The beginnings alone, because std::regex uses stack for each character: a link, whose text has no further links; a
  // block of code; code in prose; a place in the course.
  static const std::regex beginnings(
      R"re(<a |<pre><code(?: class="language-([^"]*)")?>|<code>|(?:[Ss]ection|[Ee]xercise)\s+(\d+(?:\.\d+)+))re");
  check_tables(words);
  const std::string html = plain_html(words);
  std::string out;
  auto rest = html.begin();
  const auto until = [&](std::string_view closing) {
    const auto end = std::search(rest, html.end(), closing.begin(), closing.end());
    return std::string(std::exchange(rest, end + static_cast<std::ptrdiff_t>(closing.size())), end);
  };
  for (std::smatch match; std::regex_search(rest, html.end(), match, beginnings);) {
    out.append(rest, match[0].first);
    rest = match[0].second;
    if (match[2].matched) {
      out += place_html(match.str(), match[2], links);
    } else if (match.str() == "<code>") {
      out += code_span(text_of_html(until("</code>")), links.names, variables);
    } else if (match.str() == "<a ") {
      out += match.str() + until("</a>") + "</a>";
    } else {
      out += block_html(match[1], text_of_html(until("</code></pre>\n")), links, variables);
    }
  }
  return out.append(rest, html.end());
}

std::vector<Passage> passages_of(const std::vector<std::string>& lines) {
  std::vector<Passage> passages(1);
  bool code = false;
  for (const auto& line : lines) {
    if (line.starts_with("```")) code = !code;
    const auto level = line.find_first_not_of('#');
    if (!code && level != std::string::npos && level > 0 && level <= 6 && line[level] == ' ') {
      passages.push_back({static_cast<int>(level), without_markdown(line.substr(level + 1)), ""});
    } else {
      passages.back().text += line + "\n";
    }
  }
  if (passages.front().text.find_first_not_of('\n') == std::string::npos) passages.erase(passages.begin());
  return passages;
}

}  // namespace d2l::weaver
