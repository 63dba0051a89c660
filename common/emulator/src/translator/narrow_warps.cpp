// SPDX-License-Identifier: MIT
#include "narrow_warps.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include "syntax.h"

namespace d2l::emulator::translator {
namespace {

std::string lower(std::string_view text) {
  std::string all(text);
  std::ranges::transform(all, all.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return all;
}

/// "32u" without its suffix.
std::string number_of(std::string_view text) {
  std::string number = lower(text);
  while (number.ends_with('u') || number.ends_with('l')) number.pop_back();
  return number;
}

bool has_form(std::string_view text, const std::regex& form) {
  return std::regex_match(text.begin(), text.end(), form);
}
bool is_shuffle(std::string_view name) {
  static const std::regex form("__shfl(_up|_down|_xor)?(_sync)?");
  return has_form(name, form);
}
bool gives_lanes(std::string_view name) {
  static const std::regex form("__ballot(_sync)?|__activemask|__match_a(ny|ll)_sync");
  return has_form(name, form);
}
bool takes_mask(std::string_view name) {
  static const std::regex form("__\\w+_sync|__syncwarp");
  return has_form(name, form);
}
bool is_of_warp(std::string_view name) {
  return takes_mask(name) || is_shuffle(name) || gives_lanes(name) || name == "__any" || name == "__all";
}
bool takes_32_bits(std::string_view name) {
  static const std::regex form("__(popc|ffs|clz|brev|fns)");
  return has_form(name, form);
}
/// A name for the number of lanes, not for a number of warps.
bool is_size_of_warp(std::string_view name) {
  static const std::regex form(".*warp(?!s(?!ize)).*|.*lanes.*");
  return has_form(lower(name), form);
}
bool is_lane_or_warp(std::string_view name) {
  static const std::regex form(".*lane.*|.*warp.*|wid|lid");
  return has_form(lower(name), form);
}

class Finder {
 public:
  explicit Finder(std::string_view source) : source_(source), code_(source) {}

  std::vector<NarrowPlace> find() {
    read_definitions();
    for (int i = 0; i < code_.size(); ++i) {
      if (code_.token(i).kind == Token::Kind::number) look_at_number(i);
      if (!code_.is_identifier(i)) continue;
      if (code_.is(i + 1, "(") && is_of_warp(code_.text(i))) look_at_call(i);
      if (is_lane_or_warp(code_.text(i))) look_at_lane(i);
    }
    for (const auto& [body, distances] : distances_) {
      const auto sixteen = distances.find("16");
      if (sixteen != distances.end() && !distances.contains("32"))
        add(sixteen->second, "the shuffles begin at a distance of 16");
    }
    std::ranges::stable_sort(found_, {}, &NarrowPlace::line);
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string word(int i) const { return std::string(code_.text(i)); }
  void add(int i, const std::string& what) {
    const auto begin = source_.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(code_.token(i).begin);
    const int line = 1 + static_cast<int>(std::count(begin, end, '\n'));
    if (std::ranges::none_of(found_, [&](const NarrowPlace& one) { return one.line == line; })) {
      found_.push_back({line, what});
    }
  }
  [[nodiscard]] bool is_number(int i, std::string_view number) const {
    return i >= 0 && i < code_.size() && code_.token(i).kind == Token::Kind::number &&
           number_of(code_.text(i)) == number;
  }

  /// Names that are defined as 32, as 0xffffffff or by the index of a thread.
  void read_definitions() {
    std::map<std::string, std::set<std::string>> values;
    std::map<std::string, int> places;
    const auto define = [&](int name, int value) {
      const std::string text = word(name);
      values[text].insert(number_of(code_.text(value)));
      places.try_emplace(text, name);
    };
    for (int i = 0; i + 2 < code_.size(); ++i) {
      if (code_.is(i, "define") && code_.is_identifier(i + 1)) {
        const int value = code_.is(i + 2, "(") ? i + 3 : i + 2;
        if (code_.token(value).directive == code_.token(i).directive) define(i + 1, value);
      } else if (code_.is_identifier(i) && code_.is(i + 1, "=") && !code_.is(i + 2, "=")) {
        define(i, i + 2);
        const int end = code_.statement_end(i);
        for (int k = i + 2; k >= 0 && k < end; ++k) {
          if (code_.is(k, "threadIdx") || code_.is(k, "thread_rank")) thread_numbers_.emplace(code_.text(i));
        }
      }
    }
    for (const auto& [name, numbers] : values) {
      if (numbers == std::set<std::string>{"0xffffffff"}) masks_.insert(name);
      if (numbers == std::set<std::string>{"32"} && is_size_of_warp(name)) {
        add(places.at(name), name + " is 32");
      }
    }
  }

  /// The arguments of the call whose name is at `i`: the first and the last token of each.
  [[nodiscard]] std::vector<std::pair<int, int>> arguments(int i) const {
    std::vector<std::pair<int, int>> all;
    const int end = code_.partner(i + 1);
    if (end < 0 || end == i + 2) return all;
    int begin = i + 2;
    for (int k = begin; k <= end; ++k) {
      const bool opens = code_.is(k, "(") || code_.is(k, "[") || code_.is(k, "{");
      if (opens && k != end) k = std::max(k, code_.partner(k));
      if (k == end || code_.is(k, ",")) {
        all.emplace_back(begin, k - 1);
        begin = k + 1;
      }
    }
    return all;
  }

  void look_at_call(int i) {
    const std::string_view name = code_.text(i);
    const auto given = arguments(i);
    if (takes_mask(name) && !given.empty()) look_at_mask(given.front());
    if (gives_lanes(name)) look_at_result(i);
    if (is_shuffle(name)) look_at_distance(i, given, name.ends_with("_sync") ? 1U : 0U);
  }
  void look_at_mask(const std::pair<int, int>& mask) {
    const auto [first, last] = mask;
    const bool all_bits = first + 1 == last && code_.is(first, "~") && number_of(code_.text(last)) == "0" &&
                          lower(code_.text(last)).find('l') == std::string::npos;
    const bool literal = first == last && is_number(first, "0xffffffff");
    if (all_bits || literal || (first == last && masks_.contains(word(first)))) {
      add(first, "the mask " + code_.joined(first, last + 1) + " has 32 lanes");
    }
  }
  /// What a vote gives must not be kept in 32 bits.
  void look_at_result(int i) {
    if (code_.is(i - 1, "(") && code_.is_identifier(i - 2) && takes_32_bits(code_.text(i - 2))) {
      add(i, word(i - 2) + " takes 32 bits, and " + word(i) + " gives 64");
      return;
    }
    const bool cast = code_.is(i - 1, "(") && code_.is(i - 2, ">") && is_narrow(i - 3);
    const bool old_cast = code_.is(i - 1, ")") && is_narrow(i - 2);
    const int name = i - 2;  // of `unsigned lanes = __ballot…`
    const bool variable = code_.is(i - 1, "=") && code_.is_identifier(name) && is_narrow(name - 1);
    if (cast || old_cast || variable) add(i, "32 bits for the lanes that " + word(i) + " gives");
  }
  [[nodiscard]] bool is_narrow(int i) const {
    if (code_.is(i - 1, "long") || code_.is(i - 2, "long")) return false;
    return code_.is(i, "unsigned") || code_.is(i, "int") || code_.is(i, "uint") || code_.is(i, "uint32_t") ||
           code_.is(i, "int32_t");
  }

  void look_at_distance(int i, const std::vector<std::pair<int, int>>& given, std::size_t masks) {
    if (given.size() != masks + 2) return;  // the width says how many lanes exchange
    const auto [first, last] = given[masks + 1];
    const int body = code_.function_body(i);
    if (first != last || body < 0) return;
    if (is_number(first, "31")) add(first, "lane 31 as the last lane");
    if (code_.token(first).kind == Token::Kind::number) {
      distances_[body].try_emplace(number_of(code_.text(first)), first);
      return;
    }
    for (int k = i; k > body; --k) {  // `for (int distance = 16; …`, `for (int distance = 1; distance < 32; …`
      if (!code_.is(k, "for") || !code_.is(k + 1, "(")) continue;
      for (int m = k + 2; m < code_.partner(k + 1); ++m) {
        if (code_.text(m) != code_.text(first)) continue;
        if (code_.is(m + 1, "=") && is_number(m + 2, "16")) add(m, "the shuffles begin at a distance of 16");
        const bool below = code_.is(m + 1, "<") && is_number(m + 2, "32");
        const bool to = code_.is(m + 1, "<") && code_.is(m + 2, "=") && is_number(m + 3, "16");
        if (below || to) add(m, "the shuffles end at a distance of 16");
      }
    }
  }

  /// `threadIdx.x % 32`, `/ 32`, `& 31`, `& (32 - 1)`, `>> 5`; `== 0xffffffff`
  void look_at_number(int i) {
    const int body = code_.function_body(i);
    const bool compared =
        (code_.is(i - 1, "=") && (code_.is(i - 2, "=") || code_.is(i - 2, "!"))) || code_.is(i + 1, "=");
    if (is_number(i, "0xffffffff") && compared && body >= 0 && gets_lanes(body)) {
      add(i, word(i) + " has 32 lanes");
    }
    const bool divides = is_number(i, "32") && (code_.is(i - 1, "%") || code_.is(i - 1, "/"));
    const bool masks = (is_number(i, "31") || is_number(i, "0x1f")) && code_.is(i - 1, "&") && !code_.is(i - 2, "&");
    const bool difference = is_number(i, "32") && code_.is(i - 1, "(") && code_.is(i - 2, "&") && code_.is(i + 1, "-");
    const bool shifts = is_number(i, "5") && code_.is(i - 1, ">") && code_.is(i - 2, ">");
    if (!divides && !masks && !shifts && !difference) return;
    const int operand = i - (shifts || difference ? 3 : 2);
    if (!is_thread_number(operand)) return;
    if (body < 0 || has_own_width(body)) return;
    if (uses_warp(body) || (is_named_lane(i) && !uses_tiles(body))) {
      add(i,
          "a thread's lane or warp by " + (difference ? "& (32 - 1)" : code_.joined(operand + 1, i) + " " + word(i)));
    }
  }
  [[nodiscard]] bool is_thread_number(int i) const {
    if (code_.is(i, ")")) i = code_.partner(i) + 1 < i ? i - 1 : i;
    const bool member = code_.is(i, "x") && code_.is(i - 1, ".") && code_.is(i - 2, "threadIdx");
    return member || thread_numbers_.contains(word(i));
  }
  /// True if the statement gives a value to a variable whose name says that it is a lane or a warp.
  [[nodiscard]] bool is_named_lane(int i) const {
    for (int k = i; k > code_.statement_begin(i); --k) {
      if (code_.is(k, "=") && code_.is_identifier(k - 1)) return is_lane_or_warp(code_.text(k - 1));
    }
    return false;
  }
  template <class Condition>
  [[nodiscard]] bool any_in(int body, const Condition& condition) const {
    for (int k = body; k < code_.partner(body); ++k) {
      if (code_.is_identifier(k) && condition(k)) return true;
    }
    return false;
  }
  [[nodiscard]] bool uses_warp(int body) const {
    return any_in(body, [&](int k) { return is_of_warp(code_.text(k)); });
  }
  [[nodiscard]] bool gets_lanes(int body) const {
    return any_in(body, [&](int k) { return gives_lanes(code_.text(k)); });
  }
  [[nodiscard]] bool uses_tiles(int body) const {
    return any_in(body, [&](int k) { return code_.is(k, "tiled_partition") || code_.is(k, "thread_block_tile"); });
  }
  /// True if all functions of the warp are shuffles with a width: the function works with parts of a warp.
  [[nodiscard]] bool has_own_width(int body) const {
    bool any = false;
    const bool other = any_in(body, [&](int k) {
      if (!code_.is(k + 1, "(") || !is_of_warp(code_.text(k)) || code_.is(k, "__syncwarp")) return false;
      any = true;
      return !is_shuffle(code_.text(k)) || arguments(k).size() < (code_.text(k).ends_with("_sync") ? 4U : 3U);
    });
    return any && !other;
  }

  /// `1 << lane`, `lane == 31`
  void look_at_lane(int i) {
    const int body = code_.function_body(i);
    if (body < 0) return;
    if (code_.is(i + 1, "=") && code_.is(i + 2, "=") && is_number(i + 3, "31") && !has_own_width(body)) {
      add(i, "lane 31 as the last lane");
    }
    if (!code_.is(i - 1, "<") || !code_.is(i - 2, "<")) return;
    const std::string one = lower(code_.text(i - 3));
    if (one == "1" || one == "1u") add(i, word(i - 3) + " << " + word(i) + " has 32 bits");
  }

  std::string_view source_;
  Syntax code_;
  std::set<std::string> masks_;
  std::set<std::string> thread_numbers_;
  std::map<int, std::map<std::string, int>> distances_;  ///< of shuffles without a width, by function
  std::vector<NarrowPlace> found_;
};

}  // namespace

std::vector<NarrowPlace> places_for_32_lanes(std::string_view source) { return Finder(source).find(); }

}  // namespace d2l::emulator::translator
