// SPDX-License-Identifier: MIT
// Texts in files that appear whole or not at all.
#include "base/atomic_file.h"
#include "ledger/transfers_report.h"

namespace d2l::detail {

void write_file(const char* operation, const std::string& path, const std::string& text) {
  AtomicFile file(operation, path);
  file.write(text);
  file.commit();
}

}  // namespace d2l::detail
