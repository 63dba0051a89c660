// SPDX-License-Identifier: MIT
// Parses a header as its characters arrive, without recursion and without a copy of its text.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <streambuf>
#include <utility>

#include "safetensors/header.h"

namespace d2l::detail::safetensors {
namespace {

using nlohmann::json;

/// Reads the bytes from `begin` to before `end`; refuses a file with a zero byte among them.
class HeaderBytes : public std::streambuf {
 public:
  HeaderBytes(const InputFile& file, std::int64_t begin, std::int64_t end) : file_(file), next_(begin), end_(end) {}

  /// The position in the file of the next byte.
  [[nodiscard]] std::int64_t position() const noexcept { return next_ - (egptr() - gptr()); }

 protected:
  int_type underflow() override {
    const auto count = std::min<std::int64_t>(end_ - next_, static_cast<std::int64_t>(piece_.size()));
    if (count == 0) return traits_type::eof();
    file_.read(next_, piece_.data(), count);
    // JSON has no zero byte, but the parser takes one for the end.
    if (const void* zero = std::memchr(piece_.data(), 0, static_cast<std::size_t>(count))) {
      const auto position = next_ + (static_cast<const char*>(zero) - piece_.data());
      file_.refuse(fmt::format("the header is not JSON: it has a zero byte (byte {})", position));
    }
    next_ += count;
    setg(piece_.data(), piece_.data(), piece_.data() + count);
    return traits_type::to_int_type(piece_.front());
  }

 private:
  const InputFile& file_;
  std::int64_t next_;
  std::int64_t end_;
  std::array<char, std::size_t{32} << 10> piece_{};
};

/// Builds a Header from the parser's events; refuses anything else at once.
class HeaderBuilder : public nlohmann::json_sax<json> {
 public:
  HeaderBuilder(const InputFile& file, const HeaderBytes& bytes) : file_(file), bytes_(bytes) {}
  Header take() { return std::move(header_); }

  bool null() override { unexpected("null"); }
  bool boolean(bool value) override { unexpected(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { unexpected(fmt::format("{}", value)); }
  bool number_float(number_float_t /*value*/, const string_t& text) override { unexpected(cut(text)); }
  bool binary(binary_t& /*value*/) override { unexpected("binary"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (position_ != Position::in_shape && position_ != Position::in_offsets) unexpected(fmt::format("{}", value));
    if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max())) {
      refuse(fmt::format("{} has {}, more than 2^63 - 1", context().first, value));
    }
    add(static_cast<std::int64_t>(value));
    return true;
  }

  bool string(string_t& value) override {
    if (position_ == Position::metadata_value) {
      header_.metadata.emplace(std::move(key_), std::move(value));
      position_ = Position::in_metadata;
    } else if (position_ == Position::dtype) {
      entry_.dtype = find_format_dtype(value);
      if (entry_.dtype == nullptr) {
        refuse(fmt::format("{} is {}, which the format does not know", context().first, in_quotes(value)));
      }
      position_ = Position::in_tensor;
    } else {
      unexpected("a text");
    }
    return true;
  }

  bool start_object(std::size_t /*count*/) override {
    if (position_ == Position::start) {
      position_ = Position::in_header;
    } else if (position_ == Position::header_value && entry_.name == metadata_name) {
      position_ = Position::in_metadata;
    } else if (position_ == Position::header_value) {
      position_ = Position::in_tensor;
    } else {
      unexpected("an object");
    }
    return true;
  }

  bool key(string_t& key) override {
    if (position_ == Position::in_header) {
      if (!names_.insert(key).second) refuse(fmt::format("the name {} comes twice", in_quotes(key)));
      entry_ = {};
      entry_.name = std::move(key);
      has_shape_ = has_offsets_ = false;
      position_ = Position::header_value;
    } else if (position_ == Position::in_metadata) {
      key_ = std::move(key);
      if (header_.metadata.count(key_) != 0) {
        refuse(fmt::format("the metadata have the name {} twice", in_quotes(key_)));
      }
      position_ = Position::metadata_value;
    } else {
      begin_field(key);
    }
    return true;
  }

  bool end_object() override {
    if (position_ == Position::in_tensor) finish_tensor();
    position_ = position_ == Position::in_header ? Position::end : Position::in_header;
    return true;
  }

  bool start_array(std::size_t /*count*/) override {
    if (position_ == Position::shape) {
      position_ = Position::in_shape;
    } else if (position_ == Position::offsets) {
      position_ = Position::in_offsets;
    } else {
      unexpected("a list");
    }
    return true;
  }

  bool end_array() override {
    if (position_ == Position::in_offsets && offsets_ != 2) {
      refuse(fmt::format("{} has {} number{}, and two belong there: begin and end", context().first, offsets_,
                         offsets_ == 1 ? "" : "s"));
    }
    position_ = Position::in_tensor;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/, const json::exception& error) override {
    constexpr int number_overflows = 406;  // "number overflow parsing '…'", with all its digits
    if (error.id == number_overflows) refuse(fmt::format("{} has a number that is too large", context().first));
    const std::string_view all = error.what();
    // "[json…] parse error at line 1, column 7: what; last read: '…'": ours counts bytes and does not repeat ill-formed
    // text.
    auto reason = all.substr(std::min(all.size(), all.find(": ") + 2));
    reason = reason.substr(0, reason.find("; last read"));
    file_.refuse(fmt::format("the header is not JSON: {} (byte {})", cut(reason),
                             length_bytes + static_cast<std::int64_t>(std::max<std::size_t>(position, 1)) - 1));
  }

 private:
  enum class Position : std::int8_t {
    start,
    in_header,
    header_value,
    in_metadata,
    metadata_value,
    in_tensor,
    dtype,
    shape,
    in_shape,
    offsets,
    in_offsets,
    end
  };

  static std::string cut(std::string_view text) {
    return text.size() <= 120 ? std::string(text) : std::string(text.substr(0, 40)) + "…";
  }

  void begin_field(const std::string& field) {
    const auto begin = [&](bool had, Position next) {
      if (had) refuse(fmt::format("tensor {} has {} twice", in_quotes(entry_.name), field));
      position_ = next;
    };
    if (field == "dtype") {
      begin(entry_.dtype != nullptr, Position::dtype);
    } else if (field == "shape") {
      begin(std::exchange(has_shape_, true), Position::shape);
    } else if (field == "data_offsets") {
      begin(std::exchange(has_offsets_, true), Position::offsets);
      offsets_ = 0;
    } else {
      refuse(fmt::format("tensor {} has the field {}, which the format does not know", in_quotes(entry_.name),
                         in_quotes(field)));
    }
  }

  void add(std::int64_t value) {
    if (position_ == Position::in_shape) {
      entry_.shape.push_back(value);
      if (entry_.shape.size() > max_dimensions) {
        refuse(fmt::format("{} has more than {} dimensions", context().first, max_dimensions));
      }
      return;
    }
    if (++offsets_ > 2) refuse(fmt::format("{} has more than two numbers", context().first));
    (offsets_ == 1 ? entry_.begin : entry_.end) = value;
  }

  void finish_tensor() {
    const char* missing = entry_.dtype == nullptr ? "dtype"
                          : !has_shape_           ? "shape"
                          : !has_offsets_         ? "data_offsets"
                                                  : "";
    if (*missing != 0) refuse(fmt::format("tensor {} has no {}", in_quotes(entry_.name), missing));
    header_.entries.push_back(std::move(entry_));
  }

  /// What the current value describes, and what belongs there.
  [[nodiscard]] std::pair<std::string, const char*> context() const {
    constexpr const char* number = "a whole number, 0 or more,";
    const std::string tensor = "tensor " + in_quotes(entry_.name);
    switch (position_) {
      case Position::start:
        return {"the header", "an object"};
      case Position::metadata_value:
        return {"the metadata's " + in_quotes(key_), "a text"};
      case Position::dtype:
        return {"the dtype of " + tensor, "a text such as \"F32\""};
      case Position::shape:
        return {"the shape of " + tensor, "a list of sizes"};
      case Position::in_shape:
        return {"the shape of " + tensor, number};
      case Position::offsets:
        return {"data_offsets of " + tensor, "a list of two numbers"};
      case Position::in_offsets:
        return {"data_offsets of " + tensor, number};
      default:
        if (entry_.name == metadata_name) return {std::string(metadata_name), "an object of texts"};
        return {tensor, "an object of dtype, shape and data_offsets"};
    }
  }
  [[noreturn]] void unexpected(const std::string& found) const {
    const bool in_list = position_ == Position::in_shape || position_ == Position::in_offsets;
    const auto [subject, wanted] = context();
    refuse(fmt::format("{} {} {}, and {} belongs there", subject, in_list ? "has" : "is", found, wanted));
  }
  [[noreturn]] void refuse(const std::string& what) const {
    file_.refuse(fmt::format("{} (before byte {})", what, bytes_.position()));
  }

  const InputFile& file_;
  const HeaderBytes& bytes_;
  Header header_;
  Position position_ = Position::start;
  std::set<std::string, std::less<>> names_;
  std::string key_;  // of the metadata
  Entry entry_;
  bool has_shape_ = false;
  bool has_offsets_ = false;
  int offsets_ = 0;
};

}  // namespace

Header parse_header(const InputFile& file, std::int64_t length) {
  HeaderBytes bytes(file, length_bytes, length_bytes + length);
  if (bytes.sgetc() != '{') file.refuse(fmt::format("the header does not begin with {{ (byte {})", length_bytes));
  HeaderBuilder builder(file, bytes);
  std::istream in(&bytes);
  json::sax_parse(in, &builder);
  return builder.take();
}

}  // namespace d2l::detail::safetensors
