// SPDX-License-Identifier: MIT
#include "libraries/cufft_layout.h"

#include <complex>
#include <map>

#include "libraries/fourier.h"

namespace d2l::emulator {
namespace {

using Number = FourierTransform::Number;

/// Calls function(x, y, z, i) for all places, with their number i.
template <class Function>
void for_each_place(const FftSizes& sizes, const Function& function) {
  std::size_t i = 0;
  for (std::size_t x = 0; x < sizes[0]; ++x) {
    for (std::size_t y = 0; y < sizes[1]; ++y) {
      for (std::size_t z = 0; z < sizes[2]; ++z) function(x, y, z, i++);
    }
  }
}

/// The transform of numbers in several dimensions: one dimension after another.
class DenseTransform {
 public:
  explicit DenseTransform(const FftSizes& sizes) : sizes_(sizes) {
    for (const std::size_t size : sizes) {
      if (!by_size_.contains(size)) by_size_.emplace(size, FourierTransform(size));
    }
  }
  void apply(std::vector<Number>& data, bool inverse) const {
    std::size_t step = 1;
    for (std::size_t dimension = 3; dimension-- > 0; step *= sizes_[dimension]) {
      const std::size_t size = sizes_[dimension];
      if (size == 1) continue;
      for (std::size_t begin = 0; begin < data.size(); begin += step * size) {
        for (std::size_t i = begin; i < begin + step; ++i) apply(&data[i], step, by_size_.at(size), inverse);
      }
    }
  }

 private:
  static void apply(Number* first, std::size_t step, const FourierTransform& transform, bool inverse) {
    if (step == 1) return transform.apply(first, inverse);
    std::vector<Number> row(transform.length());
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = first[i * step];
    transform.apply(row.data(), inverse);
    for (std::size_t i = 0; i < row.size(); ++i) first[i * step] = row[i];
  }
  FftSizes sizes_;
  std::map<std::size_t, FourierTransform> by_size_;
};

template <class Real>
Number read(const Real* pair) {
  return {static_cast<double>(pair[0]), static_cast<double>(pair[1])};
}
template <class Real>
void write(Real* pair, Number value) {
  pair[0] = static_cast<Real>(value.real());
  pair[1] = static_cast<Real>(value.imag());
}

/// For each transform: reads its numbers, transforms them, writes them.
template <class Read, class Write>
void run(const FftTransforms& all, const Read& read_all, const Write& write_all) {
  const DenseTransform transform(all.sizes);
  std::vector<Number> data(all.sizes[0] * all.sizes[1] * all.sizes[2]);
  for (std::size_t number = 0; number < all.batch; ++number) {
    read_all(data, number * all.in.distance);
    transform.apply(data, all.inverse);
    write_all(data, number * all.out.distance);
  }
}

}  // namespace

FftLayout FftLayout::dense(const FftSizes& sizes, std::size_t row) {
  return {sizes, {sizes[0], sizes[1], row}, 1, sizes[0] * sizes[1] * row};
}

LibraryMemory memory_of(const void* begin, const FftLayout& layout, std::size_t batch, std::size_t number_bytes,
                        LibraryUse use) {
  const std::size_t run = layout.stride == 1 ? layout.sizes[2] : 1;  // numbers one after another
  FftSizes runs = layout.sizes;
  runs[2] /= run;
  LibraryMemory memory{begin, {}, use};
  for (std::size_t number = 0; number < batch; ++number) {
    for_each_place(runs, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t) {
      const std::size_t first = number * layout.distance + layout.place(x, y, z);
      memory.ranges.push_back({first * number_bytes, run * number_bytes});
    });
  }
  return memory;
}

template <class Real>
void FftTransforms::complex_to_complex(const Real* from, Real* to) const {
  const auto read_all = [&](std::vector<Number>& data, std::size_t begin) {
    for_each_place(sizes, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t i) {
      data[i] = read(from + 2 * (begin + in.place(x, y, z)));
    });
  };
  run(*this, read_all, [&](const std::vector<Number>& data, std::size_t begin) {
    for_each_place(sizes, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t i) {
      write(to + 2 * (begin + out.place(x, y, z)), data[i]);
    });
  });
}

template <class Real>
void FftTransforms::real_to_complex(const Real* from, Real* to) const {
  const auto read_all = [&](std::vector<Number>& data, std::size_t begin) {
    for_each_place(sizes, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t i) {
      data[i] = static_cast<double>(from[begin + in.place(x, y, z)]);
    });
  };
  run(*this, read_all, [&](const std::vector<Number>& data, std::size_t begin) {
    for_each_place(out.sizes, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t) {
      write(to + 2 * (begin + out.place(x, y, z)), data[(x * sizes[1] + y) * sizes[2] + z]);
    });
  });
}

template <class Real>
void FftTransforms::complex_to_real(const Real* from, Real* to) const {
  const auto read_all = [&](std::vector<Number>& data, std::size_t begin) {
    for_each_place(sizes, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t i) {
      if (z < in.sizes[2]) {
        data[i] = read(from + 2 * (begin + in.place(x, y, z)));
        return;
      }
      // The other half is the conjugate of the number at the opposite place.
      const auto opposite = [&](std::size_t at, std::size_t dimension) {
        return (sizes[dimension] - at) % sizes[dimension];
      };
      data[i] = std::conj(read(from + 2 * (begin + in.place(opposite(x, 0), opposite(y, 1), opposite(z, 2)))));
    });
  };
  run(*this, read_all, [&](const std::vector<Number>& data, std::size_t begin) {
    for_each_place(sizes, [&](std::size_t x, std::size_t y, std::size_t z, std::size_t i) {
      to[begin + out.place(x, y, z)] = static_cast<Real>(data[i].real());
    });
  });
}

template void FftTransforms::complex_to_complex(const float* from, float* to) const;
template void FftTransforms::complex_to_complex(const double* from, double* to) const;
template void FftTransforms::real_to_complex(const float* from, float* to) const;
template void FftTransforms::real_to_complex(const double* from, double* to) const;
template void FftTransforms::complex_to_real(const float* from, float* to) const;
template void FftTransforms::complex_to_real(const double* from, double* to) const;

}  // namespace d2l::emulator
