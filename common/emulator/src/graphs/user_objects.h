// SPDX-License-Identifier: MIT
// References of graphs to objects of the program: the last one that goes calls the object's destructor.
#pragma once

#include <map>

#include "d2l_emulator/graphs/types.h"

namespace d2l::emulator {

class UserReferences {
 public:
  UserReferences() = default;
  ~UserReferences();
  UserReferences(const UserReferences&) = delete;
  UserReferences& operator=(const UserReferences&) = delete;

  /// `move`: the references are those that the program had.
  void retain(cudaUserObject_t object, unsigned count, bool move);
  void release(cudaUserObject_t object, unsigned count);
  /// All references of `other`, too.
  void retain_all(const UserReferences& other);

 private:
  std::map<cudaUserObject_t, unsigned> counts_;
};

}  // namespace d2l::emulator
