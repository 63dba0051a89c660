// SPDX-License-Identifier: MIT
// Reads grading_kit.json of the build, copies what it names, and says how a submission is compiled.
#include "kit.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sha256.h"
#include "plain_files.h"
#include "scratch.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;
using Words = std::vector<std::string>;

/// The compiler itself where the build uses it through ccache.
std::string without_cache(const fs::path& compiler) {
  if (fs::weakly_canonical(compiler).filename() != "ccache") return compiler.string();
  for (const char* folder : {"/usr/bin", "/usr/local/bin"}) {
    const fs::path plain = fs::path(folder) / compiler.filename();
    if (fs::exists(plain) && fs::canonical(plain).filename() != "ccache") return plain.string();
  }
  throw Stop(runner::failed, fmt::format("{} is ccache, and there is no {} behind it in /usr/bin or /usr/local/bin",
                                         compiler.string(), compiler.filename().string()));
}

void append(Words& words, const std::vector<fs::path>& paths) {
  for (const auto& path : paths) words.push_back(path.string());
}
void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

}  // namespace

Kit::Kit(const fs::path& course, const fs::path& build, const fs::path& place) : course_(course), place_(place) {
  const auto json = nlohmann::json::parse(runner::read_file(build / "grading_kit.json"));
  json.at("version").get_to(version_);
  compiler_ = without_cache(json.at("compiler").get<std::string>());
  json.at("flags").get_to(flags_);
  json.at("link_flags").get_to(link_flags_);
  json.at("libraries").get_to(libraries_);
  fs::create_directories(place_);
  fs::copy(course_ / "common" / "include", place_ / "include", fs::copy_options::recursive);
  std::string contents = compiler_ + json.dump();
  for (const auto& file : json.at("objects").get<Words>()) objects_.push_back(keep(file, "link"));
  for (const auto& file : json.at("archives").get<Words>()) {
    archives_.push_back(keep(file, "link"));
    contents += runner::sha256(runner::read_file(file));
  }
  fingerprint_ = runner::sha256(contents);
  for (const auto& exercise : json.at("exercises")) {
    Check check;
    exercise.at("name").get_to(check.name);
    keep_header(check.name, course_ / "exercises" / check.name / "exercise.h");
    check.include = place_ / "exercises" / check.name;
    for (const auto& file : exercise.at("objects").get<Words>())
      check.objects.push_back(keep(file, "checks/" + check.name));
    checks_.push_back(std::move(check));
  }
  make_readable(place_);
}

/// Numbered, as two sources may have the same name.
fs::path Kit::keep(const fs::path& file, const std::string& folder) {
  fs::create_directories(place_ / folder);
  fs::path kept = place_ / folder / fmt::format("{}_{}", ++kept_, file.filename().string());
  fs::copy_file(file, kept);
  return kept;
}

void Kit::keep_header(const std::string& name, const fs::path& header) {
  fs::create_directories(place_ / "exercises" / name);
  fs::copy_file(header, place_ / "exercises" / name / "exercise.h", fs::copy_options::overwrite_existing);
}

Words Kit::compiler_with_flags() const {
  Words words{compiler_};
  append(words, flags_);
  words.push_back("-I" + (place_ / "include").string());
  return words;
}

Words Kit::compilation(const Check& check, const std::string& source, const std::string& program) const {
  Words words = compiler_with_flags();
  words.push_back("-I" + check.include.string());
  append(words, link_flags_);
  // All of the library, so that a submission that defines one of its functions is an error instead of a replacement.
  append(words, check.objects);
  append(words, objects_);
  words.emplace_back("-Wl,--whole-archive");
  append(words, archives_);
  words.emplace_back("-Wl,--no-whole-archive");
  words.push_back(source);
  append(words, libraries_);
  append(words, Words{"-o", program});
  return words;
}

std::vector<fs::path> Kit::readable(const Check& check) const {
  std::vector<fs::path> paths{place_ / "include", place_ / "link", check.include};
  paths.insert(paths.end(), check.objects.begin(), check.objects.end());
  paths.push_back(fs::canonical(compiler_).parent_path().parent_path());
  for (const auto& library : libraries_) {
    if (library.starts_with('/')) paths.push_back(fs::canonical(library).parent_path());
  }
  return paths;
}

std::string Kit::fingerprint_of(const Check& check) const {
  std::string contents = fingerprint_ + runner::read_file(check.include / "exercise.h");
  for (const auto& object : check.objects) contents += runner::read_file(object);
  return runner::sha256(contents);
}

}  // namespace d2l::grading
