// SPDX-License-Identifier: MIT
// ldmatrix, stmatrix and movmatrix: a warp loads and stores matrices of 8 rows with 16 bytes each.
#include <array>
#include <cstdint>
#include <cstring>

#include "d2l_emulator/matrices/products.h"
#include "execution/current.h"
#include "execution/worker.h"
#include "matrices/access.h"

namespace d2l::emulator {
namespace {

constexpr std::size_t rows_in_matrix = 8;
constexpr unsigned row_bytes = 16;

struct RowsWork : WarpWork {
  std::byte* row;
  unsigned* registers;
  unsigned count;
  const std::byte* part;  ///< what this lane accesses: with 32 lanes, all rows
};

/// Where the first or the second element of a register is in its matrix.
struct ElementPlace {
  unsigned row;
  unsigned column;
};
ElementPlace place_in_matrix(unsigned lane, unsigned element, bool transposed) {
  const unsigned along = lane % 4 * 2 + element;
  return transposed ? ElementPlace{along, lane / 4} : ElementPlace{lane / 4, along};
}

template <bool store, bool transposed>
void run_rows(WarpWork* const* by_lane) {
  unsigned count = 0;
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    if (by_lane[lane] != nullptr) count = static_cast<const RowsWork*>(by_lane[lane])->count;
  }
  const auto row_of = [&](std::size_t lane) {
    return by_lane[lane] == nullptr ? nullptr : static_cast<const RowsWork*>(by_lane[lane])->row;
  };
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    auto* const own = static_cast<RowsWork*>(by_lane[lane]);
    if (own == nullptr) continue;
    const unsigned part = lane * 4 * count;
    std::byte* const begin = row_of(part / row_bytes);
    own->part = begin == nullptr ? nullptr : begin + part % row_bytes;
    for (unsigned matrix = 0; matrix < count; ++matrix) {
      std::array<std::uint16_t, 2> both{};
      std::memcpy(both.data(), &own->registers[matrix], sizeof both);
      for (unsigned i = 0; i < 2; ++i) {
        const auto [row, column] = place_in_matrix(lane, i, transposed);
        std::byte* const memory = row_of(matrix * rows_in_matrix + row);
        if constexpr (store) {
          if (memory != nullptr) std::memcpy(memory + 2 * std::size_t{column}, &both[i], 2);
        } else {
          both[i] = 0;
          if (memory != nullptr) std::memcpy(&both[i], memory + 2 * std::size_t{column}, 2);
        }
      }
      if constexpr (!store) std::memcpy(&own->registers[matrix], both.data(), sizeof both);
    }
  }
}

template <bool store>
void exchange_rows(int count, bool transposed, unsigned* registers, void* row, const MatrixCall& call) {
  Worker* const worker = running_worker();
  if (worker == nullptr) return;
  constexpr AccessKind kind = store ? AccessKind::write : AccessKind::read;
  if (static_cast<unsigned>(lane()) < rows_in_matrix * static_cast<unsigned>(count)) {
    check_access(row, row_bytes, kind, call.caller);
    if (is_checked() && !worker->is_shared(row))
      stop_at_wrong_argument(FaultKind::illegal_address, "not shared memory",
                             "the address of a row is not one of shared memory", call.caller);
  }
  static constexpr char kinds[5]{};  // by count
  RowsWork work{{transposed ? &run_rows<store, true> : &run_rows<store, false>, call.name, &kinds[count]},
                static_cast<std::byte*>(row),
                registers,
                static_cast<unsigned>(count),
                nullptr};
  warp_work(work, call.place);
  if (work.part != nullptr) count_access(work.part, 4 * static_cast<std::size_t>(count), kind, call.caller);
}

struct TransposeWork : WarpWork {
  unsigned before;
  unsigned after;
};

void run_transpose(WarpWork* const* by_lane) {
  std::array<std::uint16_t, rows_in_matrix * rows_in_matrix> matrix{};
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    if (by_lane[lane] == nullptr) continue;
    std::memcpy(matrix.data() + std::size_t{lane} * 2, &static_cast<const TransposeWork*>(by_lane[lane])->before, 4);
  }
  for (unsigned lane = 0; lane < matrix_lanes; ++lane) {
    if (by_lane[lane] == nullptr) continue;
    std::array<std::uint16_t, 2> both{};
    for (unsigned i = 0; i < 2; ++i) both[i] = matrix[(lane % 4 * 2 + i) * rows_in_matrix + lane / 4];
    std::memcpy(&static_cast<TransposeWork*>(by_lane[lane])->after, both.data(), sizeof both);
  }
}

}  // namespace

void load_rows(int count, bool transposed, unsigned* registers, const void* row, const MatrixCall& call) {
  exchange_rows<false>(count, transposed, registers, const_cast<void*>(row), call);
}

void store_rows(int count, bool transposed, const unsigned* registers, void* row, const MatrixCall& call) {
  exchange_rows<true>(count, transposed, const_cast<unsigned*>(registers), row, call);
}

unsigned transpose_matrix(unsigned own, const MatrixCall& call) {
  TransposeWork work{{&run_transpose, call.name, nullptr}, own, own};
  warp_work(work, call.place);
  return work.after;
}

}  // namespace d2l::emulator
