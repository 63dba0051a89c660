// SPDX-License-Identifier: MIT
// For tests of the runner: temporary folders, and the messages of what the runner refuses.
#pragma once

#include "base/error.h"
#include "messages.h"
#include "temporary_folder.h"

namespace d2l::runner {

using tests::contains;
using tests::TemporaryFolder;

/// The message with which `call` is stopped for wrong usage; empty if it is not stopped.
template <class Call>
std::string refusal(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const Stop& stop) {
    EXPECT_EQ(stop.code(), wrong_usage);
    return stop.what();
  }
  return {};
}

}  // namespace d2l::runner
