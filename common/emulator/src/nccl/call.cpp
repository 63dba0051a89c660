// SPDX-License-Identifier: MIT
#include "nccl/call.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

namespace d2l::emulator::nccl {
namespace {

constexpr const char* type_names[] = {"ncclInt8",   "ncclUint8",   "ncclInt32",   "ncclUint32",  "ncclInt64",
                                      "ncclUint64", "ncclFloat16", "ncclFloat32", "ncclFloat64", "ncclBfloat16"};

/// What elements are added in: half numbers in float.
template <class T>
struct Added {
  using type = T;
  static T widen(T value) { return value; }
};
template <>
struct Added<__half> {
  using type = float;
  static float widen(__half value) { return value.wide(); }
};
template <>
struct Added<__nv_bfloat16> {
  using type = float;
  static float widen(__nv_bfloat16 value) { return value.wide(); }
};

template <class T>
T joined(T a, T b, ncclRedOp_t op) {
  switch (op) {
    case ncclProd:
      return static_cast<T>(a * b);
    case ncclMax:
      return a != a || a > b ? a : b;  // a number that is none stays
    case ncclMin:
      return a != a || a < b ? a : b;
    default:
      return static_cast<T>(a + b);
  }
}

template <class T>
const T* input(const Call& call) {
  return static_cast<const T*>(at(call.in));
}

/// The join of `count` elements, from element `first` on, of all ranks.
template <class T>
std::vector<T> joined(const std::vector<Call>& all, std::size_t first, std::size_t count) {
  using A = typename Added<T>::type;
  const Reduction& reduction = all[0].reduction;
  std::vector<A> sums(count);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Reduction& own = all[rank].reduction;
    T scalar{};
    std::memcpy(&scalar, own.on_device == nullptr ? own.value.data() : at(own.on_device), sizeof scalar);
    const T* const in = input<T>(all[rank]) + first;
    for (std::size_t i = 0; i < count; ++i) {
      A value = Added<T>::widen(in[i]);
      if (own.multiplies) value = static_cast<A>(value * Added<T>::widen(scalar));
      sums[i] = rank == 0 ? value : joined(sums[i], value, reduction.op);
    }
  }
  std::vector<T> result;
  result.reserve(count);
  for (const A sum : sums) {
    result.push_back(static_cast<T>(reduction.op == ncclAvg ? static_cast<A>(sum / static_cast<A>(all.size())) : sum));
  }
  return result;
}

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memmove(at(to), at(from), bytes);
}
void copy_from_host(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(at(to), from, bytes);
}

template <class T>
void compute_as(const std::vector<Call>& all) {
  const std::size_t count = all[0].count, bytes = count * sizeof(T);
  const auto root = static_cast<std::size_t>(all[0].root);
  switch (all[0].kind) {
    case Kind::all_reduce:
    case Kind::reduce: {
      const auto result = joined<T>(all, 0, count);
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[0].kind == Kind::all_reduce || rank == root) copy_from_host(all[rank].out, result.data(), bytes);
      }
      return;
    }
    case Kind::broadcast: {
      const T* const in = input<T>(all[root]);
      const std::vector<T> sent(in, in + count);
      for (const Call& one : all) copy_from_host(one.out, sent.data(), bytes);
      return;
    }
    case Kind::all_gather:
      for (const Call& to : all) {
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
          copy(static_cast<T*>(to.out) + rank * count, all[rank].in, bytes);
        }
      }
      return;
    case Kind::reduce_scatter:
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        copy_from_host(all[rank].out, joined<T>(all, rank * count, count).data(), bytes);
      }
      return;
    case Kind::send:
    case Kind::receive:
      return copy(all[1].out, all[0].in, bytes);
  }
}

}  // namespace

std::size_t size_of(ncclDataType_t type) {
  switch (type) {
    case ncclInt8:
    case ncclUint8:
      return 1;
    case ncclFloat16:
    case ncclBfloat16:
      return 2;
    case ncclInt32:
    case ncclUint32:
    case ncclFloat32:
      return 4;
    default:
      return 8;
  }
}

bool alike(const Call& a, const Call& b) {
  const bool messages = a.kind == Kind::send || a.kind == Kind::receive;
  return (messages || (a.kind == b.kind && a.root == b.root)) && a.count == b.count && a.type == b.type &&
         a.reduction.op == b.reduction.op && a.reduction.multiplies == b.reduction.multiplies;
}

std::string text_of(const Call& call) {
  return fmt::format("{} of {} elements of {}", call.site.text(), call.count, type_names[call.type]);
}

std::vector<LibraryMemory> memory_of(const Call& call, int rank, int ranks) {
  const std::size_t bytes = call.count * size_of(call.type), all = bytes * static_cast<std::size_t>(ranks);
  const auto reads = [&](std::size_t size) {
    return elements_of(static_cast<const char*>(call.in), size, LibraryUse::read);
  };
  const auto writes = [&](std::size_t size) {
    return elements_of(static_cast<const char*>(call.out), size, LibraryUse::write);
  };
  std::vector<LibraryMemory> memory;
  switch (call.kind) {
    case Kind::all_reduce:
      memory = {reads(bytes), writes(bytes)};
      break;
    case Kind::broadcast:
      memory = {reads(rank == call.root ? bytes : 0), writes(bytes)};
      break;
    case Kind::reduce:
      memory = {reads(bytes), writes(rank == call.root ? bytes : 0)};
      break;
    case Kind::all_gather:
      memory = {reads(bytes), writes(all)};
      break;
    case Kind::reduce_scatter:
      memory = {reads(all), writes(bytes)};
      break;
    case Kind::send:
      memory = {reads(bytes)};
      break;
    case Kind::receive:
      memory = {writes(bytes)};
      break;
  }
  if (const void* const scalar = call.reduction.on_device; scalar != nullptr) {
    memory.push_back(elements_of(static_cast<const char*>(scalar), size_of(call.type), LibraryUse::read));
  }
  return memory;
}

void compute(const std::vector<Call>& all) {
  switch (all[0].type) {
    case ncclInt8:
      return compute_as<std::int8_t>(all);
    case ncclUint8:
      return compute_as<std::uint8_t>(all);
    case ncclInt32:
      return compute_as<std::int32_t>(all);
    case ncclUint32:
      return compute_as<std::uint32_t>(all);
    case ncclInt64:
      return compute_as<std::int64_t>(all);
    case ncclUint64:
      return compute_as<std::uint64_t>(all);
    case ncclFloat16:
      return compute_as<__half>(all);
    case ncclFloat32:
      return compute_as<float>(all);
    case ncclFloat64:
      return compute_as<double>(all);
    case ncclBfloat16:
      return compute_as<__nv_bfloat16>(all);
    case ncclNumTypes:
      return;
  }
}

}  // namespace d2l::emulator::nccl
