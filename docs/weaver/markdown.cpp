// SPDX-License-Identifier: MIT
#include "markdown.h"

#include <fmt/format.h>
#include <md4c.h>

#include <regex>
#include <stdexcept>
#include <utility>

#include "text.h"

namespace d2l::weaver {

namespace {

std::string_view text_of(const MD_ATTRIBUTE& attribute) { return {attribute.text, attribute.size}; }

/// Writes HTML as md4c reports what it reads.
class Writer {
 public:
  Writer(const Links& links, const Variables& variables) : links_(links), variables_(variables) {}

  void enter(MD_BLOCKTYPE type, void* detail) {
    flush();
    switch (type) {
      case MD_BLOCK_CODE:
        language_ = text_of(static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang);
        in_code_ = true;
        break;
      case MD_BLOCK_OL:
        if (const auto start = static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start; start != 1) {
          out_ += fmt::format("<ol start=\"{}\">\n", start);
          break;
        }
        [[fallthrough]];
      default:
        if (const auto tag = tag_of(type, detail); !tag.empty()) out_ += fmt::format("<{}>", tag);
    }
  }

  void leave(MD_BLOCKTYPE type, void* detail) {
    flush();
    if (type == MD_BLOCK_CODE) {
      const bool cpp = language_ == "cpp" || language_ == "c++" || language_.empty();
      out_ += cpp ? code_block(code_, links_.names, variables_) : plain_block(code_);
      code_.clear();
      in_code_ = false;
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
    if (type == MD_SPAN_EM) out_ += "<em>";
    if (type == MD_SPAN_STRONG) out_ += "<strong>";
  }

  void leave(MD_SPANTYPE type) {
    flush();
    if (type == MD_SPAN_CODE) {
      out_ += in_link_ ? "<code>" + html(code_) + "</code>" : code_span(code_, links_.names, variables_);
      code_.clear();
      in_code_ = false;
    }
    if (type == MD_SPAN_A) {
      in_link_ = false;
      out_ += "</a>";
    }
    if (type == MD_SPAN_EM) out_ += "</em>";
    if (type == MD_SPAN_STRONG) out_ += "</strong>";
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
  static std::string tag_of(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_P:
        return "p";
      case MD_BLOCK_QUOTE:
        return "blockquote";
      case MD_BLOCK_UL:
        return "ul";
      case MD_BLOCK_OL:
        return "ol";
      case MD_BLOCK_LI:
        return "li";
      case MD_BLOCK_HR:
        return "hr";
      case MD_BLOCK_TABLE:
        return "table";
      case MD_BLOCK_THEAD:
        return "thead";
      case MD_BLOCK_TBODY:
        return "tbody";
      case MD_BLOCK_TR:
        return "tr";
      case MD_BLOCK_TH:
        return "th";
      case MD_BLOCK_TD:
        return "td";
      case MD_BLOCK_H:
        return fmt::format("h{}", static_cast<MD_BLOCK_H_DETAIL*>(detail)->level);
      default:
        return "";
    }
  }

  /// Words, with a link where they name a section or an exercise of the course.
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
  std::string words_;  ///< not written yet
  std::string code_;   ///< of the block or span that is being read
  std::string language_;
  bool in_code_ = false;
  bool in_link_ = false;
};

Writer& writer_of(void* data) { return *static_cast<Writer*>(data); }

}  // namespace

std::string markdown(std::string_view text, const Links& links, const Variables& variables) {
  Writer writer(links, variables);
  MD_PARSER parser{};
  parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML;
  parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    writer_of(data).enter(type, detail);
    return 0;
  };
  parser.leave_block = [](MD_BLOCKTYPE type, void* detail, void* data) {
    writer_of(data).leave(type, detail);
    return 0;
  };
  parser.enter_span = [](MD_SPANTYPE type, void* detail, void* data) {
    writer_of(data).enter(type, detail);
    return 0;
  };
  parser.leave_span = [](MD_SPANTYPE type, void* /*detail*/, void* data) {
    writer_of(data).leave(type);
    return 0;
  };
  parser.text = [](MD_TEXTTYPE type, const MD_CHAR* words, MD_SIZE size, void* data) {
    writer_of(data).text(type, {words, size});
    return 0;
  };
  if (md_parse(text.data(), static_cast<MD_SIZE>(text.size()), &parser, &writer) != 0) {
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
