// SPDX-License-Identifier: MIT
#include "translate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "declarations.h"
#include "kernel_casts.h"
#include "loop_marks.h"
#include "ptx/ptx.h"
#include "runtime_functions.h"
#include "shared_variables.h"
#include "syntax.h"

namespace d2l::emulator::translator {
namespace {

constexpr std::string_view ours = "::d2l::emulator::";

template <std::size_t count>
bool is_one_of(std::string_view word, const std::array<std::string_view, count>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// A word before '(' that is not the name of a called function.
bool is_keyword(std::string_view word) {
  constexpr std::array<std::string_view, 12> keywords = {"return", "else",   "if",       "while", "for", "do",
                                                         "switch", "sizeof", "co_await", "case",  "and", "or"};
  return is_one_of(word, keywords);
}

constexpr std::array<std::string_view, 4> launches_by_address = {"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
                                                                 "hipLaunchKernel", "hipLaunchCooperativeKernel"};

class Translator {
 public:
  Translator(std::string_view source, std::string_view path)
      : source_(source), path_(path), syntax_(source), kernels_(declared_kernels(syntax_)) {}

  Translation run() {
    for (int i = 0; i < syntax_.size(); ++i) visit(i);
    return {apply_edits(), std::move(includes_), uses_volatile_, has_kernels_, has_device_code_};
  }

 private:
  struct Edit {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };

  void visit(int i) {
    if (syntax_.is_launch_bracket(i, '<')) translate_launch(i);
    if (!syntax_.is_identifier(i)) {
      if (syntax_.is(i, "#") && syntax_.is(i + 1, "include")) note_include(i + 2);
      return;
    }
    const std::string_view word = syntax_.text(i);
    if (word == "__shared__") translate_shared(i);
    if (const auto& [body, text] = shared_variables_.used_at(i); body >= 0) insert_after(body, text);
    if (word == "__global__") tell_parameters(i);
    has_device_code_ |= word == "__device__" && syntax_.token(i).directive == 0;
    if (word == "__CUDA_ARCH__") translate_architecture(i, "D2L_CUDA_ARCH");
    if (word == "__HIP_DEVICE_COMPILE__") translate_architecture(i, "D2L_HIP_DEVICE_COMPILE");
    if (word == "hipLaunchKernelGGL") translate_hip_launch(i);
    if (word == "HIP_DYNAMIC_SHARED") translate_hip_shared(i);
    if (const auto other = translated_name(syntax_, i); !other.empty()) replace(begin_of(i), end_of(i), other);
    if (word == "volatile" && !syntax_.is(i - 1, "asm") && !syntax_.is(i - 1, "__asm__")) uses_volatile_ = true;
    if (word == "__device__" || word == "__constant__" || word == "__managed__") register_variables(i);
    if (is_one_of(word, launches_by_address)) remove_cast(i + 1);
    if (word == "cudaLaunchKernelExC" || word == "hipLaunchKernelExC") remove_cast(next_argument(i + 2));
    const KernelCast cast = kernel_cast(syntax_, i, kernels_);
    if (cast.begin >= 0) replace(begin_of(cast.begin), end_of(cast.end), std::string(ours) + "kernel_address->*");
    for (auto& [at, text] : loop_marks_.at(i)) edits_.push_back({at, at, std::move(text)});
    if (is_runtime_function(word)) mark_unused_result(i);
    if (word == "asm" || word == "__asm__" || word == "__asm") translate_assembly(i);
  }

  [[nodiscard]] int next_argument(int i) const {
    while (i < syntax_.size() && !syntax_.is(i, ",")) i = std::max(i, syntax_.partner(i)) + 1;
    return i;
  }
  void replace(std::size_t begin, std::size_t end, std::string text) {
    // A replaced line end is kept, so that line numbers stay.
    for (std::size_t at = begin; at < end; ++at) {
      if (source_[at] != '\n') continue;
      text += at > 0 && source_[at - 1] == '\\' ? "\\\n" : "\n";
    }
    edits_.push_back({begin, end, std::move(text)});
  }
  void insert_after(int i, std::string text) { edits_.push_back({end_of(i), end_of(i), std::move(text)}); }
  [[nodiscard]] std::size_t begin_of(int i) const { return syntax_.token(i).begin; }
  [[nodiscard]] std::size_t end_of(int i) const { return syntax_.token(i).end; }

  std::string apply_edits() {
    std::ranges::stable_sort(edits_, {}, &Edit::begin);
    std::string text = "#line 1 \"" + escaped(path_) + "\"\n";
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < at) continue;  // inside of an earlier edit
      text += source_.substr(at, edit.begin - at);
      text += edit.text;
      at = edit.end;
    }
    return text += source_.substr(at);
  }
  static std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result;
  }

  void note_include(int i) {
    const int directive = i < syntax_.size() ? syntax_.token(i).directive : 0;
    if (directive == 0) return;
    if (syntax_.token(i).kind == Token::Kind::string) {
      const std::string_view name = syntax_.text(i);
      if (name.size() > 2) includes_.push_back({std::string(name.substr(1, name.size() - 2)), true});
    } else if (syntax_.is(i, "<")) {
      int end = i;
      while (syntax_.token(end).directive == directive && !syntax_.is(end, ">")) ++end;
      if (syntax_.is(end, ">")) {
        includes_.push_back({std::string(source_.substr(end_of(i), begin_of(end) - end_of(i))), false});
      }
    }
  }

  // ── launches ──

  void translate_launch(int open) {
    const int begin = callee_begin(open - 1);
    const int close = begin < 0 ? -1 : launch_close(open + 3);
    if (close < 0) return;
    has_kernels_ = true;
    const int arguments = close + 3;
    const int end = syntax_.partner(arguments);
    const std::string callee = syntax_.joined(begin, open);
    const bool in_macro = syntax_.token(open).directive != 0;
    const std::string name = in_macro ? "D2L_EMULATOR_TEXT(" + callee + ")" : "\"" + escaped(callee) + "\"";
    // A pointer to a kernel is read now, not when the kernel runs; a name may stand for a template or overloads.
    const bool pointer = is_expression(begin, open);
    const std::string kernel = pointer ? callee
                                       : "[=](auto&&... d2l_arguments) { " + callee +
                                             "(d2l_arguments...); }, D2L_EMULATOR_KERNEL(" + callee + ")";
    replace(begin_of(begin), end_of(open + 2),
            std::string(ours) + "launch_of_kernel(" + name + ", __FILE__, __LINE__, " + kernel + ", " +
                std::string(ours) + "Configuration(");
    replace(begin_of(close), end_of(arguments), "))(");
    for (int i = arguments + 1; i < end; ++i) {
      const bool alone = (i == arguments + 1 || syntax_.is(i - 1, ",")) && (i + 1 == end || syntax_.is(i + 1, ","));
      if (alone && syntax_.is(i, "NULL")) replace(begin_of(i), end_of(i), "nullptr");
    }
  }

  /// True unless the tokens [begin, end) are a name, with or without template arguments.
  [[nodiscard]] bool is_expression(int begin, int end) const {
    for (int i = begin; i < end; ++i) {
      if (syntax_.is(i, "<") && syntax_.angle_end(i) > 0) i = syntax_.angle_end(i);
      for (const char* one : {"(", "[", ".", "->"}) {
        if (syntax_.is(i, one)) return true;
      }
    }
    return false;
  }

  /// The '>>>' that ends the configuration and is followed by the arguments.
  [[nodiscard]] int launch_close(int i) const {
    for (; i < syntax_.size(); ++i) {
      if (syntax_.is_launch_bracket(i, '>') && syntax_.is(i + 3, "(") && syntax_.partner(i + 3) > 0) return i;
      if (syntax_.is(i, ";") || syntax_.is(i, "}") || syntax_.is(i, ")")) return -1;
      const bool opens = syntax_.is(i, "(") || syntax_.is(i, "[") || syntax_.is(i, "{");
      if (opens && syntax_.partner(i) > i) i = syntax_.partner(i);
    }
    return -1;
  }

  /// The first token of the expression that ends at `i` and names the kernel; -1 if there is none.
  [[nodiscard]] int callee_begin(int i) const {
    while (i >= 0) {
      if (syntax_.is(i, ">")) {
        i = syntax_.angle_begin(i) - 1;
        if (!syntax_.is_identifier(i)) return -1;
      } else if (syntax_.is(i, ")") || syntax_.is(i, "]")) {
        const int open = syntax_.partner(i);
        if (open < 0) return -1;
        const bool call = syntax_.is_identifier(open - 1) && !is_keyword(syntax_.text(open - 1));
        if (!call && !syntax_.is(open - 1, ">") && !syntax_.is(open - 1, "]")) return open;
        i = open - 1;
        continue;
      }
      if (!syntax_.is_identifier(i) || syntax_.is(i, "operator")) return -1;
      if (syntax_.is(i - 1, "template")) --i;
      const bool member = syntax_.is(i - 1, ".") || syntax_.is(i - 1, "->");
      if (!member && !syntax_.is(i - 1, "::")) return i;
      const bool qualified = syntax_.is_identifier(i - 2) && !is_keyword(syntax_.text(i - 2));
      if (!member && !qualified && !syntax_.is(i - 2, ">")) return i - 1;  // ::kernel
      i -= 2;
    }
    return -1;
  }

  /// A statement that is a call of the runtime: the program does not use the error that it returns.
  void mark_unused_result(int i) {
    if (syntax_.token(i).directive != 0 || !syntax_.is(i + 1, "(")) return;
    const int close = syntax_.partner(i + 1);
    if (close < 0 || !syntax_.is(close + 1, ";")) return;
    bool begins = false;
    for (const char* one : {";", "{", "}", "else", "do"}) begins |= syntax_.is(i - 1, one);
    if (syntax_.is(i - 1, ")") && syntax_.partner(i - 1) > 0) {
      const int before = syntax_.partner(i - 1) - 1;
      for (const char* one : {"if", "for", "while"}) begins |= syntax_.is(before, one);
    }
    if (!begins || syntax_.scope(i) != Syntax::Scope::function) return;
    edits_.push_back({begin_of(i), begin_of(i), std::string(ours) + "result_unused(), "});
  }

  // ── shared memory ──

  void translate_shared(int i) {
    const int begin = syntax_.statement_begin(i);
    const int end = syntax_.statement_end(i);
    if (syntax_.is(begin, "#") || end < 0) return;  // a macro's own use of the word: language.h has one too
    bool is_extern = false;
    for (int k = begin; k < end; ++k) {
      is_extern |= syntax_.is(k, "extern");
    }
    if (is_extern) {
      translate_dynamic_shared(begin, end);
      return;
    }
    const bool local = syntax_.scope(i) == Syntax::Scope::function;
    if (!local && syntax_.scope(i) != Syntax::Scope::namespace_) return;
    const std::string text =
        local ? shared_variables_of_function(syntax_, begin, end) : shared_variables_.declare(begin, end);
    if (!text.empty()) replace(begin_of(begin), end_of(end), text);
  }

  void translate_dynamic_shared(int begin, int end) {
    std::string element;
    int name = -1;
    int bracket = -1;
    for (int i = begin; i < end; ++i) {
      if (syntax_.is(i, "extern") || syntax_.is(i, "__shared__")) continue;
      if (const int attribute = syntax_.attribute_end(i); attribute > 0) {
        i = attribute;
        continue;
      }
      if (syntax_.is(i + 1, "[") && bracket < 0 && syntax_.is_identifier(i)) {
        name = i;
        bracket = i + 1;
        break;
      }
      element += (element.empty() ? "" : " ") + std::string(syntax_.text(i));
    }
    if (name < 0 || element.empty() || syntax_.partner(bracket) != bracket + 1) return;
    element += syntax_.joined(bracket + 2, end);  // further dimensions
    const std::string variable(syntax_.text(name));
    replace(begin_of(begin), end_of(end), dynamic_shared(element, variable, end) + ";");
  }
  /// The declaration, which ends at token `end`.
  [[nodiscard]] std::string dynamic_shared(const std::string& element, const std::string& variable, int end) const {
    const std::string quoted = "\"" + variable + "\"";
    if (syntax_.scope(end) != Syntax::Scope::function) {
      return "static ::d2l::emulator::DynamicSharedArray<" + element + "> " + variable + "{" + quoted + "}";
    }
    const bool copied = syntax_.copied_by_lambda(end);  // as an array of unknown size cannot be
    return (copied ? "auto* " : "auto& ") + variable + " = " + std::string(ours) +
           (copied ? "dynamic_shared<" : "dynamic_shared_array<") + element + ">(" + quoted + ")";
  }

  void tell_parameters(int i) {
    const KernelParameters of = kernel_parameters(syntax_, i);
    if (of.end < 0) return;
    has_kernels_ = true;
    insert_after(of.end, " D2L_EMULATOR_PARAMETERS(\"" + of.kernel + "\", \"" + of.names + "\")");
  }

  void register_variables(int i) {
    if (syntax_.token(i).directive != 0 || syntax_.scope(i) != Syntax::Scope::namespace_) return;
    const int begin = syntax_.statement_begin(i);
    if (begin == registered_) return;  // a second qualifier of the same declaration
    registered_ = begin;
    const int end = syntax_.statement_end(i);
    if (end < 0) return;
    for (int k = begin; k < end; ++k) {
      constexpr std::array<std::string_view, 8> others = {"extern", "template", "using",    "typedef",
                                                          "class",  "union",    "operator", "friend"};
      if (syntax_.token(k).directive == 0 && is_one_of(syntax_.text(k), others)) return;
      if (syntax_.is(k, "struct") || (syntax_.is(k, "{") && !syntax_.is(k - 1, "=") && !syntax_.is_identifier(k - 1))) {
        return;
      }
      if (syntax_.is(k, "=")) break;
    }
    std::string_view kind = "__device__";
    for (int k = begin; k < end && !syntax_.is(k, "="); ++k) {
      if (syntax_.is(k, "__managed__") || syntax_.is(k, "__constant__")) kind = syntax_.text(k);
    }
    for (const std::string& name : declared_names(syntax_, begin, end)) {
      insert_after(end, " static const " + std::string(ours) + "SymbolRegistration d2l_symbol_" + name + "(\"" + name +
                            "\", &" + name + ", sizeof " + name + ", \"" + std::string(kind) + "\");");
    }
  }

  /// hipLaunchKernelGGL((k<A, B>), …): without the brackets, which would be a part of the kernel's name.
  void translate_hip_launch(int i) {
    has_kernels_ = true;
    if (!syntax_.is(i + 1, "(") || !syntax_.is(i + 2, "(")) return;
    const int close = syntax_.partner(i + 2);
    if (close > 0 && syntax_.is(close + 1, ",")) insert_after(i + 1, "HIP_KERNEL_NAME");
  }

  /// HIP_DYNAMIC_SHARED(float, name) is `extern __shared__ float name[]`.
  void translate_hip_shared(int i) {
    if (syntax_.token(i).directive != 0 || !syntax_.is(i + 1, "(")) return;
    const int close = syntax_.partner(i + 1);
    if (close < 0 || !syntax_.is_identifier(close - 1) || !syntax_.is(close - 2, ",")) return;
    const std::string element = syntax_.joined(i + 2, close - 2);
    const std::string variable(syntax_.text(close - 1));
    const std::string semicolon = syntax_.is(close + 1, ";") ? "" : ";";
    replace(begin_of(i), end_of(close), dynamic_shared(element, variable, close) + semicolon);
  }

  /// Code of the device finds the architecture defined, code of the host does not. Outside of functions, a comparison
  /// asks for code of the device.
  void translate_architecture(int i, std::string name) {
    bool device = syntax_.in_device_function(i);
    if (!device && syntax_.outside_functions(i) && syntax_.token(i).directive != 0) {
      const int directive = syntax_.token(i).directive;
      int first = i;
      while (first > 0 && syntax_.token(first - 1).directive == directive) --first;
      if (!syntax_.text(first + 1).starts_with("if") && !syntax_.is(first + 1, "elif")) return;
      for (int k = first; k < syntax_.size() && syntax_.token(k).directive == directive; ++k) {
        device |= syntax_.is(k, "<") || syntax_.is(k, ">") || syntax_.is(k, "=");
      }
    }
    if (device) replace(begin_of(i), end_of(i), std::move(name));
  }

  /// cudaLaunchKernel((void*)kernel, …): the cast, after this token, would hide the types of the parameters.
  void remove_cast(int before) {
    if (!syntax_.is(before, "(") && !syntax_.is(before, ",")) return;
    const int i = before + 1;
    if (syntax_.is(i, "(")) {
      if (is_void_pointer(syntax_, i + 1, syntax_.partner(i))) replace(begin_of(i), end_of(syntax_.partner(i)), "");
    } else if (syntax_.is(i, "reinterpret_cast") && syntax_.is(i + 1, "<") && syntax_.angle_end(i + 1) > 0) {
      replace(begin_of(i), end_of(syntax_.angle_end(i + 1)), "");
    }
  }

  void translate_assembly(int i) {
    int open = i + 1;
    while (syntax_.is(open, "volatile") || syntax_.is(open, "__volatile__")) ++open;
    if (!syntax_.is(open, "(") || syntax_.partner(open) < 0) return;
    const int close = syntax_.partner(open);
    const std::optional<std::string> call =
        translated_ptx(source_.substr(end_of(open), begin_of(close) - end_of(open)));
    if (call) replace(begin_of(i), end_of(close), *call);
  }

  std::string_view source_;
  std::string_view path_;
  Syntax syntax_;
  LoopMarks loop_marks_{syntax_};
  SharedVariables shared_variables_{syntax_};
  std::vector<Edit> edits_;
  std::vector<Include> includes_;
  std::vector<std::string_view> kernels_;
  int registered_ = -1;
  bool uses_volatile_ = false;
  bool has_kernels_ = false;
  bool has_device_code_ = false;
};

}  // namespace

Translation translate(std::string_view source, std::string_view path) { return Translator(source, path).run(); }

}  // namespace d2l::emulator::translator
