// SPDX-License-Identifier: MIT
// The table of malformed files.
#include "malformed_files.h"

#include <cstring>

namespace d2l::testing {
namespace {

using std::string;

constexpr auto accepts = Reference::accepts;

string repeated(std::string_view text, int count) {
  string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// A header with one tensor, a, described by `fields`.
string tensor_a(std::string_view fields) { return "{\"a\":{" + string(fields) + "}}"; }
/// A file with one tensor, a.
string file_a(std::string_view fields, std::string_view data = "1234") { return file_of(tensor_a(fields), data); }
/// The tensors a and b, U8 of the given sizes at the given offsets.
string two(int size_a, const string& offsets_a, int size_b, const string& offsets_b, int data) {
  const auto entry = [](int size, const string& offsets) {
    return R"({"dtype":"U8","shape":[)" + std::to_string(size) + R"(],"data_offsets":[)" + offsets + "]}";
  };
  return file_of("{\"a\":" + entry(size_a, offsets_a) + ",\"b\":" + entry(size_b, offsets_b) + "}",
                 string(static_cast<std::size_t>(data), 'x'));
}

const char* const good = R"("dtype":"F32","shape":[1],"data_offsets":[0,4])";

std::vector<MalformedFile> lengths() {
  return {
      {"nothing", "", "it has 0 bytes, and the length of its header alone takes 8 (byte 0)"},
      {"one_byte", "\x02", "it has 1 bytes, and the length of its header alone takes 8 (byte 0)"},
      {"seven_bytes", string(7, '\0'), "it has 7 bytes"},
      {"length_alone", file_of("", "", 2), "its header would be 2 bytes long, and 0 follow (byte 0)"},
      {"length_0", file_of("", "{}"), "its header is 0 bytes long, and {} is the shortest (byte 0)"},
      {"length_1", file_of("{", "}"), "its header is 1 bytes long"},
      {"length_beyond_by_one", file_of("{}", "", 3), "its header would be 3 bytes long, and 2 follow"},
      {"length_far_beyond", file_of(tensor_a(good), "1234", 5000), "its header would be 5000 bytes long, and "},
      {"length_over_the_limit", file_of("{}", "", 100'000'001),
       "its header would be 100000001 bytes long, and 100000000 is the most (byte 0)"},
      {"length_of_2_to_63", file_of("{}", "", std::uint64_t{1} << 63U), "would be 9223372036854775808 bytes long"},
      {"length_of_2_to_64_less_1", file_of("{}", "", ~std::uint64_t{0}), "would be 18446744073709551615 bytes long"},
      {"length_big_endian", file_of("{}", "", std::uint64_t{2} << 56U), "would be 144115188075855872 bytes long"},
      {"length_too_short", file_of(tensor_a(good), "1234", 20), "the header is not JSON"},
      {"zip", "PK\x03\x04 and so on, as torch.save writes it", "it seems to be a file of torch.save"},
      {"git_lfs", "version https://git-lfs.github.com/spec/v1", "it seems to be a pointer of Git LFS"},
      {"web_page", "<!DOCTYPE html><html></html>", "it seems to be a web page"},
  };
}

std::vector<MalformedFile> json() {
  return {
      {"space_first", file_of(" {}"), "the header does not begin with { (byte 8)", accepts},
      {"byte_order_mark", file_of("\xEF\xBB\xBF{}"), "the header does not begin with { (byte 8)"},
      {"list", file_of("[]"), "the header does not begin with {"},
      {"text", file_of(R"("{}")"), "the header does not begin with {"},
      {"number", file_of("12"), "the header does not begin with {"},
      {"cut_in_the_object", file_of("{ "), "the header is not JSON: syntax error while parsing object key"},
      {"cut_in_a_name", file_of(R"({"weig)"), "missing closing quote (byte 14)"},
      {"cut_after_a_name", file_of(R"({"a")"), "unexpected end of input; expected ':' (byte 12)"},
      {"cut_after_the_colon", file_of(R"({"a":)"), "unexpected end of input"},
      {"cut_in_the_tensor", file_of(R"({"a":{)"), "unexpected end of input; expected string literal"},
      {"cut_after_dtype", file_of(R"({"a":{"dtype")"), "unexpected end of input"},
      {"cut_in_the_dtype", file_of(R"({"a":{"dtype":"F3)"), "missing closing quote"},
      {"cut_in_shape", file_of(R"({"a":{"dtype":"F32","shape":[1)"), "unexpected end of input"},
      {"cut_in_the_offsets", file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,)"),
       "unexpected end of input"},
      {"cut_before_the_last_brace", file_of(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})", "1234"),
       "unexpected end of input; expected '}' (byte 61)"},
      {"garbage_after", file_of("{}x"), "the header is not JSON"},
      {"second_object", file_of("{}{}"), "unexpected '{'; expected end of input (byte 10)"},
      {"zero_padding", file_of(string("{}\0\0\0\0\0\0", 8)), "the header is not JSON: it has a zero byte (byte 10)"},
      {"zero_in_a_name", file_of(string("{\"a\0b\":1}", 9)), "it has a zero byte (byte 11)"},
      {"trailing_comma", file_of(R"({"a":{)" + string(good) + "},}", "1234"),
       "unexpected '}'; expected string literal"},
      {"comment", file_of("{/* nothing */}"), "the header is not JSON"},
      {"single_quotes", file_of("{'a':1}"), "the header is not JSON"},
      {"raw_newline_in_a_name", file_of("{\"a\nb\":1}"), "control character U+000A (LF) must be escaped"},
      {"bad_escape", file_of(R"({"a\x":1})"), "forbidden character after backslash"},
      {"lone_surrogate", file_of(R"({"\ud800":1})"), "surrogate"},
      {"utf8_ff", file_of("{\"a\xFF\":1}"), "invalid string: ill-formed UTF-8 byte (byte 11)"},
      {"utf8_overlong", file_of("{\"\xC0\x80\":1}"), "ill-formed UTF-8 byte (byte 10)"},
      {"utf8_surrogate", file_of("{\"\xED\xA0\x80\":1}"), "ill-formed UTF-8 byte (byte 11)"},
      {"utf8_cut", file_of("{\"\xE2\x82\":1}"), "ill-formed UTF-8 byte (byte 12)"},
      {"utf8_beyond_unicode", file_of("{\"\xF4\x90\x80\x80\":1}"), "ill-formed UTF-8 byte"},
      {"utf8_in_the_metadata", file_of("{\"__metadata__\":{\"a\":\"\xFE\"}}"), "ill-formed UTF-8 byte"},
      {"utf8_outside_of_texts", file_of("{\xFF}"), "the header is not JSON"},
      {"deep_lists", file_of(R"({"a":)" + repeated("[", 100'000)), "tensor \"a\" is a list"},
      {"deep_objects", file_of(repeated(R"({"a":)", 100'000)), "tensor \"a\" has the field \"a\""},
      {"deep_shape", file_of(R"({"a":{"shape":)" + repeated("[", 100'000)), "the shape of tensor \"a\" has a list"},
      {"deep_metadata", file_of(R"({"__metadata__":)" + repeated(R"({"a":)", 100'000)),
       "the metadata's \"a\" is an object, and a text belongs there"},
      {"long_name", file_of("{\"" + string(50'000, 'n') + "\":1}"), "… (50000 bytes) is 1"},
  };
}

std::vector<MalformedFile> entries() {
  return {
      {"tensor_is_a_number", file_of(R"({"a":1})"),
       "tensor \"a\" is 1, and an object of dtype, shape and data_offsets belongs there (before byte "},
      {"tensor_is_null", file_of(R"({"a":null})"), "tensor \"a\" is null"},
      {"tensor_is_true", file_of(R"({"a":true})"), "tensor \"a\" is true"},
      {"tensor_is_a_text", file_of(R"({"a":"F32"})"), "tensor \"a\" is a text"},
      {"tensor_is_a_list", file_of(R"({"a":["F32",[1],[0,4]]})", "1234"), "tensor \"a\" is a list", accepts},
      {"tensor_is_empty", file_of(R"({"a":{}})"), "tensor \"a\" has no dtype"},
      {"no_dtype", file_a(R"("shape":[1],"data_offsets":[0,4])"), "tensor \"a\" has no dtype"},
      {"no_shape", file_a(R"("dtype":"F32","data_offsets":[0,4])"), "tensor \"a\" has no shape"},
      {"no_offsets", file_a(R"("dtype":"F32","shape":[1])"), "tensor \"a\" has no data_offsets"},
      {"unknown_field", file_a(string(good) + R"(,"device":"cuda:1")"), "tensor \"a\" has the field \"device\"",
       accepts},
      {"dtype_twice", file_a(string(good) + R"(,"dtype":"F32")"), "tensor \"a\" has dtype twice"},
      {"shape_twice", file_a(string(good) + R"(,"shape":[1])"), "tensor \"a\" has shape twice"},
      {"offsets_twice", file_a(string(good) + R"(,"data_offsets":[0,4])"), "tensor \"a\" has data_offsets twice"},
      {"name_twice", file_of("{\"a\":{" + string(good) + "},\"a\":{" + good + "}}", "1234"),
       "the name \"a\" comes twice", accepts},
      {"name_twice_by_escape", file_of("{\"a\":{" + string(good) + "},\"\\u0061\":{" + good + "}}", "1234"),
       "the name \"a\" comes twice", accepts},
      {"metadata_twice", file_of(R"({"__metadata__":{},"__metadata__":{}})"), "the name \"__metadata__\" comes twice"},
      {"metadata_null", file_of(R"({"__metadata__":null})"), "__metadata__ is null, and an object of texts", accepts},
      {"metadata_list", file_of(R"({"__metadata__":["a"]})"), "__metadata__ is a list"},
      {"metadata_number", file_of(R"({"__metadata__":{"epoch":3}})"), "the metadata's \"epoch\" is 3, and a text"},
      {"metadata_object", file_of(R"({"__metadata__":{"a":{}}})"), "the metadata's \"a\" is an object"},
      {"metadata_key_twice", file_of(R"({"__metadata__":{"a":"1","a":"2"}})"), "the metadata have the name \"a\" twice",
       accepts},
      {"dtype_unknown", file_a(R"("dtype":"F31","shape":[1],"data_offsets":[0,4])"),
       "the dtype of tensor \"a\" is \"F31\", which the format does not know"},
      {"dtype_small_letters", file_a(R"("dtype":"f32","shape":[1],"data_offsets":[0,4])"), "is \"f32\", which"},
      {"dtype_empty", file_a(R"("dtype":"","shape":[1],"data_offsets":[0,4])"), "is \"\", which"},
      {"dtype_number", file_a(R"("dtype":32,"shape":[1],"data_offsets":[0,4])"), "is 32, and a text such as \"F32\""},
      {"dtype_list", file_a(R"("dtype":["F32"],"shape":[1],"data_offsets":[0,4])"),
       "the dtype of tensor \"a\" is a list"},
  };
}

/// A tensor with the given shape, or the given offsets.
MalformedFile shape(string name, const string& list, string says, Reference reference = Reference::refuses) {
  return {std::move(name), file_a(R"("dtype":"F32","shape":)" + list + R"(,"data_offsets":[0,4])"), std::move(says),
          reference};
}
MalformedFile offsets(string name, const string& list, string says) {
  return {std::move(name), file_a(R"("dtype":"F32","shape":[1],"data_offsets":)" + list), std::move(says)};
}

std::vector<MalformedFile> numbers() {
  return {
      shape("shape_number", "1", "the shape of tensor \"a\" is 1, and a list of sizes belongs there"),
      shape("shape_text", R"("1")", "the shape of tensor \"a\" is a text"),
      shape("shape_null", "null", "the shape of tensor \"a\" is null"),
      shape("shape_object", "{}", "the shape of tensor \"a\" is an object"),
      shape("shape_negative", "[-1]", "the shape of tensor \"a\" has -1, and a whole number, 0 or more, belongs there"),
      shape("shape_minus_zero", "[-0]", "has 0, and a whole number"),
      shape("shape_fraction", "[1.5]", "has 1.5, and a whole number"),
      shape("shape_one_point_zero", "[1.0]", "has 1.0, and a whole number"),
      shape("shape_exponent", "[1e0]", "has 1e0, and a whole number"),
      shape("shape_2_to_63", "[9223372036854775808]", "has 9223372036854775808, more than 2^63 - 1"),
      shape("shape_2_to_64", "[18446744073709551616]", "has 18446744073709551616, and a whole number"),
      shape("shape_many_digits", "[" + string(5000, '9') + "]",
            "the shape of tensor \"a\" has a number that is too large (before byte "),
      shape("shape_text_within", R"(["1"])", "has a text, and a whole number"),
      shape("shape_true_within", "[true]", "has true"),
      shape("shape_list_within", "[[1]]", "has a list"),
      shape("shape_leading_zero", "[01]", "the header is not JSON"),
      shape("shape_nan", "[NaN]", "the header is not JSON"),
      shape("shape_overflow", "[4294967296,4294967296]",
            "the shape of tensor \"a\", [4294967296, 4294967296], overflows"),
      shape("shape_overflow_in_bytes", "[4611686018427387904]", "overflows"),
      shape("shape_overflow_before_zero", "[1099511627776,1099511627776,0]", "overflows"),
      shape("shape_65_dimensions", "[1" + repeated(",1", 64) + "]", "has more than 64 dimensions", accepts),
      shape("shape_too_large", "[2]", "tensor \"a\", [2] of F32, takes 8 bytes, and data_offsets [0, 4] are 4"),
      shape("shape_too_small", "[0]", "tensor \"a\", [0] of F32, takes 0 bytes, and data_offsets [0, 4] are 4"),
      offsets("offsets_number", "4", "data_offsets of tensor \"a\" is 4, and a list of two numbers belongs there"),
      offsets("offsets_object", R"({"begin":0})", "is an object"),
      offsets("offsets_none", "[]", "data_offsets of tensor \"a\" has 0 numbers, and two belong there"),
      offsets("offsets_one", "[4]", "data_offsets of tensor \"a\" has 1 number, and two belong there"),
      offsets("offsets_three", "[0,4,4]", "data_offsets of tensor \"a\" has more than two numbers"),
      offsets("offsets_text", R"(["0","4"])", "has a text"),
      offsets("offsets_negative", "[-4,0]", "data_offsets of tensor \"a\" has -4"),
      offsets("offsets_fraction", "[0,4.5]", "has 4.5"),
      offsets("offsets_huge", "[0,99999999999999999999]", "has 99999999999999999999"),
      offsets("offsets_2_to_63", "[0,9223372036854775808]", "more than 2^63 - 1"),
      offsets("offsets_reversed", "[4,0]", "tensor \"a\" ends before it begins: data_offsets [4, 0]"),
      offsets("offsets_beyond", "[1,5]", "tensor \"a\" lies beyond the 4 bytes of data: data_offsets [1, 5]"),
      offsets("offsets_far_beyond", "[0,9223372036854775807]", "tensor \"a\" lies beyond the 4 bytes of data"),
      {"part_of_a_byte", file_a(R"("dtype":"F4","shape":[3],"data_offsets":[0,2])", "12"),
       "tensor \"a\", [3] of F4, ends within a byte"},
  };
}

std::vector<MalformedFile> places() {
  return {
      {"data_missing", file_a(good, ""), "tensor \"a\" lies beyond the 0 bytes of data"},
      {"data_cut", file_a(good, "123"), "tensor \"a\" lies beyond the 3 bytes of data"},
      {"data_too_long", file_a(good, "12345"), "1 bytes at its end belong to no tensor (byte "},
      {"data_of_no_tensor", file_of("{}", "1234"), "4 bytes at its end belong to no tensor (byte 10)"},
      {"overlap", two(4, "0,4", 4, "2,6", 6), "tensors \"a\" and \"b\" overlap: [0, 4] and [2, 6]"},
      {"overlap_whole", two(4, "0,4", 4, "0,4", 4), "tensors \"a\" and \"b\" overlap: [0, 4] and [0, 4]"},
      {"overlap_within", two(6, "0,6", 2, "2,4", 6), "tensors \"a\" and \"b\" overlap: [0, 6] and [2, 4]"},
      {"overlap_empty_within", two(6, "0,6", 0, "3,3", 6), "tensors \"a\" and \"b\" overlap: [0, 6] and [3, 3]"},
      {"gap", two(2, "0,2", 2, "3,5", 5), "1 bytes of data before tensor \"b\" belong to no tensor (byte "},
      {"gap_first", two(2, "1,3", 2, "3,5", 5), "1 bytes of data before tensor \"a\" belong to no tensor"},
      {"gap_before_empty", two(2, "0,2", 0, "4,4", 4), "2 bytes of data before tensor \"b\""},
  };
}

}  // namespace

std::string file_of(std::string_view header, std::string_view data, std::uint64_t length) {
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes.append(header).append(data);
}

std::string file_of(std::string_view header, std::string_view data) { return file_of(header, data, header.size()); }

std::vector<MalformedFile> malformed_files() {
  std::vector<MalformedFile> all;
  for (auto* part : {lengths, json, entries, numbers, places}) {
    for (auto& file : part()) all.push_back(std::move(file));
  }
  return all;
}

std::vector<std::string> unusual_files() {
  return {
      file_of("{}"),
      file_of("{ }\n\t \r"),
      file_of(R"({"__metadata__":{}})"),
      file_of(R"({"__metadata__":{"":"","\u00e9\ud83d\ude00":"\n"}})"),
      file_of(R"({"":{"dtype":"BOOL","shape":[],"data_offsets":[0,1]}})", "\x01"),
      file_of(R"({"a":{"data_offsets":[0,8] , "shape":[ 1, 1 ],"dtype":"I64"} })", "12345678"),
      file_of(
          R"({"a":{"dtype":"F64","shape":[0,3],"data_offsets":[0,0]},"b":{"dtype":"U8","shape":[2,1],"data_offsets":[0,2]},)"
          R"("c":{"dtype":"I32","shape":[0],"data_offsets":[2,2]}})",
          "xy"),
      file_of(
          R"({"late":{"dtype":"U8","shape":[1],"data_offsets":[1,2]},"early":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
          "el"),
      file_of(
          R"({"a":{"dtype":"I16","shape":[2],"data_offsets":[0,4]},"b":{"dtype":"F4","shape":[3,2],"data_offsets":[4,7]}})",
          "1234567"),
      file_of(R"({"a":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]}})", "1"),
      file_of(R"({"a":{"dtype":"F32","shape":[0,1099511627776,1099511627776],"data_offsets":[0,0]}})"),
  };
}

}  // namespace d2l::testing
