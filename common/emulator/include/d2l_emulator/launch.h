// SPDX-License-Identifier: MIT
// Launches: what `kernel<<<grid, block, shared, stream>>>(arguments)` is translated to, and the names of variables.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "d2l_emulator/language.h"
#include "d2l_emulator/launches/arguments.h"
#include "d2l_emulator/runtime_types.h"
#include "d2l_emulator/thread_loop.h"

/// The text of a macro's argument, expanded.
#define D2L_EMULATOR_TEXT(...) D2L_EMULATOR_TEXT_OF(__VA_ARGS__)
#define D2L_EMULATOR_TEXT_OF(...) #__VA_ARGS__

namespace d2l::emulator {

/// What stands between <<< and >>>.
struct Configuration {
  Configuration(dim3 grid_, dim3 block_, std::size_t shared_ = 0, cudaStream_t stream_ = nullptr)
      : grid(grid_), block(block_), shared(shared_), stream(stream_) {}

  dim3 grid;
  dim3 block;
  std::size_t shared;
  cudaStream_t stream;
};

/// A kernel with copies of its arguments.
struct BoundKernel {
  std::string name;
  const char* file;
  int line;
  std::shared_ptr<void> bound;            ///< the kernel and the copies of its arguments
  std::size_t bytes;                      ///< of what `bound` points to
  void (*call)(void* bound);              ///< calls the kernel once, for one thread, or see `loops`
  bool loops;                             ///< `call` is a loop over the threads of thread_loop
  std::vector<PointerArgument> pointers;  ///< the arguments that point to objects
  bool cooperative;
  const void* function = nullptr;     ///< tells kernels apart: its address, or that of code at its launch
  std::vector<void*> arguments = {};  ///< where the copies of the arguments are
  /// The same kernel with copies of other arguments; null if they cannot be copied.
  BoundKernel (*rebind)(const BoundKernel& kernel, void** arguments) = nullptr;
};

/// While it is in scope, what a launch allocates and accesses does not count as the work of a kernel that launches.
class LaunchScope {
 public:
  LaunchScope() noexcept;
  ~LaunchScope();
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

 private:
  bool before_;
};

/// Checks the configuration and adds the kernel to its stream. Errors become the last error of the calling thread.
/// In a kernel the grid becomes a child of the running one.
void submit(const Configuration& configuration, BoundKernel kernel);

template <class T>
void note_pointer(std::vector<PointerArgument>& pointers, std::size_t number, const T& argument) {
  if constexpr (std::is_pointer_v<T>) {
    using Element = std::remove_cv_t<std::remove_pointer_t<T>>;
    constexpr bool has_size = !std::is_function_v<Element> && requires { sizeof(Element); };  // a handle has none
    if constexpr (std::is_void_v<Element> || has_size) {
      std::size_t element = 0;
      if constexpr (!std::is_void_v<Element>) element = sizeof(Element);
      pointers.push_back({const_cast<const void*>(static_cast<const volatile void*>(argument)), element, number,
                          std::is_scalar_v<Element>});
    }
  }
}

template <class T>
void note_pointer(std::vector<PointerArgument>& pointers, std::size_t number, const Reference<T>& argument) {
  if constexpr (!std::is_function_v<T>) {
    std::size_t element = 1;
    if constexpr (requires { sizeof(T); }) element = sizeof(T);
    pointers.push_back({const_cast<const void*>(static_cast<const volatile void*>(argument.address)), element, number,
                        std::is_scalar_v<T>, true});
  }
}

// Files with and without the instrumentation may be in one program, so their functions have different names.
#ifdef D2L_EMULATOR_CALLED_BY_THREAD
inline constexpr bool kernels_are_loops = false;
#else
inline constexpr bool kernels_are_loops = true;
#endif

/// Code of the user's file that reads nothing else than `bound`, so that checks of all its accesses find only
/// parameters.
template <bool loops, class Body, class... Arguments>
struct Bound {
  Body body;
  std::tuple<Arguments...> arguments;

  static void call(void* bound) {
    auto& self = *static_cast<Bound*>(bound);
    if constexpr (loops && copied) {  // the copies stay in registers
      std::tuple<Arguments...> own = self.arguments;
      self.call_with(own, std::index_sequence_for<Arguments...>());
    } else {
      self.call_with(self.arguments, std::index_sequence_for<Arguments...>());
    }
  }
  template <std::size_t... index>
  void call_with(std::tuple<Arguments...>& with, std::index_sequence<index...>) {
#ifdef D2L_EMULATOR_CALLED_BY_THREAD
    body(passed(std::get<index>(with))...);
#else
    for_each_thread([&] { body(passed(std::get<index>(with))...); });
#endif
  }

  static constexpr bool copied =
      sizeof(std::tuple<Arguments...>) <= 128 && (std::is_trivially_copyable_v<Arguments> && ...);
};

template <bool loops, class Body, class... Arguments>
BoundKernel bind_kernel(std::string name, const char* file, int line, bool cooperative, Body body,
                        Arguments... arguments);

template <bool loops, class Body, class... Arguments, std::size_t... index>
BoundKernel rebind_from(const BoundKernel& kernel, void** arguments, std::index_sequence<index...>) {
  const auto& body = static_cast<const Bound<loops, Body, Arguments...>*>(kernel.bound.get())->body;
  BoundKernel other = bind_kernel<loops, Body, Arguments...>(kernel.name, kernel.file, kernel.line, kernel.cooperative,
                                                             body, *static_cast<const Arguments*>(arguments[index])...);
  other.function = kernel.function;
  return other;
}

template <bool loops, class Body, class... Arguments>
BoundKernel bind_kernel(std::string name, const char* file, int line, bool cooperative, Body body,
                        Arguments... arguments) {
  std::vector<PointerArgument> pointers;
  [[maybe_unused]] std::size_t number = 0;
  (note_pointer(pointers, number++, arguments), ...);
  using Kernel = Bound<loops, Body, Arguments...>;
  const void* function = reinterpret_cast<const void*>(&Kernel::call);
  if constexpr (std::is_pointer_v<Body>) function = reinterpret_cast<const void*>(body);
  auto* const made = new Kernel{std::move(body), {std::move(arguments)...}};
  std::shared_ptr<void> bound(made, [](void* memory) { delete static_cast<Kernel*>(memory); });
  BoundKernel kernel{std::move(name),     file,       line, std::move(bound), sizeof(Kernel), &Kernel::call, loops,
                     std::move(pointers), cooperative};
  kernel.function = function;
  kernel.arguments = std::apply(
      [](auto&... d2l_argument) { return std::vector<void*>{std::addressof(d2l_argument)...}; }, made->arguments);
  if constexpr (std::is_copy_constructible_v<Body> && (std::is_copy_constructible_v<Arguments> && ...)) {
    kernel.rebind = [](const BoundKernel& from, void** others) {
      return rebind_from<loops, Body, Arguments...>(from, others, std::index_sequence_for<Arguments...>());
    };
  }
  return kernel;
}

template <bool loops = kernels_are_loops, class Body, class... Arguments>
void launch_with(std::string name, const char* file, int line, bool cooperative, Body body,
                 const Configuration& configuration, Arguments... arguments) {
  const LaunchScope scope;
  submit(configuration,
         bind_kernel<loops>(std::move(name), file, line, cooperative, std::move(body), std::move(arguments)...));
}

/// `body` calls the kernel with arguments of these types; they are copied at once.
template <bool loops = kernels_are_loops, class Body, class... Arguments>
void launch(const char* name, const char* file, int line, Body body, const Configuration& configuration,
            Arguments... arguments) {
  const LaunchScope scope;
  launch_with<loops>(name, file, line, false, std::move(body), configuration, std::move(arguments)...);
}

/// A launch before its arguments are known: what stands before the parenthesis of `kernel<<<…>>>(arguments)`.
template <bool loops, class Body>
struct Launch {
  const char* name;
  const char* file;
  int line;
  Body body;  ///< calls the kernel
  Configuration configuration;

  template <class Callee, class... Slots>
  void submit_to(const Callee& callee, Slots... slots) const {
    const LaunchScope scope;
    submit(configuration, bind_kernel<loops, Callee, Slots...>(name, file, line, false, callee, std::move(slots)...));
  }
};

/// Takes the arguments of a template or an overloaded kernel, or fewer than the kernel has parameters.
template <bool loops, class Body, class Call, std::size_t parameters>
class StubForAny {
 public:
  StubForAny(Launch<loops, Body> launch, Call call) : launch_(std::move(launch)), call_(std::move(call)) {}

  template <class... A>
  requires(sizeof...(A) < parameters && !TakesReferences<Call, A...>) void operator()(A... arguments) const {
    launch_.submit_to(launch_.body, std::move(arguments)...);
  }
  template <class... A>
  requires(sizeof...(A) < parameters && TakesReferences<Call, A...>) void operator()(A&&... arguments) const {
    submit_some<A...>(std::index_sequence_for<A...>(), arguments...);
  }

 protected:
  [[nodiscard]] const Launch<loops, Body>& of_launch() const { return launch_; }

 private:
  template <class... A, std::size_t... index>
  void submit_some(std::index_sequence<index...> all, std::remove_reference_t<A>&... arguments) const {
    launch_.submit_to(launch_.body, slot_of_some<takes_reference_of<Call, index, A...>(all)>(arguments)...);
  }
  template <bool reference, class A>
  static auto slot_of_some(A& argument) {
    if constexpr (reference) {
      return slot_of<A&>(argument);
    } else {
      return std::decay_t<A&>(argument);
    }
  }

  Launch<loops, Body> launch_;
  Call call_;
};

/// Has the parameters of the kernel, as the function of the host that nvcc makes: so their copies are made once, on the
/// host, and end there with the launch.
template <bool loops, class Body, class Call, class... P>
class Stub : public StubForAny<loops, Body, Call, sizeof...(P)> {
  using Any = StubForAny<loops, Body, Call, sizeof...(P)>;

 public:
  Stub(Launch<loops, Body> launch, Call call, void (*kernel)(P...))
      : Any(std::move(launch), std::move(call)), kernel_(kernel) {}

  using Any::operator();
  void operator()(P... arguments) const {
    if constexpr ((has_own_functions<P> || ...)) {
      Any::of_launch().submit_to(by_address(kernel_), slot_of<P>(arguments)...);
    } else {
      Any::of_launch().submit_to(Any::of_launch().body, slot_of<P>(arguments)...);
    }
  }

 private:
  void (*kernel_)(P...);
};

/// The translator writes launch_of_kernel(name, file, line, body, D2L_EMULATOR_KERNEL(kernel),
/// configuration)(arguments).
template <bool loops = kernels_are_loops, class Body, class Names, class Call>
auto launch_of_kernel(const char* name, const char* file, int line, Body body, const Names& names, Call call,
                      const Configuration& configuration) {
  Launch<loops, Body> launch{name, file, line, std::move(body), configuration};
  if constexpr (UniqueKernel<Names>) {
    const auto with = [&]<class... P>(void (*kernel)(P...)) {
      return Stub<loops, Body, Call, P...>(std::move(launch), std::move(call), kernel);
    };
    return with(names(AnyKernel{}));
  } else {
    return StubForAny<loops, Body, Call, SIZE_MAX>(std::move(launch), std::move(call));
  }
}
/// The same for an expression that is a pointer to a kernel.
template <bool loops = kernels_are_loops, class... P>
auto launch_of_kernel(const char* name, const char* file, int line, void (*kernel)(P...),
                      const Configuration& configuration) {
  using Body = void (*)(P...);
  return Stub<loops, Body, Body, P...>({name, file, line, kernel, configuration}, kernel, kernel);
}

/// Adds work of a library to a stream: a function that uses device memory.
cudaError_t run_on_stream(cudaStream_t stream, std::function<void()> work);

/// Makes a variable of the device known by its name. `qualifier` is __device__, __constant__ or __managed__.
class SymbolRegistration {
 public:
  template <class T>
  SymbolRegistration(const char* name, const volatile T* address, std::size_t bytes, const char* qualifier) {
    add(name, address, bytes, shape_of_variable<T>(), qualifier);
  }

 private:
  static void add(const char* name, const volatile void* address, std::size_t bytes, const ArrayShape& shape,
                  std::string_view qualifier);
};

}  // namespace d2l::emulator
