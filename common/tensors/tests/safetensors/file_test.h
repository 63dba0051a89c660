// SPDX-License-Identifier: MIT
// For tests: a fixture with a path in a folder of its own.
#pragma once

#include <string>

#include "every_device.h"
#include "safetensors/files.h"

namespace d2l::testing {

class FileTest : public ::testing::Test {
 protected:
  const TemporaryFolder folder;
  const std::string path = folder / "file.safetensors";
};

}  // namespace d2l::testing
