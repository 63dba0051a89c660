// SPDX-License-Identifier: MIT
// What the operating system says of main memory.
#include <unistd.h>

#include <fstream>
#include <limits>
#include <string>

#include "backend/cpu/host_memory.h"

namespace d2l::backend::host_memory {

SystemMemory system_memory() {
  SystemMemory memory;
  std::ifstream file("/proc/meminfo");
  std::string name;
  std::int64_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemTotal:") memory.total = kibibytes * 1024;
    if (name == "MemAvailable:") {
      memory.available = kibibytes * 1024;
      break;
    }
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  if (memory.total == 0) {
    const std::int64_t page = sysconf(_SC_PAGESIZE);
    memory.total = sysconf(_SC_PHYS_PAGES) * page;
    memory.available = sysconf(_SC_AVPHYS_PAGES) * page;
  }
  return memory;
}

}  // namespace d2l::backend::host_memory
