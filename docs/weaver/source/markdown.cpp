// SPDX-License-Identifier: MIT
#include "source/markdown.h"

#include <fmt/format.h>
#include <md4c-html.h>

#include <regex>
#include <stdexcept>

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
  // A link as a whole, because its text has no further links; a block of code; code in prose; a place in the course.
  static const std::regex parts(
      R"re(<a (?:[^<]|<(?!/a>))*</a>|<pre><code(?: class="language-([^"]*)")?>([^<]*)</code></pre>\n|)re"
      R"re(<code>([^<]*)</code>|(?:[Ss]ection|[Ee]xercise)\s+(\d+(?:\.\d+)+))re");
  const std::string html = plain_html(words);
  std::string out;
  auto rest = html.begin();
  for (std::sregex_iterator part(html.begin(), html.end(), parts), end; part != end; ++part) {
    const auto& match = *part;
    out.append(rest, match[0].first);
    rest = match[0].second;
    if (match[2].matched) {
      out += block_html(match[1], text_of_html(match[2].str()), links, variables);
    } else if (match[3].matched) {
      out += code_span(text_of_html(match[3].str()), links.names, variables);
    } else {
      out += match[4].matched ? place_html(match.str(), match[4], links) : match.str();
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
