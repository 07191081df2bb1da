#include "decide/finding_codes.h"

#include <algorithm>
#include <vector>

#include "decide/finding_pages.h"

namespace interlock::decide {

std::span<const FindingCode> finding_codes() {
  static const std::vector<FindingCode> all = [] {
    std::vector<FindingCode> codes;
    for (const auto part : {card_pages(), guard_pages(), container_pages(), holder_pages(), host_pages()}) {
      codes.insert(codes.end(), part.begin(), part.end());
    }
    return codes;
  }();
  return all;
}

const FindingCode* find_code(std::string_view code) {
  const auto codes = finding_codes();
  const auto found = std::ranges::find(codes, code, &FindingCode::code);
  return found == codes.end() ? nullptr : &*found;
}

}  // namespace interlock::decide
