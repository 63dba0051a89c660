// SPDX-License-Identifier: MIT
// The cards, from published data. A rate is the maker's, for one direction of a link. A peak is that of the units that
// cuBLAS uses for the dtype: for float32 without tensor cores, because TF32 rounds; for float64 with the tensor cores
// of the A100 and the H200. The peak for float16 is that of tensor cores with sums in float32, without sparsity.
#include <fmt/format.h>

#include <algorithm>

#include "d2l/cost_model.h"
#include "d2l/error.h"

namespace d2l {
namespace {

/// Programs reach about four fifths of the published rates: 12 of 15.75 GB/s over PCIe 3 (CUDA C++ Best Practices
/// Guide 12.9, May 2025, "Pinned Memory"), 55.6 of 63 GB/s over PCIe 5 (example output of NVIDIA's nvbandwidth), 376 of
/// 450 GB/s over NVLink 4 (NVIDIA/nccl issue 1264); the latter two read in November 2026.
constexpr double reached = 0.8;
/// Launches of an empty kernel follow each other every 3 µs (NVIDIA developer forum, topic 233645, read in November
/// 2026).
constexpr double launch = 3e-6;
/// A cudaMemcpyAsync of a few bytes takes 5 to 7 µs (Wu et al., DualPath, arXiv:2602.21548, February 2026,
/// section 5.2).
constexpr double copy = 6e-6;
/// The time of a smaller call and of waking up is not published; these are estimates, as are the pageable bandwidths.
constexpr double call = 1e-6;
constexpr double wake = 3e-6;

constexpr double pcie3 = 15.75e9;  // x16, one direction: 8 GT/s × 16 × 128/130 / 8 (PCI-SIG, PCI Express 3.0, 2010)
constexpr double pcie4 = 2 * pcie3;
constexpr double pcie5 = 4 * pcie3;

/// Cards without a direct link copy through the host: two copies, one after the other.
constexpr Link through_host(double bandwidth) { return {2 * copy, bandwidth / 2}; }

// A multiprocessor has 64 units for float32, or 128 if tiles_each is 2 (white papers of Turing, Volta, Ampere GA100,
// Ada and Hopper). The peak of a host is cores × clock × operations per cycle: 32 with two AVX2 units (Broadwell, Zen
// 2, Zen 4), 64 with two AVX-512 units (Sapphire Rapids), half of it in float64.

/// One core, two threads, Broadwell at 2.2 GHz: googlecolab/colabtools issue 1937, March 2021; a virtual machine, in
/// which calls take longer. The memory bandwidth is an estimate for one core.
Host colab() { return {"Colab's Xeon, 2 vCPUs", {1, 1, 70.4e9, 35.2e9, 15e9}, 5e-6, 1.5e-6, 5e-6, 5e9}; }
/// AWS p3.8xlarge: 16 cores of a Xeon E5-2686 v4 at 2.7 GHz (AWS News Blog on P3, October 2017), DDR4-2400 × 4.
Host p3() { return {"Xeon E5-2686 v4, 16 cores", {16, 1, 1.38e12, 0.69e12, 76.8e9}, launch, call, wake, 6e9}; }
/// 8 cores at 3.8 GHz, DDR5-5600 × 2 (AMD's product page of the Ryzen 7 7840HS, 2023).
Host laptop() { return {"Ryzen 7 7840HS, 8 cores", {8, 1, 973e9, 486e9, 89.6e9}, launch, call, wake, 10e9}; }
/// DGX A100: two EPYC 7742 of 64 cores at 2.25 GHz, DDR4-3200 × 8 each (NVIDIA DGX A100 data sheet, 2020).
Host dgx_a100() { return {"two EPYC 7742, 128 cores", {128, 1, 9.2e12, 4.6e12, 409.6e9}, launch, call, wake, 8e9}; }
/// Two Xeon Platinum 8480C of 56 cores at 2.0 GHz, DDR5-4800 × 8 each (NVIDIA's system of MLPerf Inference 4.1, 2024).
Host dgx_h200() {
  return {"two Xeon Platinum 8480C, 112 cores", {112, 1, 14.3e12, 7.2e12, 614.4e9}, launch, call, wake, 10e9};
}

Card card(const char* name, const Processor& processor, double host_bandwidth, Link peer, Host host) {
  const Link link{copy, host_bandwidth};
  return {name, processor, launch, link, link, peer, reached, std::move(host)};
}

}  // namespace

const std::vector<Card>& cards() {
  static const std::vector<Card> table{
      // Tesla T4, 70 W, as on Colab: 40 multiprocessors, 320 GB/s, 8.1 TFLOP/s, 1/32 of it in float64, PCIe 3 x16
      // (NVIDIA T4 data sheet; Jia et al., arXiv:1903.07486, March 2019); 65 TFLOP/s in float16.
      card("T4", {40, 1, 8.14e12, 254e9, 320e9, 65e12}, pcie3, through_host(pcie3), colab()),
      // Tesla V100 SXM2 16 GB: 80 multiprocessors, 900 GB/s, 15.7 and 7.8 TFLOP/s, six NVLinks of 25 GB/s in each
      // direction, two of them between neighbours, 125 TFLOP/s in float16 (NVIDIA Tesla V100 data sheet and white
      // paper,
      // 2017).
      card("V100", {80, 1, 15.7e12, 7.8e12, 900e9, 125e12}, pcie3, {copy, 50e9}, p3()),
      // GeForce RTX 4060 Laptop: 24 multiprocessors of 128 at 1.89 GHz (1.47 to 2.37 depending on the laptop), 1/64 in
      // float64, 256 GB/s, PCIe 4 x8 (NVIDIA GeForce RTX 40 laptop specifications, January 2023). Tensor cores do 512
      // operations a cycle on each multiprocessor in float16 (NVIDIA Ada white paper: 165.2 TFLOP/s of an RTX 4090).
      card("RTX 4060 Laptop", {24, 2, 11.6e12, 181e9, 256e9, 23.2e12}, pcie3, through_host(pcie3), laptop()),
      // A100 SXM4 40 GB: 108 multiprocessors, 1555 GB/s, 19.5 TFLOP/s in float32, and in float64 with tensor cores,
      // 312 in float16, NVLink 600 GB/s for both directions, PCIe 4 x16 (NVIDIA A100 data sheet, 2020).
      card("A100", {108, 1, 19.5e12, 19.5e12, 1555e9, 312e12}, pcie4, {copy, 300e9}, dgx_a100()),
      // H200 SXM 141 GB: 132 multiprocessors, 4.8 TB/s, 67 TFLOP/s in float32, and in float64 with tensor cores, 989 in
      // float16 (1979 with sparsity), NVLink 900 GB/s for both directions, PCIe 5 x16 (NVIDIA H200 data sheet, 2023).
      card("H200", {132, 2, 67e12, 67e12, 4.8e12, 989e12}, pcie5, {copy, 450e9}, dgx_h200()),
  };
  return table;
}

const Card& card_named(std::string_view name) {
  const auto& table = cards();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Card& card) { return card.name == name; });
  if (found != table.end()) return *found;
  std::string names;
  for (const auto& card : table) names += (names.empty() ? "\"" : ", \"") + card.name + "\"";
  throw ValueError(fmt::format("[card_named] there is no card \"{}\". Use one of {}, or fill in a Card", name, names));
}

}  // namespace d2l
