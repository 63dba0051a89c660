// SPDX-License-Identifier: MIT
// Loads 1 GiB of parameters, and reads the same file into memory, both from the page cache: MEMORY/SIDE/THREADS.
//
// `kept` memory was used before, as in a program that loads again; `fresh` memory comes from the system page by page.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "backend/cpu/host_memory.h"
#include "d2l/d2l.h"

namespace {

constexpr std::int64_t file_bytes = std::int64_t{1} << 30;
constexpr int parameters = 64;

/// The file, removed by the destructor.
class ParameterFile {
 public:
  ParameterFile() : path_("d2l_loading_benchmark." + std::to_string(getpid()) + ".safetensors") {
    d2l::StateDict tensors;
    const auto values = d2l::rand({file_bytes / 4 / parameters});
    for (int i = 0; i < parameters; ++i) tensors.insert("layer." + std::to_string(i) + ".weight", values);
    save_file(tensors, path_);
  }
  ~ParameterFile() { std::remove(path_.c_str()); }
  ParameterFile(const ParameterFile&) = delete;
  ParameterFile& operator=(const ParameterFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

void load(benchmark::State& state, const std::string& path, bool fresh, int threads) {
  d2l::set_num_threads(threads);
  if (!fresh) benchmark::DoNotOptimize(d2l::load_file(path));
  for (auto _ : state) {
    state.PauseTiming();
    if (fresh) d2l::backend::host_memory::trim();
    state.ResumeTiming();
    auto tensors = d2l::load_file(path);
    state.PauseTiming();
    tensors.clear();
    state.ResumeTiming();
  }
  d2l::backend::host_memory::trim();
}

/// Reads a file into one block of memory.
void read_into(const std::string& path, char* memory, benchmark::State& state) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::int64_t done = 0;
  while (done < file_bytes) {
    const auto count = ::read(file, memory + done, static_cast<std::size_t>(file_bytes - done));
    if (count <= 0) {
      state.SkipWithError("the file cannot be read");
      break;
    }
    done += count;
  }
  close(file);
}

void read(benchmark::State& state, const std::string& path, bool fresh) {
  std::unique_ptr<char[]> memory;
  if (!fresh) {
    memory.reset(new char[file_bytes]);
    std::memset(memory.get(), 1, file_bytes);
  }
  for (auto _ : state) {
    if (fresh) memory.reset(new char[file_bytes]);  // make_unique would write zeros first
    read_into(path, memory.get(), state);
    state.PauseTiming();
    if (fresh) memory.reset();
    state.ResumeTiming();
  }
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  const ParameterFile file;
  for (const bool fresh : {false, true}) {
    const std::string memory = fresh ? "fresh" : "kept";
    const auto add = [](const std::string& name, auto run) {
      benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond);
    };
    add(memory + "/read/1", [&, fresh](benchmark::State& state) { read(state, file.path(), fresh); });
    for (const int threads : {1, 2}) {
      add(memory + "/d2l/" + std::to_string(threads),
          [&, fresh, threads](benchmark::State& state) { load(state, file.path(), fresh, threads); });
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
