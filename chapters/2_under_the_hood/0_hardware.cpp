// SPDX-License-Identifier: MIT
// Section 2.0: what a card is made of, and whether memory or arithmetic limits an
// operation on it.
#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <string>
#include <vector>

#include "d2l/show.h"

using namespace d2l;

// %%
// # Hardware
//
// *Twenty minutes.* After this lesson you can name the parts of a card, and say how
// much each of them holds and how fast it is. From two numbers you can predict whether
// memory or arithmetic limits an operation, and how fast it can be at best.
//
// Why should you care? A T4 does up to 8.14 TFLOP/s, that is, 8.14 million million
// floating-point operations per second. A sum of two tensors reaches a third of a
// percent of that, and no better code would change it. A large matrix product comes
// close to the full rate, but only if it is written well. Before you write a kernel,
// you want to know which of the two cases you have.
//
// This lesson needs no GPU. It computes with the published figures of five cards, which
// `cards()` returns. `common/machine/src/cost_model/cards.cpp` names their sources. We
// print them as tables:

std::string text(double number, int digits = 0) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << number;
  return out.str();
}

// Aligned columns; the first row is the header.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::ostringstream out;
  for (const auto& row : rows) {
    if (&row != &rows.front()) out << "\n";
    out << std::left << std::setw(24) << row[0] << std::right;
    for (std::size_t i = 1; i < row.size(); ++i) {
      out << std::setw(static_cast<int>(std::max<std::size_t>(rows[0][i].size(), 7)) +
                       2)
          << row[i];
    }
  }
  return out.str();
}

// %%
// A sum of two float32 tensors reads 8 bytes and writes 4 bytes for each addition. The
// memory of a T4 transfers 320 GB per second.
//
// **Predict first.** How many additions per second can a T4 do, in billions?

int main() {
  show(text(card_named("T4").processor.memory_bandwidth / 12 / 1e9, 1) +
       " billion additions per second");

  // %%
  // The T4's arithmetic units could do 4070 billion, because the 8.14 TFLOP/s count a
  // multiplication and an addition in each cycle. So they are idle for 99.3 percent of
  // the time. To see why cards are built like that, look inside.
  //
  // ## Multiprocessors, warps and threads
  //
  // A card consists of *multiprocessors*. Each is a processor with its own registers,
  // its own small memory and its own arithmetic units: 64 or 128 units that do a
  // float32 multiplication and addition in each clock cycle. A program for a card, a
  // *kernel*, describes what one *thread* does. The card starts thousands of them, in
  // *blocks*. A block runs on one multiprocessor from its beginning to its end.
  //
  // A multiprocessor does not execute threads one by one. It executes *warps*: 32
  // threads that execute the same instruction together. That saves control logic, and
  // leaves room for arithmetic. It is also why a card is slow when the threads of a
  // warp take different branches: the warp then executes both.
  //
  // Many warps reside on a multiprocessor at the same time, each with registers of its
  // own. In each cycle it can continue with another warp, at no cost. The limits are
  // those of the CUDA C++ Programming Guide (table "Technical Specifications per
  // Compute Capability"; the *compute capability* is the version of a card's hardware,
  // for example 7.5 for a T4). The sizes of the memories are those of the data sheets:
  struct Limits {
    int threads;     // that reside on a multiprocessor
    int shared_kib;  // shared memory of a multiprocessor
    int memory_gb;   // device memory
  };
  // In the order of cards(): compute capabilities 7.5, 7.0, 8.9, 8.0 and 9.0.
  const std::vector<Limits> limits{{1024, 64, 16},
                                   {2048, 96, 16},
                                   {1536, 100, 8},
                                   {2048, 164, 40},
                                   {2048, 228, 141}};
  std::vector<std::vector<std::string>> rows{{"card", "multiprocessors",
                                              "float32 units", "resident warps",
                                              "resident threads"}};
  for (std::size_t i = 0; i < cards().size(); ++i) {
    // `cores` are the multiprocessors; each has 64 float32 units, or 128 where
    // `tiles_each` is 2.
    const Processor& processor = cards()[i].processor;
    rows.push_back({cards()[i].name, text(processor.cores),
                    text(processor.cores * 64 * processor.tiles_each),
                    text(processor.cores * limits[i].threads / 32.0),
                    text(processor.cores * limits[i].threads)});
  }
  show(table(rows));

  // %%
  // Even the laptop's card holds 36864 threads. Why so many, for 3072 units?
  //
  // ## Latency and bandwidth
  //
  // *Latency* is the time from a request until its answer. *Bandwidth* is how many
  // bytes arrive per second. A card has a large bandwidth, but a large latency too: a
  // read of device memory takes 200 ns or more (the table of latencies in section 13.4
  // of the book), which is hundreds of cycles. A thread that needs the value waits for
  // all of them.
  //
  // So how does the memory transfer 320 GB per second? Many requests must be under way
  // at the same time. In 200 ns, the memory of a T4 transfers 320e9 × 200e-9 = 64000
  // bytes. If fewer bytes than that are requested at a time, a part of the bandwidth is
  // not used. (The rule, number of items = rate × time, is Little's law.)
  //
  // **Predict first.** A thread requests one float32 and waits for it. How many threads
  // does each card need, so that its memory never waits? Are there that many?
  constexpr double latency = 200e-9;
  rows = {{"card", "GB/s", "bytes under way", "threads needed", "resident threads"}};
  for (std::size_t i = 0; i < cards().size(); ++i) {
    const Processor& processor = cards()[i].processor;
    const double bytes = processor.memory_bandwidth * latency;
    rows.push_back({cards()[i].name, text(processor.memory_bandwidth / 1e9),
                    text(bytes), text(bytes / 4),
                    text(processor.cores * limits[i].threads)});
  }
  show(table(rows));

  // %%
  // That is why a GPU needs tens of thousands of threads. While one warp waits, others
  // request. A CPU does the opposite: it has few threads, and large caches and
  // predictors that make each of them wait less. A tensor of a few hundred elements
  // cannot use a card, however fast the card is. On an H200, 240000 of the 270336
  // threads must wait for a float32 at the same time, so its threads should request
  // more than one number each.
  //
  // ## The memories of a card
  //
  // Memory is either small and near, or large and far. From the nearest to the
  // farthest:
  //
  // - *Registers* belong to one thread. Each multiprocessor has 65536 of them, of 4
  //   bytes.
  // - *Shared memory* belongs to one block. A kernel decides what it holds: it is a
  //   cache that you program. Section 2.5 is about it.
  // - The *L1 cache* of a multiprocessor keeps what its threads read. On these five
  //   cards, it and shared memory divide one memory between them.
  // - The *L2 cache* is shared by all multiprocessors: 4 MiB on a T4, 6 MiB on a V100,
  //   40 MiB on an A100 (the white papers). The hardware decides what both caches hold,
  //   not the kernel.
  // - *Device memory* is what the product page calls the card's memory. Tensors are
  //   there. It is outside the GPU's chip: on the board of a T4 or an RTX 4060, and
  //   beside the chip in the same package on a V100, an A100 or an H200.
  // - The *host's memory* is at the other end of a PCIe link. *PCIe* is the bus between
  //   a processor and its cards. Other cards are behind such a link, or behind
  //   *NVLink*, NVIDIA's faster link between cards.
  //
  // These are the sizes for a whole card:
  rows = {{"card", "registers MiB", "shared MiB", "device memory GB"}};
  for (std::size_t i = 0; i < cards().size(); ++i) {
    const int cores = cards()[i].processor.cores;
    rows.push_back({cards()[i].name, text(cores * 0.25, 1),
                    text(cores * limits[i].shared_kib / 1024.0, 1),
                    text(limits[i].memory_gb)});
  }
  show(table(rows));

  // %%
  // A card has more registers than shared memory, because each of its thousands of
  // threads needs some. Now the rates, in GB/s. Those of the links are for one
  // direction. For a card without NVLink, the table assumes that a copy to another card
  // goes through main memory, in two copies, at half the rate:
  rows = {{"card", "device memory", "to another card", "PCIe", "the host's memory"}};
  for (const Card& card : cards()) {
    rows.push_back({card.name, text(card.processor.memory_bandwidth / 1e9),
                    text(card.peer.bandwidth / 1e9, 1),
                    text(card.to_device.bandwidth / 1e9, 1),
                    text(card.host.processor.memory_bandwidth / 1e9, 1)});
  }
  show(table(rows));

  // %%
  // From device memory to PCIe, the rate falls to a twentieth on a T4, and to less than
  // a seventieth on an H200. That is why chapter 1 kept tensors on the card. In this
  // chapter they are there already, and the next level counts: how often a kernel reads
  // device memory.
  //
  // ## Arithmetic intensity
  //
  // How much arithmetic does an operation do with each byte? That number, operations
  // per byte, is its *arithmetic intensity*. You can derive it with pencil and paper:
  // count the elements that the operation must read and write, and the additions and
  // multiplications. The ledger has counted both since chapter 1. `work_of` adds them
  // up:
  manual_seed(5);
  const Device device = try_gpu();
  const Tensor x = rand({1000, 1000}, device);
  const Tensor y = rand({1000, 1000}, device);
  const Tensor tall = rand({1000, 10}, device);
  const Tensor wide = rand({10, 1000}, device);
  const Tensor small = rand({64, 64}, device);
  const Tensor large = rand({1024, 1024}, device);
  TransferLedger ledger;
  const auto work = [&](const std::string& name, const auto& operation) {
    ledger.clear();
    static_cast<void>(operation());
    return work_of(ledger, name);
  };
  const std::vector<Work> works{
      work("x + y", [&] { return x + y; }),
      work("x.log_softmax(1)", [&] { return x.log_softmax(1); }),
      work("tall by wide product", [&] { return tall.mm(wide); }),
      work("product of 64 by 64", [&] { return small.mm(small); }),
      work("product of 1024 by 1024", [&] { return large.mm(large); }),
  };
  rows = {{"operation", "bytes", "operations", "operations per byte"}};
  for (const Work& each : works) {
    rows.push_back({each.name, text(each.bytes), text(each.operations),
                    text(each.intensity(), 3)});
  }
  show(table(rows));

  // %%
  // Check the first row: a million additions, two million floats read and one million
  // written, 1 / 12 operations per byte. A product of two n × n matrices does 2n³
  // operations on 3n² floats, n / 6 per byte: its intensity grows with n, because each
  // element is used n times. (The ledger counts both operands, even where they are the
  // same tensor, as here.)
  //
  // ## The roofline
  //
  // A card with the bandwidth B and the peak P does at most min(P, B × intensity)
  // operations per second. For a small intensity the memory is the limit: the operation
  // is *bound by memory*. For a large one, the arithmetic is. The limit changes where
  // both are equal, at P / B operations per byte. That number is the *balance* of the
  // card:
  rows = {{"card", "GB/s", "TFLOP/s float32", "TFLOP/s float64", "balance float32",
           "balance float64"}};
  for (const Card& card : cards()) {
    rows.push_back({card.name, text(card.processor.memory_bandwidth / 1e9),
                    text(card.processor.float32 / 1e12, 2),
                    text(card.processor.float64 / 1e12, 2), text(balance(card), 1),
                    text(balance(card, kDouble), 1)});
  }
  show(table(rows));

  // %%
  // **Predict first.** Which of the five operations are bound by memory on an A100, and
  // which by arithmetic? What share of its 19.5 TFLOP/s can each reach at best?
  const Card& a100 = card_named("A100");
  for (const Work& each : works) {
    const double share = attainable(a100, each.intensity()) / a100.processor.float32;
    show(each.name + ": bound by " +
         (each.intensity() < balance(a100) ? "memory, " : "arithmetic, ") +
         text(100 * share, 1) + " percent");
  }

  // %%
  // Four of five are bound by memory, even two of the three products. Most operations
  // of a network are like the first two: elementwise functions, sums, softmax,
  // normalisation. For them, a card is as fast as its memory.
  //
  // Both axes of the picture are logarithmic. Each card is a roof: it rises with the
  // bandwidth and is flat at the peak. The numbered lines are our operations. A filled
  // mark says that memory is the limit, a hollow one that arithmetic is. It is a model:
  // it uses published figures, and no operation was timed.
  show_svg(roofline_svg(cards(), works), roofline_description(cards(), works));

  // %%
  // ## The same operation on either side
  //
  // Whether an operation is bound by memory is not a property of the operation alone.
  // It depends on the size, on the card, and on the dtype.
  //
  // **Predict first.** From which n on is a product of two n × n matrices bound by
  // arithmetic? On a T4, with its balance of 25.4? And in float64, where the elements
  // are twice as large?
  rows = {{"card", "float32", "float64"}};
  const auto smallest = [](const Card& card, ScalarType dtype) {
    const double limit = balance(card, dtype);
    const auto intensity = [&](double n) {
      return 2 * n * n * n / (3 * n * n * static_cast<double>(elementSize(dtype)));
    };
    double n = 1;
    while (intensity(n) < limit) ++n;
    return text(n);
  };
  for (const Card& card : cards())
    rows.push_back({card.name, smallest(card, kFloat), smallest(card, kDouble)});
  show(table(rows));

  // %%
  // A product of 128 × 128 in float32 is bound by arithmetic on a V100, an A100 and an
  // H200, and by memory on the other two. In float64 it is the other way round on all
  // but the V100. For the A100 and the H200 the table has the float64 peak of their
  // tensor cores, units that multiply small matrices; without these it is half as
  // large. A T4 does float64 at a thirty-second of its float32 rate, so even a product
  // of 10 × 10 keeps its few float64 units busy. The ledger confirms n = 128:
  const Tensor middle = rand({128, 128}, device);
  const Work product = work("product of 128 by 128", [&] { return middle.mm(middle); });
  for (const char* name : {"T4", "A100"}) {
    const bool by_memory = product.intensity() < balance(card_named(name));
    show(name + std::string(by_memory ? ": bound by memory" : ": bound by arithmetic"),
         product.intensity());
  }

  // %%
  // ## A second roof
  //
  // Tensor cores multiply numbers of 16 bits, float16 or bfloat16, much faster than the
  // float32 units multiply theirs, and add the products up in float32. Networks are
  // trained and used with such numbers, and section 5.3 writes a kernel
  // for tensor cores. The bandwidth is the same, and the elements are half as large.
  //
  // **Predict first.** The tensor cores of an A100 are 16 times as fast as its float32
  // units. Is a product of 128 × 128 in float16 bound by memory or by arithmetic? From
  // which n on does arithmetic bound it?
  rows = {{"card", "TFLOP/s float16", "times float32", "balance", "smallest product"}};
  for (const Card& card : cards()) {
    const Processor& processor = card.processor;
    rows.push_back({card.name, text(processor.float16 / 1e12, 1),
                    text(processor.float16 / processor.float32, 1),
                    text(balance(card, kHalf), 1), smallest(card, kHalf)});
  }
  show(table(rows));

  // %%
  // On the RTX 4060 Laptop nothing changes: twice the rate, and half the bytes. On the
  // other cards the roof rises more than the bytes fall, so a product must be four to
  // eight times as large as in float32 before arithmetic is the limit. Below that, 16
  // bits still help: they halve the bytes, and with them the time. (Tensor cores also
  // take float32 numbers, rounded to 11 significant bits. That is TF32, and an A100
  // does 156 TFLOP/s with it.)
  //
  // ## How to get higher
  //
  // The intensity above counts each element once. A kernel decides how often it
  // *really* reads an element. The simplest kernel for a product gives one result to
  // each thread. The thread reads a row of one matrix and a column of the other, so all
  // threads together read 2n³ floats instead of 2n².
  //
  // **Predict first.** For n = 1024: how many times as many bytes? What is left of the
  // 19.5 TFLOP/s of an A100?
  const double n = 1024;
  const Work simple{"simple product", 4 * (2 * n * n * n + n * n), 2 * n * n * n};
  const Work& best = works.back();
  show("bytes: " + text(simple.bytes / best.bytes, 1) + " times as many");
  show("intensity: " + text(simple.intensity(), 2) + " instead of " +
       text(best.intensity(), 1));
  show("A100: at most " + text(attainable(a100, simple.intensity()) / 1e12, 2) +
       " instead of " + text(attainable(a100, best.intensity()) / 1e12, 1) +
       " TFLOP/s");

  // %%
  // The factor is (2n³ + n²) / 3n² = (2n + 1) / 3 = 683. The operation and the result
  // are the same, at a fiftieth of the rate. (A cache makes it less bad, but you cannot
  // count on it.) Section 2.5 keeps parts of both matrices in shared memory, and so
  // divides the reads by the width of a tile.
  //
  // Elementwise operations have nothing to reuse. But two of them can become one.
  // `x * 2 + y` is two launches: the first writes a million floats, and the second
  // reads them again.
  const Work two_launches = work("two launches", [&] { return x * 2 + y; });
  const Work one_launch{"one launch", 12e6, two_launches.operations};
  for (const Work& each : {two_launches, one_launch}) {
    show(each.name + ": " + text(each.bytes / 1e6) + " MB, " +
         text(1e6 * min_seconds(a100, each), 1) + " microseconds on an A100 at least");
  }

  // %%
  // One launch would read x and y once and write the result: 12 bytes per element
  // instead of 20. Section 2.3 does that. Both cases follow the same rule: *if memory
  // bounds an operation, moving fewer bytes makes it faster; computing less does not.*
  //
  // ## What the roofline leaves out
  //
  // The roofline is an upper bound. It assumes that all multiprocessors are busy, that
  // the requests of a warp use whole *sectors* of memory, pieces of 32 bytes (section
  // 2.4), and that a launch costs nothing. `product_seconds` replays a product with the
  // latency of its launch. The product is computed in *tiles* of 64 × 64 results, one
  // at a time on each multiprocessor (two on an RTX 4060 Laptop and on an H200).
  //
  // **Predict first.** The product of 64 × 64 is almost bound by arithmetic on an A100.
  // How close does it get to its bound?
  rows = {{"product on an A100", "bound, microseconds", "replayed"}};
  for (const std::int64_t size : {64, 1024, 8192}) {
    const auto m = static_cast<double>(size);
    const Work any{"product", 12 * m * m, 2 * m * m * m};
    rows.push_back({text(m), text(1e6 * min_seconds(a100, any), 2),
                    text(1e6 * product_seconds(a100, gpu(0), size), 2)});
  }
  show(table(rows));

  // %%
  // It is not close at all. The host needs 6 microseconds to issue the launch and to
  // wait, and the single tile keeps one of 108 multiprocessors busy for 3.6. The third
  // case, after memory and arithmetic, is *bound by latency*: too little work. For a
  // large product, the replay takes a quarter longer than the bound: no card reaches
  // its published rates, and the replay uses four fifths of them. The product of 1024 ×
  // 1024 has 256 tiles. 108 multiprocessors compute them in three rounds, and 68 are
  // idle in the last one.
  //
  // ## Measured
  //
  // On a card you can measure how much of the bandwidth a sum reaches. This number is
  // not modelled. Expect about four fifths of the published rate.
  if (num_gpus() > 0 && device_properties(gpu(0)).kind == DeviceKind::physical_gpu) {
    const Tensor a = rand({1 << 26}, gpu(0));
    const Tensor b = rand({1 << 26}, gpu(0));
    const Timing timing = measure([&] { static_cast<void>(a + b); });
    show_measured(12.0 * (1 << 26) / timing.median / 1e9, "GB/s", 1, 1e5,
                  "a sum on cuda:0");
  } else {
    show("There is no card here to measure; virtual GPUs would measure this computer.");
  }

  // %%
  // ## What to try next
  //
  // - Derive the intensity of `x.sum()`, `x.relu()` and of the product of `x` and a
  //   vector. Then let the ledger check them.
  // - Copy a card and change it: what would the balance of an H200 be with the memory
  //   of a T4?
  // - Which operations of section 1.3's network are bound by arithmetic? With which
  //   batch size?
  // - Exercise 2.0 asks for such predictions as a function. `./learn next 2.0` shows
  //   the task.
}
