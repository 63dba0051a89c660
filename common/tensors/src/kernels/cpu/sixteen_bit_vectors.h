// SPDX-License-Identifier: MIT
// Loops over numbers of 16 bits with instructions of x86-64: AVX2, and F16C, which converts halves. Counts are
// multiples of 16. Results are those of the loops for any processor.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/operations.h"
#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace d2l::backend::kernels {

using SumTotals = std::array<double, 8>;

#if defined(__x86_64__)

#define D2L_VECTORS __attribute__((target("avx2,f16c"), noinline))
#define D2L_VECTORS_INLINE inline __attribute__((target("avx2,f16c"), always_inline))

/// Whether the processor has the instructions.
inline bool converts_vectors() {
  static const bool converts = [] {
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __builtin_cpu_supports("avx2") != 0 && __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
  }();
  return converts;
}

/// Whether one of sixteen numbers is a NaN.
D2L_VECTORS_INLINE bool has_nan(__m256 low, __m256 high) {
  return _mm256_movemask_ps(_mm256_cmp_ps(low, high, _CMP_UNORD_Q)) != 0;
}

/// Halves: eight are loaded, sixteen are stored.
struct HalfRegisters {
  static D2L_VECTORS_INLINE __m256 load(const std::uint16_t* from) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  }
  static D2L_VECTORS_INLINE void store(std::uint16_t* to, __m256 low, __m256 high) {
    constexpr int nearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    __m256i bits = _mm256_set_m128i(_mm256_cvtps_ph(high, nearest), _mm256_cvtps_ph(low, nearest));
    // The instruction keeps bits of a NaN. Here each has the same, and its sign.
    if (has_nan(low, high)) [[unlikely]] {
      const __m256i magnitudes = _mm256_and_si256(bits, _mm256_set1_epi16(0x7FFF));
      const __m256i nan = _mm256_cmpgt_epi16(magnitudes, _mm256_set1_epi16(0x7C00));
      const __m256i sign = _mm256_andnot_si256(_mm256_set1_epi16(0x7FFF), bits);
      bits = _mm256_blendv_epi8(bits, _mm256_or_si256(sign, _mm256_set1_epi16(0x7E00)), nan);
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), bits);
  }
};

/// bfloat16, likewise.
struct BFloat16Registers {
  static D2L_VECTORS_INLINE __m256 load(const std::uint16_t* from) {
    const __m256i bits = _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(bits, 16));
  }
  static D2L_VECTORS_INLINE void store(std::uint16_t* to, __m256 low, __m256 high) {
    __m256i rounded_low = rounded(low);
    __m256i rounded_high = rounded(high);
    if (has_nan(low, high)) [[unlikely]] {
      rounded_low = with_nan(rounded_low, low);
      rounded_high = with_nan(rounded_high, high);
    }
    // Packing works in each half of a register.
    const __m256i packed = _mm256_packus_epi32(rounded_low, rounded_high);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_permute4x64_epi64(packed, 0b11'01'10'00));
  }

 private:
  static D2L_VECTORS_INLINE __m256i rounded(__m256 eight) {
    const __m256i bits = _mm256_castps_si256(eight);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    return _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7FFF)), odd), 16);
  }
  static D2L_VECTORS_INLINE __m256i with_nan(__m256i rounded, __m256 eight) {
    const __m256 nan = _mm256_cmp_ps(eight, eight, _CMP_UNORD_Q);
    return _mm256_blendv_epi8(rounded, _mm256_set1_epi32(0x7FC0), _mm256_castps_si256(nan));
  }
};

template <class Registers>
struct Vectors {
  D2L_VECTORS static void widen(float* to, const std::uint16_t* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 8) _mm256_storeu_ps(to + i, Registers::load(from + i));
  }
  D2L_VECTORS static void narrow(std::uint16_t* to, const float* from, std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 16)
      Registers::store(to + i, _mm256_loadu_ps(from + i), _mm256_loadu_ps(from + i + 8));
  }
  template <Operation operation>
  D2L_VECTORS static void combine(std::uint16_t* to, const std::uint16_t* a, const std::uint16_t* b,
                                  std::int64_t count) {
    for (std::int64_t i = 0; i < count; i += 16) {
      const __m256 low = combined<operation>(Registers::load(a + i), Registers::load(b + i));
      const __m256 high = combined<operation>(Registers::load(a + i + 8), Registers::load(b + i + 8));
      Registers::store(to + i, low, high);
    }
  }
  D2L_VECTORS static void add_block(SumTotals& totals, const std::uint16_t* from, std::int64_t count) {
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (std::int64_t i = 0; i < count; i += 32) {
      for (std::int64_t k = 0; k < 4; ++k) sums[k] = _mm256_add_ps(sums[k], Registers::load(from + i + 8 * k));
    }
    const __m256 sum = _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
    const __m256d low = _mm256_cvtps_pd(_mm256_castps256_ps128(sum));
    const __m256d high = _mm256_cvtps_pd(_mm256_extractf128_ps(sum, 1));
    _mm256_storeu_pd(totals.data(), _mm256_add_pd(_mm256_loadu_pd(totals.data()), low));
    _mm256_storeu_pd(totals.data() + 4, _mm256_add_pd(_mm256_loadu_pd(totals.data() + 4), high));
  }

 private:
  template <Operation operation>
  static D2L_VECTORS_INLINE __m256 combined(__m256 x, __m256 y) {
    if constexpr (operation == Operation::add) return _mm256_add_ps(x, y);
    if constexpr (operation == Operation::sub) return _mm256_sub_ps(x, y);
    if constexpr (operation == Operation::mul) return _mm256_mul_ps(x, y);
    if constexpr (operation == Operation::div) return _mm256_div_ps(x, y);
  }
};

using HalfVectors = Vectors<HalfRegisters>;
using BFloat16Vectors = Vectors<BFloat16Registers>;

#else

inline bool converts_vectors() { return false; }

/// Never called for more than 0 elements.
struct NoVectors {
  static void widen(float* /*to*/, const std::uint16_t* /*from*/, std::int64_t /*count*/) {}
  static void narrow(std::uint16_t* /*to*/, const float* /*from*/, std::int64_t /*count*/) {}
  template <Operation operation>
  static void combine(std::uint16_t* /*to*/, const std::uint16_t* /*a*/, const std::uint16_t* /*b*/,
                      std::int64_t /*count*/) {}
  static void add_block(SumTotals& /*totals*/, const std::uint16_t* /*from*/, std::int64_t /*count*/) {}
};
using HalfVectors = NoVectors;
using BFloat16Vectors = NoVectors;

#endif

}  // namespace d2l::backend::kernels
