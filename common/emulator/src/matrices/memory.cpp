// SPDX-License-Identifier: MIT
// Loads and stores of matrices by the lanes of a warp. The requests are those of the code that nvcc makes of wmma.load
// and wmma.store for compute capability 8.0.
#include <algorithm>
#include <cstdint>
#include <cstring>

#include "d2l_emulator/device_math.h"
#include "d2l_emulator/matrices/products.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "matrices/access.h"

namespace d2l::emulator {
namespace {

struct MemoryWork : WarpWork {
  const void* memory;
  unsigned stride;
  const void* caller;
  bool complete;  ///< no lane has ended, as one does whose access is wrong
};

void run_memory(WarpWork* const* by_lane) {
  const MemoryWork* first = nullptr;
  bool complete = true;
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    const auto* const own = static_cast<const MemoryWork*>(by_lane[lane]);
    complete = complete && own != nullptr;
    if (first == nullptr) first = own;
    if (own != nullptr && (own->memory != first->memory || own->stride != first->stride))
      report_wrong_argument(FaultKind::check, "different arguments",
                            "lanes of the warp give different addresses or distances of rows", own->caller);
  }
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    if (by_lane[lane] != nullptr) static_cast<MemoryWork*>(by_lane[lane])->complete = complete || !is_checked();
  }
}

/// One matrix in memory, seen by one lane.
class Mapping {
 public:
  Mapping(const MatrixInMemory& matrix, const void* memory, unsigned stride)
      : matrix_(matrix), memory_(reinterpret_cast<std::uintptr_t>(memory)), stride_(stride) {}

  [[nodiscard]] const MatrixBlocks& blocks() const { return matrix_.blocks; }
  /// The bytes of a register.
  [[nodiscard]] unsigned register_bytes() const {
    return static_cast<unsigned>(bits_of(matrix_.element) * blocks().run) / 8;
  }
  [[nodiscard]] unsigned element_bytes() const { return static_cast<unsigned>(bits_of(matrix_.element)) / 8; }
  [[nodiscard]] std::uintptr_t address(int row, int column) const {
    const auto major = static_cast<std::uintptr_t>(matrix_.by_row ? row : column);
    const auto minor = static_cast<std::uintptr_t>(matrix_.by_row ? column : row);
    return memory_ + (major * stride_ + minor) * static_cast<unsigned>(bits_of(matrix_.element)) / 8;
  }
  /// The address of an element that this lane has.
  [[nodiscard]] std::uintptr_t own_address(int number, int i) const {
    const auto [row, column] = blocks().origin(number);
    return address(row + lane() / 4, column + lane() % 4 * blocks().run + i);
  }
  [[nodiscard]] bool by_row() const { return matrix_.by_row; }
  /// Rows of 16 bytes, as ldmatrix loads them.
  [[nodiscard]] bool has_rows() const {
    return register_bytes() == 4 && matrix_.element != MatrixElement::bf16 && element_bytes() < 4 &&
           (by_row() || element_bytes() == 2);
  }

  /// Tells about the requests of this lane.
  void access(bool store, const void* caller) const {
    for (int number = 0; number < blocks().registers(); ++number) {
      if (by_row()) {
        access_by_function(pointer(own_address(number, 0)), register_bytes(), store, caller);
      } else if (element_bytes() == 2) {  // lanes exchange them, so that each accesses 4 bytes
        const auto [row, column] = blocks().origin(number);
        access_by_function(pointer(address(row + lane() % 4 * 2, column + lane() / 4)), 4, store, caller);
      } else {
        for (int i = 0; i < blocks().run; ++i)
          access_by_function(pointer(own_address(number, i)), element_bytes(), store, caller);
      }
    }
  }

  /// Calls copy(offset in what this lane has, address, bytes) for all that this lane has.
  template <class Copy>
  void for_each_part(Copy copy) const {
    for (int number = 0; number < blocks().registers(); ++number) {
      const std::size_t begin = register_bytes() * static_cast<std::size_t>(number);
      if (by_row()) {
        copy(begin, pointer(own_address(number, 0)), register_bytes());
        continue;
      }
      for (int i = 0; i < blocks().run; ++i)
        copy(begin + element_bytes() * static_cast<std::size_t>(i), pointer(own_address(number, i)), element_bytes());
    }
  }

  [[nodiscard]] static void* pointer(std::uintptr_t address) {
    return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr): an address
  }

 private:
  const MatrixInMemory& matrix_;
  std::uintptr_t memory_;
  unsigned stride_;
};

/// A matrix must begin at a multiple of 256 bits, and the distance of its rows be a multiple of 16 bytes: less is right
/// where a row has less.
void check_arguments(const MatrixInMemory& matrix, const void* memory, unsigned stride, const MatrixCall& call) {
  const auto bits = static_cast<unsigned>(bits_of(matrix.element));
  const int length = matrix.by_row ? matrix.blocks.columns : matrix.blocks.rows;
  const unsigned alignment = std::min(32U, bits * static_cast<unsigned>(length) / 8U);
  if (reinterpret_cast<std::uintptr_t>(memory) % alignment != 0) {
    stop_at_wrong_argument(FaultKind::misaligned_address, "misaligned",
                           alignment == 32   ? "the address of the matrix is no multiple of 32 bytes (256 bits)"
                           : alignment == 16 ? "the address of the matrix is no multiple of 16 bytes"
                                             : "the address of the matrix is no multiple of 8 bytes",
                           call.caller);
  }
  if (std::uint64_t{stride} * bits % (std::uint64_t{8} * std::min(16U, alignment)) != 0) {
    stop_at_wrong_argument(FaultKind::check, "wrong leading dimension",
                           alignment > 8 ? "the distance of rows or columns is no multiple of 16 bytes"
                                         : "the distance of rows or columns is no multiple of 8 bytes",
                           call.caller);
  }
}

/// As many registers at once as one instruction loads.
void load_as_rows(const Mapping& from, void* own, const MatrixCall& call) {
  const MatrixBlocks& blocks = from.blocks();
  const int together = blocks.stack == 1 ? std::min(4, blocks.registers()) : blocks.in_stack();
  for (int begin = 0; begin < blocks.registers(); begin += together) {
    const auto [row, column] = blocks.origin(begin + lane() / 8 % together);
    const std::uintptr_t address =
        from.by_row() ? from.address(row + lane() % 8, column) : from.address(row, column + lane() % 8);
    load_rows(together, !from.by_row(), static_cast<unsigned*>(own) + begin, Mapping::pointer(address), call);
  }
}

bool meet(const void* memory, unsigned stride, const MatrixInMemory& matrix, const MatrixCall& call) {
  // In the code of a template for each type of matrix, so that the address stands for it.
  MemoryWork work{{&run_memory, call.name, &matrix}, memory, stride, call.caller, false};
  warp_work(work, call.place);
  return work.complete;
}

}  // namespace

void load_matrix(const MatrixInMemory& matrix, void* own, const void* memory, unsigned stride, const MatrixCall& call) {
  if (running_worker() == nullptr) return;
  if (is_checked()) check_arguments(matrix, memory, stride, call);
  const Mapping from(matrix, memory, stride);
  if (from.has_rows() && running_worker()->is_shared(memory)) {
    if (is_checked() && !meet(memory, stride, matrix, call)) return;  // compares the arguments
    return load_as_rows(from, own, call);
  }
  from.access(false, call.caller);
  if (!meet(memory, stride, matrix, call)) return;
  from.for_each_part([own](std::size_t offset, const void* address, unsigned bytes) {
    std::memcpy(static_cast<char*>(own) + offset, address, bytes);
  });
}

void store_matrix(const MatrixInMemory& matrix, const void* own, void* memory, unsigned stride,
                  const MatrixCall& call) {
  if (running_worker() == nullptr) return;
  if (is_checked()) check_arguments(matrix, memory, stride, call);
  const Mapping to(matrix, memory, stride);
  to.access(true, call.caller);
  if (!meet(memory, stride, matrix, call)) return;
  to.for_each_part([own](std::size_t offset, void* address, unsigned bytes) {
    std::memcpy(address, static_cast<const char*>(own) + offset, bytes);
  });
}

}  // namespace d2l::emulator
