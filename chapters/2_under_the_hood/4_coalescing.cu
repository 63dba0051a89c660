// SPDX-License-Identifier: MIT
// Section 2.4: how the accesses of a warp become sectors of memory: rows and columns,
// offsets, strides, vectors, structures.
#include <string>
#include <vector>

#include "d2l/cost_model.h"
#include "d2l/kernel_report.h"
#include "d2l/show.h"
#include "d2l/stream.h"

using namespace d2l;

// %%
// # Coalescing
//
// *Twenty minutes.* After this lesson you can say how many bytes a card really fetches
// for an access of your kernel, and choose an order of the threads, or of the data, for
// which it fetches no more than needed.
//
// Most kernels are bound by memory, as section 2.0 showed: what counts is how many
// bytes move. But a card does not move single floats. The 32 threads of a warp run the
// same instruction together. If it is a load, the hardware collects their 32 addresses
// into one *request*, and fetches every *sector* that contains at least one of them. A
// sector is 32 bytes, at an address that is a multiple of 32. So a request for 32
// floats may need 4 sectors, or 32. If neighbouring threads use neighbouring addresses,
// the accesses *coalesce*.
//
// ## Rows and columns
//
// Two kernels copy a matrix. In the first one, neighbouring threads have neighbouring
// columns, in the second one, neighbouring rows. Matrices are stored row by row.

__global__ void copy_along_rows(const float* from, float* to, int n) {
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  to[row * n + column] = from[row * n + column];
}

__global__ void copy_along_columns(const float* from, float* to, int n) {
  const int row = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int column = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  to[row * n + column] = from[row * n + column];
}

// %%
// Both are launched with the same number of threads, and each thread copies one
// element. On a CPU, the order of the loops over rows and columns matters because of
// the cache. Here no thread has a loop.
//
// **Predict first.** The blocks have 32 by 8 threads. How many sectors does a request
// of each of the two kernels touch? How many times as many does the second one fetch?
// The other kernels are for later; `main` begins with these two.

__global__ void copy_with_offset(const float* from, float* to, int offset) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  to[i] = from[i + offset];
}

__global__ void copy_with_stride(const float* from, float* to, int stride) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  to[i] = from[i * stride];
}

__global__ void copy_vectors(const float4* from, float4* to) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  to[i] = from[i];
}

/// A point as a structure of three floats.
struct Point {
  float x, y, z;
};

__global__ void heights_of_points(const Point* points, float* heights) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  heights[i] = points[i].z;
}

int main() {
  manual_seed(4);
  const Device device = gpu(0);
  constexpr int n = 128;
  const Tensor matrix = rand({n, n}).to(device);
  Tensor copy = zeros({n, n}, device);
  const dim3 block(32, 8);
  const dim3 grid(n / 32, n / 8);
  /// The entries of the ledger for `work`.
  const auto entries_of = [](const auto& work) {
    const TransferLedger ledger;
    work();
    synchronize();
    return ledger.entries();
  };
  const auto rows = entries_of([&] {
    copy_along_rows<<<grid, block, 0, stream(device)>>>(matrix.data_ptr<float>(),
                                                        copy.data_ptr<float>(), n);
  });
  show(equal(copy, matrix));
  const auto columns = entries_of([&] {
    copy_along_columns<<<grid, block, 0, stream(device)>>>(matrix.data_ptr<float>(),
                                                           copy.data_ptr<float>(), n);
  });
  show(equal(copy, matrix));
  show(counts_of(rows).load_requests, counts_of(rows).load_sectors);
  show(counts_of(columns).load_requests, counts_of(columns).load_sectors);

  // %%
  // (A card counts nothing, so there the numbers are 0.) Along the rows, the 32 floats
  // of a request are 128 neighbouring bytes, 4 sectors per request. Along the columns
  // each thread needs a sector of its own, 32 per request: 8 times as many bytes, for
  // the same copy. The stores do the same. The pictures show the load of one warp,
  // along the rows and along the columns: each lane, and the sectors that the lanes
  // touch. What the threads ask for is blue.
  show_kernel_report(
      [&] {
        copy_along_rows<<<grid, block, 0, stream(device)>>>(matrix.data_ptr<float>(),
                                                            copy.data_ptr<float>(), n);
      },
      "from");
  show_kernel_report(
      [&] {
        copy_along_columns<<<grid, block, 0, stream(device)>>>(
            matrix.data_ptr<float>(), copy.data_ptr<float>(), n);
      },
      "from");

  // %%
  // What does that cost on a card? The model of section 1.2.3 counts 32 bytes for each
  // sector. It has no cache, which would keep some of the sectors until the next column
  // needs them, if there is room. It uses four fifths of the 320 GB/s. The two times
  // are in nanoseconds; the copies move 4096 and 32768 sectors, loads and stores
  // together.
  if (counts_of(rows).load_sectors > 0) {
    Card card = card_named("T4");
    card.launch_latency = 0;  // which would hide the rest of so small a copy
    const auto nanoseconds = [&](const std::vector<LedgerEntry>& entries) {
      const LedgerEntry kernel = replay(entries, card).timeline.front();
      return kernel.ended - kernel.began;
    };
    show(replay(rows, card).label());
    show(nanoseconds(rows), nanoseconds(columns));
  } else {
    show(
        "Without counts there is nothing to model. To get them: "
        "D2L_VIRTUAL_GPUS=1@host ./learn run 2.4");
  }

  // %%
  // A model is not a measurement. On a machine with a card, this cell times both
  // kernels on a matrix of 268 MB, and the library's copy for comparison. A copy does
  // nothing but move bytes, so its rate is what the memory allows.
  if (device_properties(device).kind == DeviceKind::physical_gpu) {
    constexpr int large = 8192;
    const Tensor from = rand({large, large}, device);
    Tensor to = zeros({large, large}, device);
    const dim3 blocks(large / 32, large / 8);
    const auto rate_of = [&](const char* name, const auto& work) {
      show_measured(2 * static_cast<double>(from.nbytes()) / measure(work).median / 1e9,
                    "GB/s", 1, 1e5, name);
    };
    rate_of("the library's copy", [&] { to.copy_(from); });
    rate_of("along the rows", [&] {
      copy_along_rows<<<blocks, block, 0, stream(device)>>>(
          from.data_ptr<float>(), to.data_ptr<float>(), large);
    });
    rate_of("along the columns", [&] {
      copy_along_columns<<<blocks, block, 0, stream(device)>>>(
          from.data_ptr<float>(), to.data_ptr<float>(), large);
    });
  } else {
    show("There is no card here to measure; virtual GPUs would measure this computer.");
  }

  // %%
  // ## Offsets and strides
  //
  // Not all accesses can be perfect. If an array does not begin where a sector begins,
  // or if each thread reads the element after its own, a warp's 128 bytes lie across
  // five sectors instead of four. That is 25 percent more. But the fifth sector is
  // usually in the cache, since the next warp needs it too.
  //
  // **Predict first.** With a stride s, thread i reads element s * i. How many sectors
  // does a request touch for the strides 1, 2, 4, 8 and 16?
  const Tensor numbers = rand({16 * 1024}).to(device);
  Tensor result = zeros({1024}, device);
  const auto sectors_per_request = [&](const auto& work) {
    const KernelCounts counts = counts_of(work);
    return counts.load_requests == 0 ? 0.0
                                     : static_cast<double>(counts.load_sectors) /
                                           static_cast<double>(counts.load_requests);
  };
  show(sectors_per_request([&] {
    copy_with_offset<<<4, 256, 0, stream(device)>>>(numbers.data_ptr<float>(),
                                                    result.data_ptr<float>(), 1);
  }));
  std::vector<double> by_stride;
  for (const int stride : {1, 2, 4, 8, 16}) {
    by_stride.push_back(sectors_per_request([&] {
      copy_with_stride<<<4, 256, 0, d2l::stream(device)>>>(
          numbers.data_ptr<float>(), result.data_ptr<float>(), stride);
    }));
  }
  show(by_stride);

  // %%
  // The number of sectors grows with the stride until each thread has its own. From 8
  // on it cannot get worse: of 32 fetched bytes 4 are used.
  //
  // ## More bytes for each thread
  //
  // On these five cards, a thread can load up to 16 bytes with one instruction.
  // `float4` is a structure of four floats that must lie at a multiple of 16 bytes. A
  // warp then asks for 512 neighbouring bytes:
  const auto vectors = counts_of([&] {
    copy_vectors<<<1, 256, 0, stream(device)>>>(
        reinterpret_cast<const float4*>(numbers.data_ptr<float>()),
        reinterpret_cast<float4*>(result.data_ptr<float>()));
  });
  show(vectors.load_requests, vectors.load_sectors, vectors.load_bytes);

  // %%
  // 8 requests fetch 128 sectors, 16 each, and all 4096 bytes are used. So the number
  // of sectors per request alone does not say whether an access is good. Compare the
  // bytes of the sectors with the bytes that the threads asked for. This kernel moves
  // as many bytes as one that loads floats, with a quarter of the requests and of the
  // instructions.
  //
  // ## Structures
  //
  // The most common stride does not look like one. A program keeps points as structures
  // of three floats, and a kernel needs the z of each. Thread i reads the float 3 * i +
  // 2:
  const auto points = counts_of([&] {
    heights_of_points<<<4, 256, 0, stream(device)>>>(
        reinterpret_cast<const Point*>(numbers.data_ptr<float>()),
        result.data_ptr<float>());
  });
  show(points.load_sectors, 32 * points.load_sectors, points.load_bytes);

  // %%
  // It fetches 12288 bytes to use 4096: all three coordinates, because they share the
  // sectors. If most kernels need one coordinate at a time, a *structure of arrays* is
  // better: one array for all x, one for all y, one for all z. A tensor with a row for
  // each coordinate is just that, and a tensor with a row for each point is an array of
  // structures. If a kernel needs all coordinates of a `Point`, it makes three loads,
  // and each touches all sectors; only a cache helps. A structure like `float4` takes
  // one load.
  //
  // ## What to try next
  //
  // - Change the block of the two copies to 8 by 32 threads, and the grid to
  //   `dim3(n / 8, n / 32)`. A warp is then four rows of 8. How many sectors does a
  //   request touch now?
  // - Copy with an offset of 8. Why is that as good as no offset?
  // - `./learn cuda` with `--report` shows the requests and sectors of each line of a
  //   program. Try it with a kernel of yours.
  // - In exercise 2.4 (`./learn next 2.4`) you turn an array of structures into a
  //   structure of arrays. Both the loads and the stores must be coalesced.
}
