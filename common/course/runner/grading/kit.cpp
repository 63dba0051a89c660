// SPDX-License-Identifier: MIT
#include "grading/kit.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/root.h"
#include "base/sha256.h"
#include "base/text.h"
#include "grading/sandbox/temporary_folder.h"

namespace d2l::grading {
namespace {

namespace fs = std::filesystem;
using runner::Stop;

constexpr std::string_view isystem = "-isystem";
constexpr const char* object_name = "exercise.o";

/// The path of the compiler itself if the build uses ccache.
std::string without_cache(const fs::path& compiler) {
  if (fs::weakly_canonical(compiler).filename() != "ccache") return compiler.string();
  for (const char* folder : {"/usr/bin", "/usr/local/bin"}) {
    const fs::path plain = fs::path(folder) / compiler.filename();
    if (fs::exists(plain) && fs::canonical(plain).filename() != "ccache") return plain.string();
  }
  throw Stop(runner::failed, fmt::format("{} is ccache, and there is no {} in /usr/bin or /usr/local/bin",
                                         compiler.string(), compiler.filename().string()));
}

Words joined(std::initializer_list<Words> parts) {
  Words all;
  for (const Words& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The files of an exercise's folder that its stub includes, but exercise.h.
std::map<std::string, std::string> supplied_files(const fs::path& exercise, const std::string& stub) {
  constexpr std::string_view include = "#include \"";
  std::map<std::string, std::string> files;
  for (const std::string& line : runner::lines_of(stub)) {
    if (!line.starts_with(include)) continue;
    const std::string name = line.substr(include.size(), line.find('"', include.size()) - include.size());
    if (name != "exercise.h" && fs::is_regular_file(exercise / name)) files[name] = runner::read_file(exercise / name);
  }
  return files;
}

}  // namespace

bool is_cuda(const std::string& source) { return source.ends_with(".cu"); }

Kit::Kit(fs::path course_folder, const fs::path& build, fs::path place)
    : course(std::move(course_folder)), folder(std::move(place)) {
  const auto json = nlohmann::json::parse(runner::read_file(build / "grading_kit.json"));
  json.at("version").get_to(version);
  compiler_ = without_cache(json.at("compiler").get<std::string>());
  can_precompile = json.at("compiler_id").get<std::string>() == "GNU";
  json.at("flags").get_to(flags_);
  json.at("link_flags").get_to(link_flags_);
  json.at("libraries").get_to(libraries_);
  fs::create_directories(precompiled());
  for (const auto& headers : runner::public_headers(course)) {
    fs::copy(headers, folder / "include", fs::copy_options::recursive);
  }
  std::string contents = compiler_ + json.dump();
  for (const auto& file : json.at("objects").get<Words>()) objects_.push_back(keep(file, "link"));
  judge_object_ = keep(json.at("judge").get<std::string>(), "link");
  for (const auto& file : json.at("archives").get<Words>()) {
    archives_.push_back(keep(file, "link"));
    contents += runner::sha256(runner::read_file(file));
  }
  if (const auto& emulator = json.at("emulator"); emulator.is_object()) {
    emulator.at("flags").get_to(emulator_flags_);
    take_emulator(emulator.at("translator").get<std::string>(), emulator.at("archive").get<std::string>(),
                  emulator.at("include").get<Words>());
    emulator.at("thrust").get_to(thrust_);
    emulator_flags_ = joined({emulator_flags_, thrust_});
    contents += runner::sha256(runner::read_file(emulator_)) + runner::sha256(runner::read_file(translator_));
  }
  fingerprint_ = runner::sha256(contents);
  for (const auto& exercise : json.at("exercises")) {
    Check& check = checks.emplace_back();
    exercise.at("name").get_to(check.name);
    const auto language = exercise.at("language").get<std::string>();
    check.source = "exercise." + language;
    check.stub = runner::read_file(course / "exercises" / check.name / ("stub." + language));
    check.supplied = supplied_files(course / "exercises" / check.name, check.stub);
    if (is_cuda(check.source) && translator_.empty()) {
      throw Stop(runner::wrong_usage,
                 "Exercises with kernels are graded with the CUDA emulator: ./learn grade without --cuda");
    }
    check.include = keep_header(check.name, course / "exercises" / check.name / "exercise.h");
    for (const auto& file : exercise.at("objects").get<Words>())
      check.objects.push_back(keep(file, "checks/" + check.name));
    check.judge = keep(exercise.at("judge").get<std::string>(), "judges");
  }
  make_readable(folder);
}

std::string Kit::keep(const fs::path& file, const std::string& subfolder) {
  fs::create_directories(folder / subfolder);
  // Numbered, as two sources may have the same name.
  const fs::path kept = folder / subfolder / fmt::format("{}_{}", ++kept_, file.filename().string());
  fs::copy_file(file, kept);
  return kept.string();
}

fs::path Kit::keep_header(const std::string& exercise, const fs::path& header) const {
  fs::path kept = folder / "exercises" / exercise;
  fs::create_directories(kept);
  fs::copy_file(header, kept / "exercise.h", fs::copy_options::overwrite_existing);
  return kept;
}

void Kit::take_emulator(const fs::path& translator, const fs::path& library, const Words& headers) {
  translator_ = keep(translator, "link");
  emulator_ = keep(library, "link");
  for (const std::string& one : headers) fs::copy(one, folder / "emulator", fs::copy_options::recursive);
  for (const fs::path& one : {folder / "emulator", folder / "emulator" / "unsupported"})
    emulator_flags_.push_back("-I" + one.string());
}

Words Kit::archives_for(const Check& check) const {
  return is_cuda(check.source) ? joined({{emulator_}, archives_}) : archives_;
}

std::vector<Words> Kit::compilation(const Check& check, const Words& first) const {
  std::string source = check.source;
  std::vector<Words> commands;
  if (is_cuda(source)) {
    commands.push_back({translator_, source, source + ".cpp"});
    source += ".cpp";
  }
  commands.push_back(joined({source_compiler(check, first), {"-c", source, "-o", object_name}}));
  return commands;
}

Words Kit::compiler() const { return joined({{compiler_}, flags_, {"-I" + (folder / "include").string()}}); }

Words Kit::source_compiler(const Check& check, const Words& first) const {
  return joined(
      {compiler(), first, is_cuda(check.source) ? emulator_flags_ : Words{}, {"-I" + check.include.string()}});
}

Words Kit::linking(const Check& check, const std::string& program) const {
  // All of the library, so that a submission that defines one of its functions is an error instead of a replacement.
  return joined({compiler(),
                 link_flags_,
                 check.objects,
                 objects_,
                 {"-Wl,--whole-archive"},
                 archives_for(check),
                 {"-Wl,--no-whole-archive", object_name},
                 libraries_,
                 {"-o", program}});
}

Words Kit::judge_linking(const Check& check, const std::string& program) const {
  // The judge does not call run(): the linker leaves it out, and with it the functions that students write. What else
  // of the check names one of them is an error.
  return joined({compiler(),
                 link_flags_,
                 {"-Wl,--gc-sections", judge_object_},
                 check.objects,
                 archives_for(check),
                 libraries_,
                 {"-o", program}});
}

Words Kit::readable(const Check& check) const {
  Words paths{(folder / "include").string(), (folder / "link").string(), precompiled().string(), check.include.string(),
              fs::canonical(compiler_).parent_path().parent_path().string()};
  paths.insert(paths.end(), check.objects.begin(), check.objects.end());
  if (!translator_.empty()) paths.push_back((folder / "emulator").string());
  for (const std::string& option : thrust_) {
    paths.push_back(fs::canonical(option.substr(isystem.size())).string());
  }
  for (const auto& library : libraries_) {
    if (library.starts_with('/')) paths.push_back(fs::canonical(library).parent_path().string());
  }
  return paths;
}

std::string Kit::fingerprint_of(const Check& check) const {
  std::string contents = fingerprint_ + runner::read_file(check.include / "exercise.h");
  for (const auto& [name, text] : check.supplied) contents += text;
  for (const auto& object : check.objects) contents += runner::read_file(object);
  return runner::sha256(contents);
}

Limits compiling_limits() {
  Limits limits;
  limits.seconds = 180;
  limits.cpu_seconds = 60;
  limits.memory = std::uint64_t{3} << 30;
  limits.files = std::uint64_t{256} << 20;
  return limits;
}

}  // namespace d2l::grading
