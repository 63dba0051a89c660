// SPDX-License-Identifier: MIT
// Reads not_supported.txt: sections "[PREFIX]" of words, and "[phrases]" of whole lines.
#include "python_subset/not_supported.h"

#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace python_subset {

bool is_listed_as_not_supported(const std::string& name) {
  static const std::set<std::string> names = [] {
    const std::string path = D2L_ROOT "/common/tests/python_subset/not_supported.txt";
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::set<std::string> listed;
    std::string section;
    for (std::string line; std::getline(file, line);) {
      if (line.rfind('#', 0) == 0) continue;
      if (line.rfind('[', 0) == 0) {
        section = line.substr(1, line.find(']') - 1);
      } else if (section == "phrases") {
        listed.insert(line);
      } else {
        std::istringstream words(line);
        for (std::string word; words >> word;) listed.insert(section + word);
      }
    }
    return listed;
  }();
  return names.count(name) > 0;
}

}  // namespace python_subset
