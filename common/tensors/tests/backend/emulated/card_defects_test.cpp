// SPDX-License-Identifier: MIT
// The CUDA backend on emulated cards: lost cards, foreign memory, memory of slices, and the cost of small operations.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/emulated/new_process.h"
#include "d2l/testing.h"
#include "d2l_emulator/awkward.h"
#include "gtest/gtest.h"
#include "library.h"
#include "temporary_folder.h"

namespace d2l::backend {
namespace {

using emulator::awkward;
using tests::rig;
using tests::throws;

class CardDefects : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("D2L_EMULATED_CARDS", "2:512MiB", 0);
    if (cuda_backend().device_count() == 0) GTEST_SKIP() << "needs an emulated card";
  }
};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}
bool contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  std::fprintf(stderr, "\"%s\" does not contain \"%s\"\n", text.c_str(), part.c_str());
  return false;
}

TEST_F(CardDefects, LoseAllTheirSlicesByAFatalError) {
  EXPECT_IN_NEW_PROCESS([] {
    const int cards = cuda_backend().device_count();
    const tests::CardRig slices(make_card_slices(2 * cards, std::int64_t{32} << 20));
    void* const memory = slices.filled(0, 10, 1);
    slices->synchronize(0);
    awkward().next_launch = cudaErrorIllegalAddress;
    if (!throws<FatalDeviceError>([&] { slices.fill(0, memory, 10, 2); })) return false;
    const std::string other = message_of([&] { slices->allocate(cards, 4); });  // another slice of the same card
    const bool others_work = cards == 1 || slices->allocate(1, 4) != nullptr;
    return contains(other, "illegal memory access") && contains(other, "every slice of its card") && others_work;
  });
}

TEST_F(CardDefects, AreLostForMemoryOfTheHost) {
  EXPECT_IN_NEW_PROCESS([] {
    float on_the_host = 5;
    rig().fill(0, &on_the_host, 1, 6);
    const std::string message = message_of([] { cuda_backend().synchronize(0); });
    return contains(message, "belongs to the host") && on_the_host == 5 &&
           throws<FatalDeviceError>([] { cuda_backend().allocate(0, 4); });
  });
}

TEST_F(CardDefects, AreLostByAFatalErrorOfEachKindOfLaunch) {
  EXPECT_IN_NEW_PROCESS([] {
    const Tensor x = ones({100'000}, gpu(0));
    awkward().next_launch = cudaErrorIllegalAddress;
    return throws<FatalDeviceError>([&] { static_cast<void>(x.sum()); }) &&
           throws<FatalDeviceError>([&] { static_cast<void>(x + 1); });
  });
}

TEST_F(CardDefects, CountTheMemoryOfKernelsAndOfCublasForSlices) {
  EXPECT_IN_NEW_PROCESS([] {
    setenv("D2L_VIRTUAL_GPUS", "1:128MiB", 1);
    const Tensor x = ones({64, 64}, gpu(0));
    const std::int64_t before = memory_info(gpu(0)).used;
    static_cast<void>(matmul(x, x));
    synchronize();
    const std::int64_t workspace = memory_info(gpu(0)).used - before;
    if (workspace < (4 << 20) || workspace > (8 << 20)) return false;
    std::vector<Tensor> rest;  // all but less than a mebibyte
    while (memory_info(gpu(0)).free > (1 << 20)) {
      rest.push_back(empty({(memory_info(gpu(0)).free - (1 << 19)) / 4}, gpu(0)));
    }
    const Tensor strided = rest[0].slice(0, 0, 2 * 1024 * 1024).view({1024, 2048}).slice(1, 0, 2048, 2);
    return throws<OutOfMemoryError>([&] { static_cast<void>(matmul(strided, strided)); });
  });
}

TEST_F(CardDefects, TakeNoMemoryOfThePoolForSmallResults) {
  if (std::getenv("D2L_NO_CUDA_MEMORY_CACHING") != nullptr) GTEST_SKIP() << "no block is used again";
  EXPECT_IN_NEW_PROCESS([] {
    const Tensor x = ones({2, 3}, gpu(0));
    static_cast<void>(x + 1);
    const std::int64_t before = emulator::pool_allocations();
    for (int i = 0; i < 10; ++i) static_cast<void>(x + 1);
    return emulator::pool_allocations() == before && (x + 1).sum().item<float>() == 12;
  });
}

TEST_F(CardDefects, ReturnCachedBlocksWhenMemoryRunsOut) {
  EXPECT_IN_NEW_PROCESS([] {
    setenv("D2L_VIRTUAL_GPUS", "1:64MiB", 1);
    {
      std::vector<Tensor> small;
      for (int i = 0; i < 60; ++i) small.push_back(ones({1 << 18}, gpu(0)));  // 1 MiB each
    }
    return empty({60, 1 << 18}, gpu(0)).defined();
  });
}

TEST_F(CardDefects, SumLargeTensorsWithTwoLaunches) {
  EXPECT_IN_NEW_PROCESS([] {
    const Tensor x = ones({1 << 20}, gpu(0));
    const std::int64_t before = emulator::launches();
    const Tensor sum = x.sum();
    const std::int64_t launches = emulator::launches() - before;
    return sum.item<float>() == 1 << 20 && launches <= 2;
  });
}

TEST_F(CardDefects, ReduceRowsOfAllLengthsAndAlignments) {
  EXPECT_IN_NEW_PROCESS([] {
    for (const std::int64_t count : {1023, 1024, 1025, 2051, 70'001, 300'003}) {
      for (const std::int64_t first : {0, 1, 3}) {
        const Tensor host = (rand({3, count + first}) * 97 - 31).to(kLong).to(kFloat);
        const Tensor x = host.to(gpu(0)).slice(1, first).contiguous();
        const Tensor y = host.slice(1, first);
        const auto [values, indices] = x.max(1);
        const auto [host_values, host_indices] = y.max(1);
        const bool right =
            x.sum(1).cpu().equal(y.sum(1)) && values.cpu().equal(host_values) && indices.cpu().equal(host_indices) &&
            x.to(kLong).sum(1).cpu().equal(y.to(kLong).sum(1)) &&
            x.to(kByte).sum().item<std::int64_t>() == y.to(kByte).sum().item<std::int64_t>() &&
            x.reshape({-1}).slice(0, 1).sum().item<float>() == y.reshape({-1}).slice(0, 1).sum().item<float>();
        if (!right) {
          std::fprintf(stderr, "%ld elements from %ld\n", static_cast<long>(count), static_cast<long>(first));
          return false;
        }
      }
    }
    return true;
  });
}

TEST_F(CardDefects, SumExactlyWhereFloatsWouldOverflow) {
  EXPECT_IN_NEW_PROCESS([] {
    const Tensor large = full({4096}, 3e38, gpu(0));
    Tensor x = zeros({4096}, gpu(0));
    x.copy_(large);
    x.slice(0, 1, 4096, 2).mul_(-1);
    const Tensor halves = ones({4096}, gpu(0));
    Tensor nan = ones({4096}, gpu(0));
    nan.slice(0, 7, 8).fill_(std::nan(""));
    const Tensor mean = large.mean();
    return x.sum().item<float>() == 0 && std::isnan(nan.sum().item<float>()) && halves.sum().item<float>() == 4096 &&
           mean.item<float>() == 3e38F;
  });
}

TEST_F(CardDefects, LoadFilesWithoutWaiting) {
  EXPECT_IN_NEW_PROCESS([] {
    const tests::TemporaryFolder folder;
    const std::string path = folder / "weights.safetensors";
    StateDict saved;
    for (const char* name : {"a", "b", "c"}) saved.insert(name, arange(2.0 * (1 << 20)));  // 8 MiB
    save_file(saved, path);
    const TransferLedger warming_up;  // measures the clock
    static_cast<void>(load_file(path, gpu(0)));
    synchronize();
    for (int i = 0; i < 2; ++i) {  // creates the pinned memory, for all chunks at once
      emulator::stall(0, true);
      static_cast<void>(load_file(path, gpu(0)));
      emulator::stall(0, false);
      synchronize();
    }
    const TransferLedger ledger;
    const std::int64_t before = emulator::blocking_calls();
    const StateDict loaded = load_file(path, gpu(0));
    const bool waited = emulator::blocking_calls() != before || ledger.synchronisations() != 0;
    const bool counted = ledger.copies(Direction::host_to_device) == 3;
    return !waited && counted && loaded["c"].cpu().equal(saved["c"]);
  });
}

TEST_F(CardDefects, LoadTensorsThatAreLargerThanTheChunks) {
  EXPECT_IN_NEW_PROCESS([] {
    const tests::TemporaryFolder folder;
    const std::string path = folder / "weights.safetensors";
    StateDict saved;
    saved.insert("a", arange(11.0 * (1 << 20) + 3));
    save_file(saved, path);
    return load_file(path, gpu(0))["a"].cpu().equal(saved["a"]);
  });
}

TEST_F(CardDefects, RoundFactorsOnlyIfThePrecisionAllowsIt) {
  EXPECT_IN_NEW_PROCESS([] {
    const Tensor x = full({64, 64}, 1.0 + 1.0 / 4096, gpu(0));  // TF32 has ten bits after the point
    const Tensor one = ones({64, 64}, gpu(0));
    const auto first = [&] { return matmul(x, one)[0][0].item<float>(); };
    const float exact = 64 * (1.0F + 1.0F / 4096);
    if (get_float32_matmul_precision() != "highest" || first() != exact) return false;
    set_float32_matmul_precision("high");
    if (get_float32_matmul_precision() != "high" || first() != 64) return false;
    if (matmul(x.to(kDouble), one.to(kDouble))[0][0].item<double>() != static_cast<double>(exact)) return false;
    set_float32_matmul_precision("highest");
    return first() == exact;
  });
}

}  // namespace
}  // namespace d2l::backend
