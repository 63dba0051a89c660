// SPDX-License-Identifier: MIT
// Occupancy by hand, and against the header with which NVIDIA computes it.
#include "d2l/occupancy.h"

#include <gtest/gtest.h>

#include <climits>

#include "d2l/error.h"
#include "expect_error.h"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define D2L_HAS_NVIDIAS_OCCUPANCY
#elif __has_include(<../cuda_occupancy.h>)  // beside CCCL's headers
#include <../cuda_occupancy.h>
#define D2L_HAS_NVIDIAS_OCCUPANCY
#endif

namespace d2l {
namespace {

using testing::expect_error;

unsigned blocks(const char* card, unsigned threads, unsigned registers, std::size_t shared_bytes) {
  return occupancy(multiprocessor_limits(card), threads, registers, shared_bytes).blocks;
}

TEST(Occupancy, IsLimitedByBlocksThreadsRegistersOrSharedMemory) {
  EXPECT_EQ(blocks("A100", 32, 16, 0), 32U);     // 32 warps of 64
  EXPECT_EQ(blocks("A100", 256, 32, 0), 8U);     // 2048 / 256
  EXPECT_EQ(blocks("A100", 256, 64, 0), 4U);     // 65536 / (256 · 64)
  EXPECT_EQ(blocks("A100", 256, 65, 0), 3U);     // 72 for each thread of a warp: 7 warps in a quarter, 28 in all
  EXPECT_EQ(blocks("A100", 64, 16, 41984), 3U);  // 164 KiB / (41 + 1) KiB
  EXPECT_EQ(blocks("T4", 64, 16, 16384), 4U);    // 64 KiB / 16 KiB
  const Occupancy found = occupancy(multiprocessor_limits("RTX 4060 Laptop"), 256, 40, 20 * 1024);
  EXPECT_EQ(found.by_threads, 6U);
  EXPECT_EQ(found.by_registers, 6U);
  EXPECT_EQ(found.by_shared_memory, 4U);
  EXPECT_EQ(found.warps, 32U);
  EXPECT_DOUBLE_EQ(found.share, 32.0 / 48);
}

TEST(Occupancy, IsZeroIfABlockDoesNotFit) {
  EXPECT_EQ(blocks("T4", 1024, 128, 0), 0U);
  EXPECT_EQ(blocks("V100", 128, 32, 97 * 1024), 0U);
  EXPECT_EQ(blocks("V100", 128, 32, 96 * 1024), 1U);
}

TEST(Occupancy, WrongArgumentsSayWhatIsAllowed) {
  expect_error<ValueError>([] { return multiprocessor_limits("H100"); }, "\"H100\". Use one of \"V100\" (\"7.0\")");
  for (const unsigned threads : {0U, 1025U}) {
    expect_error<ValueError>([&] { return blocks("T4", threads, 16, 0); }, "1 to 1024");
  }
  expect_error<ValueError>([] { return blocks("T4", 32, 256, 0); }, "at most 255 registers");
}

#ifdef D2L_HAS_NVIDIAS_OCCUPANCY
unsigned nvidias_blocks(const MultiprocessorLimits& limits, unsigned threads, unsigned registers,
                        std::size_t shared_bytes) {
  cudaOccDeviceProp card;
  card.computeMajor = limits.compute_capability[0] - '0';
  card.computeMinor = limits.compute_capability[2] - '0';
  card.maxThreadsPerBlock = 1024;
  card.maxThreadsPerMultiprocessor = static_cast<int>(limits.threads);
  card.regsPerBlock = card.regsPerMultiprocessor = static_cast<int>(limits.registers);
  card.warpSize = 32;
  card.sharedMemPerBlock = 48 * 1024;
  card.sharedMemPerMultiprocessor = limits.shared_memory;
  card.numSms = 1;
  card.sharedMemPerBlockOptin = limits.shared_memory_of_block;
  card.reservedSharedMemPerBlock = limits.reserved;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = INT_MAX;
  kernel.numRegs = static_cast<int>(registers);
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  kernel.maxDynamicSharedSizeBytes = limits.shared_memory_of_block;
  cudaOccDeviceState state;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  cudaOccResult result{};
  EXPECT_EQ(
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &card, &kernel, &state, static_cast<int>(threads), shared_bytes),
      CUDA_OCC_SUCCESS);
  return static_cast<unsigned>(result.activeBlocksPerMultiprocessor);
}
#endif

TEST(Occupancy, EqualsNvidias) {
#ifdef D2L_HAS_NVIDIAS_OCCUPANCY
  for (const char* const card : {"V100", "T4", "A100", "RTX 4060 Laptop", "H200"}) {
    const MultiprocessorLimits& limits = multiprocessor_limits(card);
    for (unsigned threads = 1; threads <= 1024; threads += 31) {
      for (unsigned registers = 1; registers <= 255; registers += 6) {
        for (std::size_t shared_bytes = 0; shared_bytes <= limits.shared_memory_of_block; shared_bytes += 4999) {
          ASSERT_EQ(occupancy(limits, threads, registers, shared_bytes).blocks,
                    nvidias_blocks(limits, threads, registers, shared_bytes))
              << card << ", " << threads << " threads, " << registers << " registers, " << shared_bytes << " bytes";
        }
      }
    }
  }
#else
  GTEST_SKIP() << "needs cuda_occupancy.h of the CUDA toolkit";
#endif
}

}  // namespace
}  // namespace d2l
