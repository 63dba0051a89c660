// SPDX-License-Identifier: MIT
// Folders that a program in the sandbox wrote: of any depth, also where no path leads, and with any permissions.
#pragma once

#include <cstdint>
#include <filesystem>

namespace d2l::grading {

/// The deepest that a program may nest folders.
constexpr int deepest_folder = 64;

/// The bytes of a folder on the disk, with 4 KiB for each name. Stops counting above `enough`; folders that are nested
/// too deep, or that cannot be read, count as more than that.
std::uint64_t size_of(const std::filesystem::path& folder, std::uint64_t enough);

/// Removes a folder and its contents with a fixed number of descriptors. No other process may use the folder.
void remove_folder(const std::filesystem::path& folder) noexcept;

}  // namespace d2l::grading
