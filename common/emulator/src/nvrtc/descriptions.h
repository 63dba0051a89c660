// SPDX-License-Identifier: MIT
// How a process finds the C++ compiler and the emulator's headers, and calls it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace d2l::emulator::nvrtc {

/// The lines of compile.txt or instrument.txt, which `./learn cuda` compiles with, too. std::runtime_error, with what
/// to do, if there is no such file.
std::vector<std::string> description(const char* file);

/// Runs a command; what it writes goes to `output`. False if it fails.
bool run(const std::vector<std::string>& command, std::string& output);

/// A folder of this process, which is removed when it ends; a new folder in it for each call.
std::filesystem::path new_folder();

std::string read_file(const std::filesystem::path& file);
/// std::runtime_error if the file cannot be written.
void write_file(const std::filesystem::path& file, const std::string& text);

}  // namespace d2l::emulator::nvrtc
