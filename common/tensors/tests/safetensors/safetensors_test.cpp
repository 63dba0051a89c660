// SPDX-License-Identifier: MIT
// Parameters on disk: what goes in comes out, bit for bit, on whatever device, at a known cost.
#include "d2l/safetensors.h"

#include <sys/stat.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "backend/cpu/host_memory.h"
#include "safetensors/file_test.h"
#include "safetensors/malformed_files.h"

namespace d2l::testing {
namespace {

using Safetensors = FileTest;

TEST_F(Safetensors, WhatGoesInComesOutOnEveryDevice) {
  const auto tensors = one_of_each();
  on_every_device([&](Device from) {
    StateDict there;
    for (const auto& item : tensors) there.insert(item.key(), item.value().to(from));
    save_file(there, path);
    on_every_device([&](Device to) {
      const auto loaded = load_file(path, to);
      EXPECT_EQ(difference(loaded, tensors), "");
      for (const auto& item : loaded) {
        EXPECT_EQ(item.value().device(), to);
        EXPECT_TRUE(item.value().numel() == 0 || placed(item.value()));
      }
    });
  });
  EXPECT_EQ(folder.files(), 1) << "no temporary file is left";
}

TEST_F(Safetensors, BytesAreAsTheFormatHasThem) {
  const StateDict tensors{{"b", tensor({1.0, 2.0})}, {"a", tensor({true, false})}, {"Z", tensor({{7, 8}})}};
  save_file(tensors, path, {{"made by", "d2l"}, {"\n", "\""}});
  const std::string header =
      R"({"__metadata__":{"\n":"\"","made by":"d2l"},"Z":{"dtype":"I64","shape":[1,2],"data_offsets":[0,16]},)"
      R"("b":{"dtype":"F32","shape":[2],"data_offsets":[16,24]},"a":{"dtype":"BOOL","shape":[2],"data_offsets":[24,26]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  const std::string data("\x07\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\x40\x01\0", 26);
  EXPECT_EQ(contents(path), file_of(header + padding, data));
}

TEST_F(Safetensors, AHeaderAloneIsReadForListing) {
  save_file({{"é.😀", zeros({2, 3})}, {"", full({}, 3)}}, path, {{"format", "pt"}});
  const SafetensorsFile file(path);
  EXPECT_EQ(file.path(), path);
  EXPECT_EQ(file.size(), 2U);
  EXPECT_EQ(file.keys(), (std::vector<std::string>{"", "é.😀"}));
  EXPECT_EQ(file.metadata(), (SafetensorsMetadata{{"format", "pt"}}));
  EXPECT_TRUE(file.contains(""));
  EXPECT_FALSE(file.contains("e"));
  const auto& info = file.info("é.😀");
  EXPECT_EQ(info.name, "é.😀");
  EXPECT_EQ(info.dtype, "F32");
  EXPECT_EQ(info.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(info.nbytes, 24);
  EXPECT_EQ(info.offset + info.nbytes, static_cast<std::int64_t>(contents(path).size()));
  expect_error<IndexError>([&] { return file.info("é"); },
                           "[SafetensorsFile] \"" + path + "\" has no tensor \"é\" (it has \"\", \"é.😀\")");
  EXPECT_EQ(file.tensor("").item<int>(), 3);
}

TEST_F(Safetensors, WellFormedFilesAreOpenedHoweverUnusual) {
  for (const auto& bytes : unusual_files()) {
    SCOPED_TRACE(bytes);
    write_contents(path, bytes);
    EXPECT_NO_THROW(SafetensorsFile{path});
  }
  write_contents(path, unusual_files()[7]);
  EXPECT_EQ(SafetensorsFile(path).keys(), (std::vector<std::string>{"early", "late"}));
  EXPECT_EQ(load_file(path)["late"].item<int>(), 'l');
}

TEST_F(Safetensors, ViewsAreSavedAsTheyLook) {
  on_every_device([&](Device device) {
    const auto base = arange(24.0, device).view({4, 6});
    const StateDict tensors{{"transposed", base.t()},
                            {"stepped", base.slice(1, 1, 6, 2)},
                            {"row", base[2]},
                            {"expanded", base.select(1, 3).unsqueeze(0).expand({3, 4})},
                            {"nothing", base.slice(0, 4)}};
    save_file(tensors, path);
    EXPECT_EQ(difference(load_file(path), tensors), "");
  });
}

TEST_F(Safetensors, LargeTensorsGoToDiskInPartsAndZerosTakeNoRoom) {
  const auto square = arange(2'250'000.0).view({1500, 1500});
  auto spotted = zeros({3 << 20});
  spotted[3'000'000] = 1.0;
  const StateDict tensors{{"transposed", stack({square, square + 1.0, square + 2.0}).permute({2, 0, 1})},
                          {"wide", square.view({1, 2'250'000}).expand({3, 2'250'000}).t()},
                          {"one_row", square.t().unsqueeze(0).expand({1, 1500, 1500})},
                          {"zeros", zeros({3 << 20})},
                          {"spotted", spotted}};
  save_file(tensors, path);
  EXPECT_EQ(difference(load_file(path), tensors), "");
  save_file({{"zeros", zeros({1}).expand({64 << 20})}}, path);
  EXPECT_EQ(std::filesystem::file_size(path), (std::size_t{256} << 20) + 8 + 80);
  struct stat found {};
  ASSERT_EQ(stat(path.c_str(), &found), 0);
  EXPECT_LT(found.st_blocks * 512, 1 << 20) << "zeros are holes";
  const auto loaded = load_file(path)["zeros"];
  EXPECT_EQ(loaded.numel(), 64 << 20);
  EXPECT_EQ(loaded.sum().item<double>(), 0);
}

TEST_F(Safetensors, AModelsParametersComeBackOntoAnyDevice) {
  const auto make = [] { return nn::Sequential(nn::Linear(4, 8), nn::ReLU(), nn::Linear(8, 2)); };
  on_every_device([&](Device from) {
    auto model = make();
    model->to(from);
    save_file(model->state_dict(), path);
    EXPECT_EQ(SafetensorsFile(path).keys(), (std::vector<std::string>{"0.bias", "0.weight", "2.bias", "2.weight"}));
    on_every_device([&](Device to) {
      auto again = make();
      again->to(to);
      again->load_state_dict(load_file(path, to));
      for (const auto& item : again->named_parameters()) {
        EXPECT_EQ(item.value().device(), to);
        EXPECT_TRUE(item.value().requires_grad());
        EXPECT_EQ(bytes_of(item.value().detach()), bytes_of(model->named_parameters()[item.key()].detach()));
      }
    });
  });
}

TEST_F(Safetensors, TensorsThatRecordGradientsAreSavedAsValues) {
  on_every_device([&](Device device) {
    const auto x = arange(6.0, device).view({2, 3}).clone().requires_grad_();
    const StateDict tensors{{"leaf", x}, {"result", x * 2}, {"view", x.t()}};
    save_file(tensors, path);
    const auto loaded = load_file(path, device);
    for (const auto& item : tensors) {
      EXPECT_FALSE(loaded[item.key()].requires_grad());
      EXPECT_EQ(bytes_of(loaded[item.key()]), bytes_of(item.value().detach()));
    }
  });
  const StateDict lazy{{"weight", nn::LazyLinear(3)->named_parameters()[0].value()}};
  expect_error<ValueError>([&] { save_file(lazy, path); }, "[save_file] the parameter \"weight\" has no shape yet");
}

TEST_F(Safetensors, CostsOneExplicitCopyForEachTensorOfAGpu) {
  if (num_gpus() == 0) GTEST_SKIP() << "this needs a GPU";
  for (int i = 0; i < num_gpus(); ++i) {
    const StateDict tensors{
        {"weight", ones({3, 4}, gpu(i))}, {"bias", ones({3}, gpu(i))}, {"empty", ones({0}, gpu(i))}};
    const TransferGuard guard(TransferGuard::disallow);
    TransferLedger ledger;
    save_file(tensors, path);
    EXPECT_EQ(ledger.copies(Direction::device_to_host), 2);
    EXPECT_EQ(ledger.copied_bytes(Direction::device_to_host), 60);
    EXPECT_EQ(ledger.implicit_copies(), 0);
    ledger.clear();
    const auto loaded = load_file(path, gpu(i));
    EXPECT_EQ(ledger.copies(Direction::host_to_device), 2);
    EXPECT_EQ(ledger.copied_bytes(Direction::host_to_device), 60);
    EXPECT_EQ(ledger.implicit_copies(), 0);
    EXPECT_EQ(ledger.synchronisations(), 0);
    for (const auto& entry : ledger.entries()) {
      EXPECT_TRUE(entry.kind != LedgerEntry::Kind::copy || entry.name == "load_file") << entry.name;
    }
    ledger.clear();
    EXPECT_EQ(SafetensorsFile(path).tensor("bias", gpu(i)).sum().cpu().item<double>(), 3);
    EXPECT_EQ(ledger.copied_bytes(Direction::host_to_device), 12);
  }
  const TransferLedger ledger;
  EXPECT_EQ(difference(load_file(path), load_file(path)), "");
  EXPECT_EQ(ledger.copies(), 0);
}

TEST_F(Safetensors, ADeviceThatIsNotThereIsRefusedBeforeTheFileIsRead) {
  const Device missing = gpu(num_gpus() + 1);
  expect_error<DeviceError>([&] { return load_file("/nonexistent", missing); }, missing.str());
  save_file({}, path);
  expect_error<DeviceError>([&] { return SafetensorsFile(path).tensor("a", missing); }, missing.str());
}

TEST_F(Safetensors, WhatCannotBeATensorHereIsListedAndRefusedByName) {
  write_contents(path, file_of(R"({"eighth":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]},)"
                               R"("whole":{"dtype":"U8","shape":[1],"data_offsets":[4,5]},)"
                               R"("deep":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[5,6]},)"
                               R"("flag":{"dtype":"BOOL","shape":[3],"data_offsets":[6,9]}})",
                               std::string("\0\0\0\0*+\x01\0\x02", 9)));
  const SafetensorsFile file(path);
  EXPECT_EQ(file.info("eighth").dtype, "F8_E4M3");
  EXPECT_EQ(file.tensor("whole").item<int>(), '*');
  expect_error<TypeError>(
      [&] { return file.tensor("eighth"); },
      "tensor \"eighth\" of \"" + path + "\" is F8_E4M3, and tensors here are F16, BF16, F32, F64, I32, I64, U8 or");
  expect_error<ShapeError>([&] { return file.tensor("deep"); }, "has 9 dimensions, and tensors here have up to 8");
  on_every_device([&](Device device) {
    expect_error<ConfigurationError>([&] { return file.tensor("flag", device); },
                                     "tensor \"flag\" is BOOL, and has 2 where 0 or 1 belongs (byte ");
    expect_error<TypeError>([&] { return load_file(path, device); }, "[load_file] tensor \"eighth\"");
  });
}

TEST_F(Safetensors, AFileThatChangesIsAnErrorAndNoCrash) {
  StateDict tensors{{"a", ones({100'000})}, {"b", ones({100'000})}};
  save_file(tensors, path);
  const SafetensorsFile file(path);
  EXPECT_EQ(file.tensor("b")[7].item<float>(), 1);
  std::filesystem::resize_file(path, 500'000);
  expect_error<ConfigurationError>([&] { return file.tensor("b"); },
                                   "has changed since it was opened: it is now shorter than its former 800");
  expect_error<ConfigurationError>([&] { return file.tensors(); }, "open it again");
  expect_error<ConfigurationError>([&] { return file.tensor("a"); }, "another program has written to it");
  // save_file puts another file in its place: a reader of the old file continues to read the old file.
  save_file(tensors, path);
  const SafetensorsFile old(path);
  tensors["a"] = zeros({5});
  save_file(tensors, path);
  EXPECT_EQ(old.tensor("a").numel(), 100'000);
  EXPECT_EQ(load_file(path)["a"].numel(), 5);
}

TEST_F(Safetensors, ThreadsThatReadAFileWhileItIsCutGetItsNumbersOrAnError) {
  constexpr std::int64_t count = 1 << 18;
  const StateDict tensors{{"x", ones({count})}};
  for (int round = 0; round < 10; ++round) {
    save_file(tensors, path);
    const SafetensorsFile file(path);
    std::atomic<int> whole{0};
    const auto read = [&] {
      try {
        for (int i = 0; i < 1000; ++i) {
          EXPECT_EQ(bytes_of(file.tensor("x")), bytes_of(tensors["x"]));
          ++whole;
        }
        ADD_FAILURE() << "the cut file was read without an error";
      } catch (const ConfigurationError& error) {
        EXPECT_NE(std::string(error.what()).find("has changed since it was opened"), std::string::npos) << error.what();
      }
    };
    std::vector<std::thread> threads(3);
    for (auto& thread : threads) thread = std::thread(read);
    while (whole < 4) std::this_thread::yield();
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(count + 100 * round));
    for (auto& thread : threads) thread.join();
  }
}

/// Writes a sparse file with tensors of `each` bytes, together `bytes` or a little more.
std::error_code write_zeros(const std::string& path, std::int64_t bytes, std::int64_t each) {
  std::string header = "{";
  std::int64_t place = 0;
  for (int i = 0; place < bytes; ++i, place += each) {
    header += (i == 0 ? "\"" : ",\"") + std::to_string(i) + R"(":{"dtype":"U8","shape":[)" + std::to_string(each) +
              R"(],"data_offsets":[)" + std::to_string(place) + "," + std::to_string(place + each) + "]}";
  }
  write_contents(path, file_of(header + "}"));
  std::error_code no_sparse_files;
  std::filesystem::resize_file(path, std::filesystem::file_size(path) + static_cast<std::uintmax_t>(place),
                               no_sparse_files);
  return no_sparse_files;
}

TEST_F(Safetensors, MoreThanTheMemoryHoldsIsRefusedBeforeAnythingIsAllocated) {
  const auto total = backend::host_memory::system_memory().total;
  // Tensors of 100 MiB, each of which would be allocated without a second look.
  if (const auto no_sparse_files = write_zeros(path, 2 * total, std::int64_t{100} << 20)) {
    GTEST_SKIP() << "no sparse file of " << 2 * total << " bytes here: " << no_sparse_files.message();
  }
  const auto before = memory_info(cpu()).requested;
  on_every_device([&](Device device) {
    expect_error<OutOfMemoryError>([&] { return load_file(path, device); }, "[load_file] the tensors of");
  });
  EXPECT_EQ(memory_info(cpu()).requested, before);
  EXPECT_EQ(SafetensorsFile(path).tensor("5")[1000].item<int>(), 0);
}

TEST_F(Safetensors, IdleMemoryOfThePoolCountsOnce) {
  if (num_gpus() == 0) GTEST_SKIP() << "needs a GPU";
  const auto total = memory_info(gpu()).total;
  static_cast<void>(empty({total / 4 * 3}, TensorOptions(kByte).device(gpu())));  // its memory stays in the pool
  synchronize(gpu());
  if (const auto no_sparse_files = write_zeros(path, total / 4 * 5, total / 8)) {
    GTEST_SKIP() << "no sparse file of " << total << " bytes here: " << no_sparse_files.message();
  }
  expect_error<OutOfMemoryError>([&] { return load_file(path, gpu()); }, "[load_file] the tensors of");
}

TEST_F(Safetensors, OneTensorBehindFourGibibytesTakesNoMoreThanItself) {
  const std::int64_t front = (std::int64_t{4} << 30) + 4096;
  write_contents(
      path, file_of(R"({"front":{"dtype":"F32","shape":[)" + std::to_string(front / 4) + R"(],"data_offsets":[0,)" +
                    std::to_string(front) + R"(]},"small":{"dtype":"U8","shape":[3],"data_offsets":[)" +
                    std::to_string(front) + "," + std::to_string(front + 3) + "]}}"));
  const auto header = std::filesystem::file_size(path);
  std::error_code no_sparse_files;
  std::filesystem::resize_file(path, header + static_cast<std::uintmax_t>(front), no_sparse_files);
  if (no_sparse_files) GTEST_SKIP() << "no sparse file of 4 GiB here: " << no_sparse_files.message();
  std::ofstream(path, std::ios::binary | std::ios::app) << "abc";
  const auto before = memory_info(cpu());
  const SafetensorsFile file(path);
  EXPECT_EQ(file.info("front").nbytes, front);
  EXPECT_EQ(bytes_of(file.tensor("small")), "abc");
  EXPECT_LT(memory_info(cpu()).reserved - before.reserved, 1 << 20);
}

}  // namespace
}  // namespace d2l::testing
