// SPDX-License-Identifier: MIT
// Writes the seccomp program: a row of "is it this call? then EPERM", and a few that look at an argument.
#include "system_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <system_error>

namespace d2l::grading {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
#error "the sandbox knows the system calls of x86-64 and of 64-bit ARM only"
#endif

constexpr std::uint32_t refused[] = {
    SYS_socket,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_perf_event_open,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_shmget,
    SYS_semget,
    SYS_msgget,
    SYS_mq_open,
    SYS_truncate,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
#if defined(__x86_64__)
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_ioperm,
    SYS_iopl,
#endif
    424,  // pidfd_send_signal
    425,
    426,
    427,  // io_uring
    428,
    429,
    430,
    431,
    432,
    433,
    442,  // the newer calls for mounts
    434,
    438,  // pidfd_open, pidfd_getfd
    440,
    448,  // process_madvise, process_mrelease
    452,
    463,
    466,
    469  // fchmodat2, setxattrat, removexattrat, file_setattr
};

constexpr std::uint32_t allowed = SECCOMP_RET_ALLOW;
constexpr std::uint32_t error(std::uint32_t number) { return SECCOMP_RET_ERRNO | number; }

sock_filter load(std::size_t offset) { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
sock_filter answer(std::uint32_t result) { return BPF_STMT(BPF_RET | BPF_K, result); }
/// Goes to the next statement when the loaded value is `value`, else past `count` of them.
sock_filter unless_equal_skip(std::uint32_t value, std::uint8_t count) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count);
}
std::size_t argument(std::size_t index) { return offsetof(seccomp_data, args) + index * sizeof(std::uint64_t); }

class Filter {
 public:
  void append(std::initializer_list<sock_filter> statements) { program_.insert(program_.end(), statements); }
  /// For the call `number`: `found` when its argument `index` is one of `values`, else `other`.
  void by_argument(std::uint32_t number, std::size_t index, std::initializer_list<std::uint32_t> values,
                   std::uint32_t found, std::uint32_t other) {
    append({unless_equal_skip(number, static_cast<std::uint8_t>(2 + 2 * values.size())), load(argument(index))});
    for (const std::uint32_t value : values) append({unless_equal_skip(value, 1), answer(found)});
    append({answer(other)});
  }
  std::vector<sock_filter> take() { return std::move(program_); }

 private:
  std::vector<sock_filter> program_;
};

}  // namespace

std::vector<sock_filter> system_call_filter(pid_t only) {
  constexpr std::uint32_t no = error(EPERM);
  Filter filter;
  filter.append({load(offsetof(seccomp_data, arch)), unless_equal_skip(architecture, 1),
                 BPF_JUMP(BPF_JMP | BPF_JA, 1, 0, 0), answer(no), load(offsetof(seccomp_data, nr))});
#if defined(__x86_64__)
  filter.append({BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), answer(no)});  // the calls of x32
#endif
  for (const std::uint32_t number : refused) filter.append({unless_equal_skip(number, 1), answer(no)});
  filter.append({unless_equal_skip(435, 1), answer(error(ENOSYS))});  // clone3: the C library then takes clone
  constexpr std::uint32_t namespaces =
      CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
  filter.append({unless_equal_skip(SYS_clone, 4), load(argument(0)),
                 BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, namespaces, 0, 1), answer(no), answer(allowed)});
  filter.by_argument(SYS_fcntl, 1, {F_SETOWN, F_SETSIG, 15 /* F_SETOWN_EX */}, no, allowed);
  filter.by_argument(SYS_prctl, 0, {PR_SET_DUMPABLE, PR_SET_PTRACER}, no, allowed);
  filter.by_argument(SYS_prlimit64, 0, {0}, allowed, no);
  if (only != 0) {
    const auto process = static_cast<std::uint32_t>(only);
    filter.by_argument(SYS_kill, 0, {process, 0}, allowed, no);
    filter.by_argument(SYS_tgkill, 0, {process}, allowed, no);
  }
  filter.append({answer(allowed)});
  return filter.take();
}

void restrict_system_calls(pid_t only) {
  auto filter = system_call_filter(only);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0)
    return;
  throw std::system_error(errno, std::generic_category(), "seccomp");
}

}  // namespace d2l::grading
