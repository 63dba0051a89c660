// SPDX-License-Identifier: MIT
// What a kernel gets of its arguments, as on a card: the bytes of a value, or the address of an object for a reference.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>

namespace d2l::emulator {

/// The address that a kernel gets for an object of this many bytes, to which a parameter refers. It is the object's own
/// if kernels can use its memory. Else each access to the address is a fault.
const void* address_for_kernels(const void* object, std::size_t bytes, std::size_t alignment);
/// True for the address of an object that kernels cannot use.
bool is_unreachable(const void* address) noexcept;

/// The object that a parameter refers to.
template <class T>
struct Reference {
  T* address;
};

/// The bytes of an object whose constructors and destructor run on the host alone.
template <class T>
struct Bytes {
  alignas(T) unsigned char all[sizeof(T)];
};

/// True if copies or the end of an object call functions of its class. The compiler passes such an object by its
/// address.
template <class T>
inline constexpr bool has_own_functions = [] {
  if constexpr (std::is_class_v<T> || std::is_union_v<T>) {
    return !std::is_trivially_destructible_v<T> ||
           (std::is_copy_constructible_v<T> && !std::is_trivially_copy_constructible_v<T>);
  } else {
    return false;
  }
}();

template <class P>
struct SlotOf {
  using Type = std::conditional_t<has_own_functions<P>, Bytes<P>, std::remove_cv_t<P>>;
};
template <class T>
struct SlotOf<T&> {
  using Type = Reference<T>;
};
/// What is kept of the argument for a parameter of type P until the kernel runs.
template <class P>
using Slot = typename SlotOf<P>::Type;

template <class P>
Slot<P> slot_of(std::remove_reference_t<P>& argument) {
  if constexpr (std::is_reference_v<P>) {
    using T = std::remove_reference_t<P>;
    if constexpr (std::is_function_v<T>) {
      return {&argument};
    } else {
      std::size_t bytes = 1;
      std::size_t alignment = 1;
      if constexpr (requires { sizeof(T); }) {
        bytes = sizeof(T);
        alignment = alignof(T);
      }
      const void* const object = const_cast<const void*>(static_cast<const volatile void*>(std::addressof(argument)));
      return {static_cast<T*>(const_cast<void*>(address_for_kernels(object, bytes, alignment)))};
    }
  } else if constexpr (has_own_functions<P>) {
    Bytes<P> bytes;
    std::memcpy(bytes.all, static_cast<const void*>(std::addressof(argument)), sizeof(P));
    return bytes;
  } else {
    return static_cast<P&&>(argument);
  }
}

/// A thread's own copy of an object's bytes.
template <class T>
struct ThreadCopy {
  Bytes<T> bytes;
  operator T&() noexcept { return *reinterpret_cast<T*>(bytes.all); }
};

// What a thread calls the kernel with.
template <class T>
T& passed(T& slot) noexcept {
  return slot;
}
template <class T>
T& passed(Reference<T>& slot) noexcept {
  return *slot.address;
}
template <class T>
ThreadCopy<T> passed(Bytes<T>& slot) noexcept {
  return {slot};
}

/// The kernel as a function that gets the addresses of such objects: with this call their functions do not run.
template <class... P>
auto by_address(void (*kernel)(P...)) {
  if constexpr ((has_own_functions<P> || ...)) {
    return reinterpret_cast<void (*)(std::conditional_t<has_own_functions<P>, P&, P>...)>(kernel);
  } else {
    return kernel;
  }
}

// The translator passes a kernel's name to these, so that the types of its parameters are known.
struct AnyKernel {};
template <class... P>
auto unique_kernel(AnyKernel, void (*kernel)(P...)) {
  return kernel;
}
template <class Names>
concept UniqueKernel = requires(const Names& names) {
  names(AnyKernel{});
};

/// Stands for an object of type T, or refers to it: the call of a kernel with it is ambiguous for a value.
template <class T>
struct Referred {
  Referred() = delete;
  Referred(const Referred&) = delete;
  operator T&() const;
  operator std::conditional_t<std::is_abstract_v<T>, Referred*, T>() const;
};

/// True if the call takes its argument with this number by reference. Used for templates and overloaded kernels.
template <class Call, std::size_t number, class... A, std::size_t... index>
constexpr bool takes_reference_of(std::index_sequence<index...>) {
  return std::is_invocable_v<const Call&,
                             std::conditional_t<index == number, Referred<std::decay_t<A>>, std::decay_t<A>>&...>;
}
template <class Call, class... A, std::size_t... index>
constexpr bool takes_references_of(std::index_sequence<index...> all) {
  return (takes_reference_of<Call, index, A...>(all) || ...);
}
template <class Call, class... A>
concept TakesReferences = takes_references_of<Call, A...>(std::index_sequence_for<A...>());

}  // namespace d2l::emulator

// NOLINTBEGIN: written by the translator for the kernel that a launch names.
#define D2L_EMULATOR_KERNEL(...)                                                        \
  [=](auto d2l_any) -> decltype(::d2l::emulator::unique_kernel(d2l_any, __VA_ARGS__)) { \
    return ::d2l::emulator::unique_kernel(d2l_any, __VA_ARGS__);                        \
  },                                                                                    \
      [=](auto&&... d2l_arguments) -> decltype(__VA_ARGS__(static_cast<decltype(d2l_arguments)>(d2l_arguments)...)) {}
// NOLINTEND
