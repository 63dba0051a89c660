// SPDX-License-Identifier: MIT
// Finds the sources of a submission: a folder or an archive.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "grading/kit.h"
#include "grading/names.h"
#include "grading/sandbox/work_folder.h"

namespace d2l::grading {

/// exercise.cpp and the student's files beside it, by name.
using Sources = std::map<std::string, std::string>;

/// The sources of one student, and what is wrong with them.
struct Submission {
  std::map<std::string, Sources> sources;       ///< by exercise: "1_gpus/3_frobenius_log"
  std::map<std::string, std::string> problems;  ///< by exercise: why its source was not read
  std::string problem;                          ///< why no source was read
  std::vector<std::string> notes;
};

/// The folder or archive of a student.
struct SubmissionPath {
  Name name;
  std::filesystem::path path;
};

/// The submissions of a class.
struct Class {
  std::vector<SubmissionPath> submissions;  ///< sorted by path
  std::vector<std::string> left_out;        ///< other entries of the folder, each with the reason
};

/// The submissions in `folder`, or `folder` itself if it is a submission. Stop when there is none.
Class find_submissions(const std::filesystem::path& folder, const std::vector<Check>& checks);

/// Reads a submission; an archive is unpacked in the sandbox, in `work`.
Submission read_submission(const SubmissionPath& given, const std::vector<Check>& checks, const WorkFolder& work);

}  // namespace d2l::grading
