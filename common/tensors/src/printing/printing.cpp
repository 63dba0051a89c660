// SPDX-License-Identifier: MIT
// The layout of elements in rows and brackets, and the suffixes.
#include "printing/printing.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <string_view>

#include "core/messages.h"
#include "d2l/autograd.h"
#include "printing/printing_elements.h"

namespace d2l {
namespace detail {
namespace {

constexpr std::size_t line_width = 80;
constexpr std::string_view prefix = "tensor(";

/// Writes the texts of the elements in nested brackets.
class Layout {
 public:
  Layout(const Texts& texts, const Shown& shown, std::string& out) : texts_(texts), shown_(shown), out_(out) {}

  void write(int dimension, std::size_t indent) {
    if (shown_.sizes.count == 0) return write_element();
    if (dimension + 1 == shown_.sizes.count) return write_row(dimension, indent);
    out_ += '[';
    const auto levels = static_cast<std::size_t>(shown_.sizes.count - dimension - 1);
    for (std::int64_t i = 0; i < shown_.sizes[dimension]; ++i) {
      if (i > 0) begin_line(levels, indent);
      if (i == edge_items && is_cut(dimension)) {
        out_ += "...";
        begin_line(levels, indent);
      }
      write(dimension + 1, indent + 1);
    }
    out_ += ']';
  }

 private:
  [[nodiscard]] bool is_cut(int dimension) const { return shown_.cut[static_cast<std::size_t>(dimension)]; }

  void begin_line(std::size_t newlines, std::size_t indent) {
    out_ += ',';
    out_.append(newlines, '\n').append(indent + 1, ' ');
  }

  void write_element() {
    const auto text = texts_[next_++];
    if (text.size() < texts_.width()) out_.append(texts_.width() - text.size(), ' ');
    out_ += text;
  }

  void write_row(int dimension, std::size_t indent) {
    const std::size_t room = indent < line_width ? line_width - indent : 0;
    const std::size_t a_line = std::max<std::size_t>(1, room / (texts_.width() + 2));
    std::size_t placed = 0;
    const auto separate = [&] {
      if (placed > 0 && placed % a_line == 0) {
        begin_line(1, indent);
      } else if (placed > 0) {
        out_ += ", ";
      }
      ++placed;
    };
    out_ += '[';
    for (std::int64_t i = 0; i < shown_.sizes[dimension]; ++i) {
      separate();
      if (i == edge_items && is_cut(dimension)) {
        out_ += " ...";
        separate();
      }
      write_element();
    }
    out_ += ']';
  }

  const Texts& texts_;
  const Shown& shown_;
  std::string& out_;
  std::size_t next_ = 0;
};

/// Appends suffixes, each on the same line if it fits.
class Suffixes {
 public:
  explicit Suffixes(std::string& out) : out_(out) {
    const auto newline = out.rfind('\n');
    length_ = (newline == std::string::npos ? out.size() : out.size() - newline - 1) + 2;
  }
  void add(std::string_view suffix) {
    if (length_ + suffix.size() + 2 > line_width) {
      out_.append(",\n").append(prefix.size(), ' ');
      length_ = prefix.size() + suffix.size();
    } else {
      out_ += ", ";
      length_ += suffix.size() + 2;
    }
    out_ += suffix;
  }

 private:
  std::string& out_;
  std::size_t length_;
};

/// A tuple as Python prints it.
std::string tuple(IntArrayRef sizes) {
  return fmt::format("({}{})", fmt::join(sizes.begin(), sizes.end(), ", "), sizes.size() == 1 ? "," : "");
}

void add_suffixes(const TensorImpl& tensor, const PrintFlags& flags, std::string& out) {
  const bool empty = tensor.numel == 0;
  Suffixes suffixes(out);
  if (!tensor.device().is_cpu()) suffixes.add("device='" + tensor.device().str() + "'");
  if (empty && tensor.sizes.count != 1) suffixes.add("size=" + tuple(tensor.sizes.ref()));
  const bool implied = tensor.dtype == kFloat || (!empty && (tensor.dtype == kLong || tensor.dtype == kBool));
  if (!implied) suffixes.add("dtype=" + repr(tensor.dtype));
  if (!flags.grad_fn.empty()) {
    suffixes.add("grad_fn=<" + flags.grad_fn + ">");
  } else if (flags.requires_grad) {
    suffixes.add("requires_grad=True");
  }
}

}  // namespace

std::string format_tensor(const Tensor& tensor, const PrintFlags& flags) {
  std::string out(prefix);
  if (tensor.numel() == 0) {
    out += "[]";
  } else {
    const Shown shown = shown_part(*tensor.impl());
    const Texts texts = read_texts(tensor, shown);
    out.reserve(64 + static_cast<std::size_t>(shown.count) * (texts.width() + 2) * 2);
    Layout(texts, shown, out).write(0, prefix.size());
  }
  add_suffixes(*tensor.impl(), flags, out);
  return out += ')';
}

}  // namespace detail

std::string repr(const Tensor& tensor) {
  const auto& impl = detail::any_impl_of(tensor, "repr");
  if (impl.parameter == detail::ParameterState::uninitialized) return "<UninitializedParameter>";
  const auto made_by = tensor.grad_fn();
  const NoGradGuard unrecorded;
  const auto text = detail::format_tensor(tensor, {tensor.requires_grad(), made_by ? made_by->name() : std::string()});
  return impl.parameter == detail::ParameterState::parameter ? "Parameter containing:\n" + text : text;
}

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << repr(tensor); }

}  // namespace d2l
