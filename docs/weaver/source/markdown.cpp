// SPDX-License-Identifier: MIT
#include "source/markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <map>
#include <regex>
#include <stdexcept>
#include <utility>

#include "source/text.h"

namespace d2l::weaver {

namespace {

std::string_view text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

/// Writes HTML from the events of md4c.
class Writer {
 public:
  Writer(const Links& links, const Variables& variables) : links_(links), variables_(variables) {}

  void enter(MD_BLOCKTYPE type, void* detail) {
    flush();
    const auto start = type == MD_BLOCK_OL ? static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start : 1;
    if (type == MD_BLOCK_CODE) {
      language_ = text_of(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
      in_code_ = true;
    } else if (start != 1) {
      out_ += fmt::format("<ol start=\"{}\">\n", start);
    } else if (const auto tag = tag_of(type, detail); !tag.empty()) {
      out_ += fmt::format("<{}>", tag);
    }
  }

  void leave(MD_BLOCKTYPE type, void* detail) {
    flush();
    if (type == MD_BLOCK_CODE) {
      const bool cpp = language_ == "cpp" || language_ == "c++" || language_.empty();
      const auto code = end_code();
      out_ += cpp ? code_block(code, links_.names, variables_) : plain_block(code);
    } else if (const auto tag = tag_of(type, detail); !tag.empty() && type != MD_BLOCK_HR) {
      out_ += fmt::format("</{}>\n", tag);
    }
  }

  void enter(MD_SPANTYPE type, void* detail) {
    flush();
    if (type == MD_SPAN_CODE) in_code_ = true;
    if (type == MD_SPAN_A) {
      in_link_ = true;
      out_ += fmt::format("<a href=\"{}\">", html(text_of(static_cast<MD_SPAN_A_DETAIL*>(detail)->href)));
    }
    if (const auto tag = tag_of(type); !tag.empty()) out_ += fmt::format("<{}>", tag);
  }

  void leave(MD_SPANTYPE type, void* /*detail*/) {
    flush();
    if (type == MD_SPAN_CODE) {
      const auto code = end_code();
      out_ += in_link_ ? "<code>" + html(code) + "</code>" : code_span(code, links_.names, variables_);
    }
    if (type == MD_SPAN_A) {
      in_link_ = false;
      out_ += "</a>";
    }
    if (const auto tag = tag_of(type); !tag.empty()) out_ += fmt::format("</{}>", tag);
  }

  void text(MD_TEXTTYPE type, std::string_view text) {
    if (in_code_) {
      code_ += text;
    } else if (type == MD_TEXT_BR) {
      flush();
      out_ += "<br/>\n";
    } else if (type == MD_TEXT_ENTITY) {
      flush();
      out_ += text;
    } else {
      words_ += type == MD_TEXT_SOFTBR ? "\n" : text;
    }
  }

  [[nodiscard]] const std::string& written() const { return out_; }

 private:
  /// The HTML tag of a block; empty for a block without one.
  static std::string tag_of(MD_BLOCKTYPE type, void* detail) {
    static const std::map<MD_BLOCKTYPE, const char*> tags{{MD_BLOCK_P, "p"},         {MD_BLOCK_QUOTE, "blockquote"},
                                                          {MD_BLOCK_UL, "ul"},       {MD_BLOCK_OL, "ol"},
                                                          {MD_BLOCK_LI, "li"},       {MD_BLOCK_HR, "hr"},
                                                          {MD_BLOCK_TABLE, "table"}, {MD_BLOCK_THEAD, "thead"},
                                                          {MD_BLOCK_TR, "tr"},       {MD_BLOCK_TBODY, "tbody"},
                                                          {MD_BLOCK_TH, "th"},       {MD_BLOCK_TD, "td"}};
    if (type == MD_BLOCK_H) return fmt::format("h{}", static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
    const auto found = tags.find(type);
    return found == tags.end() ? "" : found->second;
  }

  static std::string_view tag_of(MD_SPANTYPE type) {
    return type == MD_SPAN_EM ? "em" : type == MD_SPAN_STRONG ? "strong" : "";
  }

  /// Ends a block or span of code and returns its text.
  std::string end_code() {
    in_code_ = false;
    return std::exchange(code_, "");
  }

  /// Writes the pending words. "section 1.2.2" and "exercise 1.5.3" become links.
  void flush() {
    static const std::regex place(R"(([Ss]ection|[Ee]xercise)(\s+)(\d+(?:\.\d+)+))");
    std::string rest = std::exchange(words_, "");
    for (std::smatch match; !in_link_ && std::regex_search(rest, match, place);) {
      const bool section = (match[1].str()[0] | 0x20) == 's';
      const auto& pages = section ? links_.sections : links_.exercises;
      const auto page = pages.find(match[3]);
      const auto words = html(match.str());
      out_ += html(match.prefix().str());
      out_ += page == pages.end() ? words : fmt::format("<a href=\"{}\">{}</a>", page->second, words);
      rest = match.suffix();
    }
    out_ += html(rest);
  }

  const Links& links_;
  const Variables& variables_;
  std::string out_;
  std::string words_;  ///< pending: flush() writes them
  std::string code_;   ///< of the current block or span
  std::string language_;
  bool in_code_ = false;
  bool in_link_ = false;
};

/// The callbacks of md4c; `data` is the Writer.
template <class Type>
int enter(Type type, void* detail, void* data) {
  static_cast<Writer*>(data)->enter(type, detail);
  return 0;
}

template <class Type>
int leave(Type type, void* detail, void* data) {
  static_cast<Writer*>(data)->leave(type, detail);
  return 0;
}

int text(MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* data) {
  static_cast<Writer*>(data)->text(type, {words, size});
  return 0;
}

}  // namespace

std::string markdown(std::string_view words, const Links& links, const Variables& variables) {
  Writer writer(links, variables);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
  parser.enter_block = enter<MD_BLOCKTYPE>;
  parser.leave_block = leave<MD_BLOCKTYPE>;
  parser.enter_span = enter<MD_SPANTYPE>;
  parser.leave_span = leave<MD_SPANTYPE>;
  parser.text = text;
  if (md_parse(words.data(), static_cast<MD_SIZE>(words.size()), &parser, &writer) != 0) {
    throw std::runtime_error("md4c ran out of memory");
  }
  return writer.written();
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
