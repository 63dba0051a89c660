// SPDX-License-Identifier: MIT
// What a student handed in: a folder, or an archive of `./learn pack`.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "kit.h"
#include "workplace.h"

namespace d2l::grading {

/// The source of one exercise, exercise.cpp, and what a student put beside it; by the files' names.
using Sources = std::map<std::string, std::string>;

/// The sources of one student, and what is odd about them.
struct Submission {
  std::string student;
  std::map<std::string, Sources> sources;       ///< by exercise: "1_gpus/3_frobenius_log"
  std::map<std::string, std::string> problems;  ///< by exercise: why it has no source, where there is something to say
  std::string problem;                          ///< why nothing can be read
  std::vector<std::string> notes;
};

/// A folder or an archive below the folder of all submissions, and whose it is.
struct Place {
  std::string student;
  std::filesystem::path path;
};

/// The submissions below `folder`, in order; `folder` itself when it is one. Stop when there is none.
std::vector<Place> find_submissions(const std::filesystem::path& folder, const std::vector<Check>& checks);

/// Reads a submission; an archive is unpacked in the sandbox, in `work`.
Submission read_submission(const Place& place, const std::vector<Check>& checks, const Workplace& work);

}  // namespace d2l::grading
