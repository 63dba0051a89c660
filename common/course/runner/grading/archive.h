// SPDX-License-Identifier: MIT
// Unpacks archives of submissions in the sandbox.
#pragma once

#include <filesystem>
#include <string>

#include "grading/sandbox/work_folder.h"

namespace d2l::grading {

/// The name of an archive without its extension: .zip, .tar, .tar.gz and its kin; empty for any other name.
std::string archive_stem(const std::string& name);

/// Unpacks the regular files of `archive` into the folder "files" of `work`; returns why that failed, empty when it did
/// not. Permissions and links are not taken over; a name that leads outside of the folder is refused.
std::string unpack(const std::filesystem::path& archive, const WorkFolder& work);

}  // namespace d2l::grading
