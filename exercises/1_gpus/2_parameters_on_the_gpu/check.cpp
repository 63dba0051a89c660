// SPDX-License-Identifier: MIT
#include "d2l/check.h"

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "d2l/testing.h"
#include "exercise.h"

namespace d2l::check {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> names{"0.weight", "0.bias", "2.weight", "2.bias"};
constexpr const char* frozen =
    "2.weight";  // does not require gradients when it is loaded

/// A network to save or to load: its dtype, and the devices of its parameters.
struct Case {
  std::string name;
  ScalarType dtype;
  std::vector<Device> devices;  ///< of the first layer and of the second
};

std::vector<Case> cases() {
  std::vector<Case> cases{{"float32 on cpu", kFloat, {cpu(), cpu()}},
                          {"float64 on cpu", kDouble, {cpu(), cpu()}}};
  const int gpus = num_gpus();
  if (gpus == 0) return cases;
  const Device last = gpu(gpus - 1);
  cases.push_back({"float32 on " + last.str(), kFloat, {last, last}});
  cases.push_back({"float64 on " + last.str(), kDouble, {last, last}});
  if (gpus > 1) cases.push_back({"float32 on two GPUs", kFloat, {gpu(0), last}});
  return cases;
}

bool on_gpu(const Case& one) { return one.devices.front().is_cuda(); }
bool is_loaded(const Case& one) { return one.devices[0] == one.devices[1]; }

/// The name of the values of a parameter that `function`, "save" or "load", gets.
std::string key(const std::string& function, ScalarType dtype,
                const std::string& name) {
  return function + (dtype == kFloat ? " float32 " : " float64 ") + name;
}

nn::Sequential network(const Inputs& inputs, ScalarType dtype) {
  nn::Sequential net(nn::Linear(inputs.integer("in"), inputs.integer("hidden")),
                     nn::ReLU(),
                     nn::Linear(inputs.integer("hidden"), inputs.integer("out")));
  net->to(dtype);
  return net;
}

/// Random values, and a few that other formats lose.
Tensor values(IntArrayRef sizes, ScalarType dtype) {
  Tensor drawn = randn(sizes, dtype);
  const Tensor flat = drawn.view({-1});
  const double tiny = dtype == kFloat ? std::numeric_limits<float>::denorm_min()
                                      : std::numeric_limits<double>::denorm_min();
  const std::vector<double> odd{-0.0, tiny, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN(), 1.0 / 3};
  for (std::size_t i = 0; i < odd.size() && static_cast<std::int64_t>(i) < flat.numel();
       ++i) {
    flat[static_cast<std::int64_t>(i)] = odd[i];
  }
  return drawn;
}

/// A temporary folder, which exists as long as this object.
class Folder {
 public:
  Folder()
      : path_(fs::temp_directory_path() /
              ("d2l_parameters_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file() const {
    return (path_ / "net.safetensors").string();
  }
  [[nodiscard]] std::int64_t count() const {
    return std::distance(fs::directory_iterator(path_), {});
  }

 private:
  fs::path path_;
};

/// Bytes that live tensors hold on all GPUs.
std::int64_t bytes_on_gpus() {
  std::int64_t bytes = 0;
  for (int i = 0; i < num_gpus(); ++i) bytes += testing::live_memory(gpu(i)).bytes;
  return bytes;
}

/// Stores the parameters that a dictionary has.
void put_all(const std::string& prefix, const StateDict& dict, Outcome& outcome) {
  for (const auto& name : names) {
    if (dict.contains(name)) outcome.result(prefix + " " + name, dict[name]);
  }
}

void run_save(const Inputs& inputs, const Case& one, Outcome& outcome) {
  const Folder folder;
  const auto net = network(inputs, one.dtype);
  StateDict given;
  for (const auto& name : names)
    given.insert(name, inputs.tensor(key("save", one.dtype, name)));
  net->load_state_dict(given);
  net->at<nn::LinearImpl>(0).to(one.devices[0]);
  net->at<nn::LinearImpl>(2).to(one.devices[1]);
  synchronize();
  const auto name = "save " + one.name;
  const auto before = bytes_on_gpus();
  outcome.attempt(name, [&] { save_parameters(*net, folder.file()); });
  outcome.put(name + " left", bytes_on_gpus() - before);
  outcome.put(name + " files", folder.count());
  put_all(name + " net", net->state_dict(), outcome);
  if (std::ifstream file(folder.file(), std::ios::binary); file) {
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    outcome.put(name + " file",
                tensor(std::vector<std::uint8_t>(bytes.begin(), bytes.end()), kByte));
  }
}

/// The tensors of the file that a call wrote, read here; CheckError if it cannot be
/// read.
StateDict read_written(const Outcome& outcome, const std::string& call) {
  if (!outcome.contains(call + " file")) throw CheckError("no file", call);
  const Tensor bytes = outcome.tensor(call + " file");
  if (bytes.dtype() != kByte) throw CheckError("no file", call);
  const Folder folder;
  std::ofstream(folder.file(), std::ios::binary)
      .write(static_cast<const char*>(bytes.contiguous().data_ptr()),
             static_cast<std::streamsize>(bytes.numel()));
  try {
    return load_file(folder.file());
  } catch (const Error& error) {
    throw CheckError(error.what(), call);
  }
}

void run_load(const Inputs& inputs, const Case& one, Outcome& outcome) {
  const Folder folder;
  StateDict given;
  for (const auto& name : names)
    given.insert(name, inputs.tensor(key("load", one.dtype, name)));
  save_file(given, folder.file());
  const auto net = network(inputs, one.dtype);
  const auto held = net->named_parameters();
  held[frozen].set_requires_grad(false);
  const auto name = "load " + one.name;
  const auto before = bytes_on_gpus();
  if (!outcome.attempt(
          name, [&] { load_parameters(*net, folder.file(), one.devices.front()); }))
    return;
  std::int64_t expected = 0;
  for (const auto& tensor : given.values())
    expected += on_gpu(one) ? tensor.nbytes() : 0;
  outcome.put(name + " left", bytes_on_gpus() - before - expected);
  outcome.put(name + " files", folder.count());
  put_all(name + " net", net->state_dict(), outcome);
  bool same = true;
  bool trained = true;
  for (const auto& item : net->named_parameters()) {
    same = same && held.contains(item.key()) && held[item.key()].is_same(item.value());
    trained = trained && item.value().requires_grad() == (item.key() != frozen) &&
              item.value().is_leaf();
  }
  outcome.put(name + " same", same);
  outcome.put(name + " trained", trained);
}

/// Same dtype and shape, and the same bits.
void judge_bits(ItemJudgement& item, const Tensor& expected, const Tensor& found,
                const std::string& name) {
  const auto described = [](const Tensor& tensor) {
    return repr(tensor.dtype()) + " of shape " + repr(tensor.sizes());
  };
  item.expect(found.dtype() == expected.dtype() && found.sizes() == expected.sizes(),
              described(expected), described(found), name);
  if (found.dtype() != expected.dtype() || !(found.sizes() == expected.sizes())) return;
  const Tensor a = expected.contiguous();
  const Tensor b = found.contiguous();
  const auto* const first = static_cast<const char*>(a.data_ptr());
  const auto* const second = static_cast<const char*>(b.data_ptr());
  const auto bytes = static_cast<std::size_t>(a.element_size());
  for (std::int64_t i = 0; i < a.numel(); ++i) {
    const auto at = static_cast<std::size_t>(i) * bytes;
    if (std::memcmp(first + at, second + at, bytes) == 0) continue;
    const auto text = [i](const Tensor& tensor) {
      return repr(tensor.view({-1})[i].item<double>());
    };
    return item.expect(false, text(a) + " as element " + std::to_string(i),
                       text(b) + ", with different bits", name);
  }
}

}  // namespace

std::vector<Item> items() {
  return {{"file", 3, Kind::result,
           "the file has every parameter under its name, bit for bit", 1},
          {"values", 3, Kind::result,
           "the loaded network has the values of the file, bit for bit", 2},
          {"places", 2, Kind::placement,
           "loaded parameters are on the requested device, and saved ones stay where "
           "they are",
           3},
          {"same", 1, Kind::placement,
           "the parameters are still the same, and require gradients as before", 2},
          {"copies", 2, Kind::cost, "each parameter is copied at most once", 4},
          {"clean", 1, Kind::cost, "no other file and no memory is left behind", 5}};
}

Inputs inputs(std::uint64_t seed) {
  manual_seed(seed);
  Inputs inputs(seed);
  for (const char* const size : {"in", "out"}) inputs.put(size, inputs.draw(5, 16));
  inputs.put("hidden", inputs.draw(17, 28));  // no weight is square
  for (const ScalarType dtype : {kFloat, kDouble}) {
    const auto net = network(inputs, dtype);
    for (const std::string function : {"save", "load"}) {
      for (const auto& item : net->state_dict()) {
        inputs.put(key(function, dtype, item.key()),
                   values(item.value().sizes(), dtype));
      }
    }
  }
  return inputs;
}

void run(const Inputs& inputs, Outcome& outcome) {
  for (const Case& one : cases()) {
    run_save(inputs, one, outcome);
    if (is_loaded(one)) run_load(inputs, one, outcome);
  }
}

void judge(const Inputs& inputs, const Outcome& outcome, Judgement& judgement) {
  const auto each =
      [&](const std::string& function,
          const std::function<void(const std::string&, const Case&)>& look) {
        for (const Case& one : cases()) {
          if (function == "load" && !is_loaded(one)) continue;
          outcome.require(function + " " + one.name);
          look(function + " " + one.name, one);
        }
      };
  const auto judge_loaded = [&](ItemJudgement& item, const std::string& call,
                                const Case& one) {
    for (const auto& name : names) {
      const auto result = call + " net " + name;
      judge_bits(item, inputs.tensor(key("load", one.dtype, name)),
                 outcome.tensor(result), result);
    }
  };
  const auto count = static_cast<std::int64_t>(names.size());
  judgement.item("file", [&](ItemJudgement& item) {
    each("save", [&](const std::string& call, const Case& one) {
      const StateDict written = read_written(outcome, call);
      for (const auto& name : names) {
        item.expect(written.contains(name), name, "none", call);
        if (!written.contains(name)) continue;
        judge_bits(item, inputs.tensor(key("save", one.dtype, name)), written[name],
                   call + " file " + name);
      }
      item.equal(count, static_cast<std::int64_t>(written.size()),
                 "tensors in the file", call);
    });
  });
  judgement.item("values", [&](ItemJudgement& item) {
    each("load", [&](const std::string& call, const Case& one) {
      judge_loaded(item, call, one);
    });
  });
  judgement.item("places", [&](ItemJudgement& item) {
    for (const std::string function : {"save", "load"}) {
      each(function, [&](const std::string& call, const Case& one) {
        for (std::size_t i = 0; i < names.size(); ++i) {
          item.placed(outcome, call + " net " + names[i], one.devices[i / 2]);
        }
      });
    }
    item.lacks_gpus(1);
  });
  judgement.item("same", [&](ItemJudgement& item) {
    each("load", [&](const std::string& call, const Case& one) {
      judge_loaded(item, call, one);
      item.expect(outcome.flag(call + " same"), "the same parameters as before",
                  "other parameters", call);
      item.expect(outcome.flag(call + " trained"),
                  "parameters that require gradients as before", "one that does not",
                  call);
    });
  });
  judgement.item("copies", [&](ItemJudgement& item) {
    each("save", [&](const std::string& call, const Case&) {
      item.at_most(count, outcome.recording(call).copies(Direction::device_to_host),
                   "copies from device to host", call);
      item.at_most(count, outcome.recording(call).copies(), "copies in total", call);
    });
    each("load", [&](const std::string& call, const Case& one) {
      item.at_most(on_gpu(one) ? count : 0, outcome.recording(call).copies(),
                   "copies in total", call);
    });
    item.lacks_gpus(1);
  });
  judgement.item("clean", [&](ItemJudgement& item) {
    for (const std::string function : {"save", "load"}) {
      each(function, [&](const std::string& call, const Case&) {
        item.equal(1, outcome.integer(call + " files"), "files in the folder", call);
        item.equal(0, outcome.integer(call + " left"),
                   "bytes more on the GPUs than before", call);
      });
    }
  });
}

}  // namespace d2l::check
