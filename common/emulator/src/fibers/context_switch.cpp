// SPDX-License-Identifier: MIT
#include "fibers/context_switch.h"

#include <cstdint>
#include <cstdlib>

#ifdef D2L_FIBERS_UNDER_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef D2L_FIBERS_UNDER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if defined(D2L_FIBERS_BY_UCONTEXT)
// The headers of programs name it. It is not called: without it there are no rounds of threads.
extern "C" void d2l_emulator_switch(void** save, void* load);
extern "C" void d2l_emulator_switch(void** /*save*/, void* /*load*/) { std::abort(); }
// swapcontext()
#elif defined(__x86_64__)
extern "C" void d2l_emulator_switch(void** save, void* load);
// The registers that a function must preserve; the jump keeps the processor's return prediction right.
asm(R"(
.text
.p2align 4
.globl d2l_emulator_switch
.type d2l_emulator_switch,@function
d2l_emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  popq %rcx
  jmp *%rcx
.size d2l_emulator_switch,.-d2l_emulator_switch
)");
#elif defined(__aarch64__)
extern "C" void d2l_emulator_switch(void** save, void* load);
extern "C" void d2l_emulator_enter();
// The registers that a function must preserve. The hint allows an indirect branch to the function. A new fiber begins
// at d2l_emulator_enter with its function in x19; without a return address, a debugger's backtrace and an unwinder end
// there.
asm(R"(
.text
.p2align 4
.globl d2l_emulator_switch
.type d2l_emulator_switch,%function
d2l_emulator_switch:
  hint #34
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size d2l_emulator_switch,.-d2l_emulator_switch
.p2align 4
.globl d2l_emulator_enter
.hidden d2l_emulator_enter
.type d2l_emulator_enter,%function
d2l_emulator_enter:
  mov x16, x19
  mov x30, xzr
  br x16
.size d2l_emulator_enter,.-d2l_emulator_enter
)");
#endif

namespace d2l::emulator {

void prepare_context(Context& context, std::byte* stack_low, std::size_t stack_bytes, std::size_t offset,
                     void (*entry)()) {
  context.stack_low = stack_low;
  context.stack_bytes = stack_bytes;
#if defined(D2L_FIBERS_BY_UCONTEXT)
  getcontext(&context.registers);
  context.registers.uc_stack.ss_sp = stack_low;
  context.registers.uc_stack.ss_size = stack_bytes - offset;
  context.registers.uc_link = nullptr;
  makecontext(&context.registers, entry, 0);
#elif defined(__x86_64__)
  auto** top = reinterpret_cast<void**>(stack_low + stack_bytes - offset);
  *--top = nullptr;  // aligns the stack as a call does, and ends a debugger's backtrace
  *--top = reinterpret_cast<void*>(entry);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  context.stack_pointer = top;
#elif defined(__aarch64__)
  auto** top = reinterpret_cast<void**>(stack_low + stack_bytes - offset - 160);
  for (int i = 0; i < 20; ++i) top[i] = nullptr;
  top[0] = reinterpret_cast<void*>(entry);                 // x19
  top[11] = reinterpret_cast<void*>(&d2l_emulator_enter);  // x30
  context.stack_pointer = top;
#endif
#ifdef D2L_FIBERS_UNDER_TSAN
  if (context.tsan_fiber == nullptr) context.tsan_fiber = __tsan_create_fiber(0);
#endif
}

void release_context(Context& context) noexcept {
#ifdef D2L_FIBERS_UNDER_TSAN
  if (context.tsan_fiber != nullptr) __tsan_destroy_fiber(context.tsan_fiber);
  context.tsan_fiber = nullptr;
#else
  static_cast<void>(context);
#endif
}

void switch_context(Context& from, Context& to) {
#ifdef D2L_FIBERS_UNDER_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_low, to.stack_bytes);
#endif
#ifdef D2L_FIBERS_UNDER_TSAN
  from.tsan_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
#ifdef D2L_FIBERS_BY_UCONTEXT
  swapcontext(&from.registers, &to.registers);
#else
  d2l_emulator_switch(&from.stack_pointer, to.stack_pointer);
#endif
#ifdef D2L_FIBERS_UNDER_ASAN
  __sanitizer_finish_switch_fiber(from.fake_stack, nullptr, nullptr);
#endif
}

void entered_context([[maybe_unused]] Context& own, [[maybe_unused]] Context& from) {
#ifdef D2L_FIBERS_UNDER_ASAN
  __sanitizer_finish_switch_fiber(own.fake_stack, &from.stack_low, &from.stack_bytes);
#endif
}

}  // namespace d2l::emulator
