// Something that a person must know about a policy that was drawn up for them.
#pragma once

#include <string>

namespace interlock {

struct Remark {
  std::string message;  // a sentence
  int line = 0;         // of the file that was imported, from 1; 0: it is about no line
  bool operator==(const Remark&) const = default;
};

}  // namespace interlock
