// SPDX-License-Identifier: MIT
#include "grading/sandbox/system_calls.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace d2l::grading {
namespace {

constexpr const char* refused =
    "socket ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_open "
    "pidfd_getfd perf_event_open bpf userfaultfd io_uring_setup io_uring_enter io_uring_register add_key "
    "request_key keyctl unshare setns mount umount2 pivot_root chroot open_tree move_mount fsopen fsconfig "
    "fsmount fspick mount_setattr swapon swapoff reboot init_module finit_module delete_module kexec_load acct "
    "quotactl syslog ioperm iopl name_to_handle_at open_by_handle_at shmget semget msgget mq_open truncate "
    "chmod fchmod fchmodat chown lchown fchown fchownat utime utimes futimesat utimensat setxattr lsetxattr "
    "fsetxattr removexattr lremovexattr fremovexattr tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_send_signal "
    "setpriority ioprio_set move_pages migrate_pages vmsplice tee io_setup";
/// Landlock's three, memfd_secret, fchmodat2, setxattrat, removexattrat and file_setattr, which older versions of
/// libseccomp cannot name; the numbers are the same on every architecture.
constexpr int refused_numbers[] = {444, 445, 446, 447, 452, 463, 466, 469};

void check(int result) {
  constexpr int not_on_this_architecture = -EDOM;
  if (result < 0 && result != not_on_this_architecture)
    throw std::system_error(-result, std::generic_category(), "seccomp");
}

struct Release {
  void operator()(void* context) const { seccomp_release(context); }
};
using Context = std::unique_ptr<void, Release>;

class Filter {
 public:
  /// The filter of restrict_system_calls().
  Filter(pid_t only, bool devices) {
    check(context_ ? seccomp_attr_set(context_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) : -ENOMEM);
    std::istringstream names(refused);
    for (std::string name; names >> name;) refuse(name);
    for (const int number : refused_numbers) add(number, {}, EPERM);
    if (!devices) {
      for (const char* name : {"memfd_create", "socketpair"}) refuse(name);
    }
    add(SCMP_SYS(clone3), {}, ENOSYS);  // the C library then calls clone, whose flags can be read
    using Data = std::initializer_list<scmp_datum_t>;
    for (const auto flag :
         Data{CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP})
      refuse("clone", {{0, SCMP_CMP_MASKED_EQ, flag, flag}});
    for (const auto command : Data{F_SETOWN, F_SETSIG, F_SETPIPE_SZ, 15 /* F_SETOWN_EX */})
      refuse("fcntl", {{1, SCMP_CMP_MASKED_EQ, low_bits, command}});
    for (const auto option : Data{PR_SET_DUMPABLE, PR_SET_PTRACER, 62 /* PR_SCHED_CORE */})
      refuse("prctl", {{0, SCMP_CMP_MASKED_EQ, low_bits, option}});
    for (const char* name : {"prlimit64", "sched_setaffinity", "sched_setscheduler", "sched_setparam", "sched_setattr"})
      refuse(name, {{0, SCMP_CMP_NE, 0, 0}});  // 0 is the calling process
    if (only == 0) return;
    for (const char* name : {"kill", "tgkill"}) refuse(name, {{0, SCMP_CMP_NE, static_cast<scmp_datum_t>(only), 0}});
  }
  [[nodiscard]] scmp_filter_ctx get() const { return context_.get(); }

 private:
  /// The bits of an argument that the kernel reads as an int.
  static constexpr scmp_datum_t low_bits = 0xffffffff;

  /// Refuses a call, or, with `when`, the calls whose argument compares so.
  void refuse(const std::string& name, const std::vector<scmp_arg_cmp>& when = {}) {
    add(seccomp_syscall_resolve_name(name.c_str()), when, EPERM);
  }
  void add(int number, const std::vector<scmp_arg_cmp>& when, int error) {
    const auto count = static_cast<unsigned>(when.size());
    check(seccomp_rule_add_array(context_.get(), SCMP_ACT_ERRNO(error), number, count, when.data()));
  }

  Context context_{seccomp_init(SCMP_ACT_ALLOW)};
};

}  // namespace

void restrict_system_calls(pid_t only, bool devices) { check(seccomp_load(Filter(only, devices).get())); }

int announce_shared_mappings(bool files) {
  const Context context(seccomp_init(SCMP_ACT_ALLOW));
  check(context ? seccomp_attr_set(context.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) : -ENOMEM);
  const scmp_datum_t flags = files ? MAP_SHARED : MAP_SHARED | MAP_ANONYMOUS;
  const scmp_arg_cmp shared{3, SCMP_CMP_MASKED_EQ, flags, flags};
  check(seccomp_rule_add_array(context.get(), SCMP_ACT_NOTIFY, SCMP_SYS(mmap), 1, &shared));
  check(seccomp_load(context.get()));
  const int descriptor = seccomp_notify_fd(context.get());
  check(descriptor);
  return descriptor;
}

bool answer_mapping(int descriptor, std::uint64_t& left) {
  seccomp_notif* question = nullptr;
  seccomp_notif_resp* answer = nullptr;
  check(seccomp_notify_alloc(&question, &answer));
  const bool waits = seccomp_notify_receive(descriptor, question) == 0;
  if (waits) {
    const std::uint64_t bytes = question->data.args[1];
    const bool allowed = bytes <= left;
    if (allowed) left -= bytes;
    answer->id = question->id;
    answer->error = allowed ? 0 : -ENOMEM;
    answer->flags = allowed ? SECCOMP_USER_NOTIF_FLAG_CONTINUE : 0;
    seccomp_notify_respond(descriptor, answer);
  }
  seccomp_notify_free(question, answer);
  return waits;
}

int system_call_filter_pipe(bool devices) {
  int ends[2];
  check(pipe(ends) == 0 ? seccomp_export_bpf(Filter(0, devices).get(), ends[1]) : -errno);
  close(ends[1]);
  return ends[0];
}

}  // namespace d2l::grading
