#include "model/sealed_text.h"

#include "base/digest.h"

namespace interlock {
namespace {

std::string start_of(std::string_view kind) {
  return fmt::format("gpu-interlock {} 1 ", kind);
}

}  // namespace

std::string sealed(std::string_view kind, std::string_view body) {
  return fmt::format("{}{}\n{}", start_of(kind), sha256_hex(body), body);
}

Result<std::string> unsealed(std::string_view kind, std::string_view text) {
  const std::string start = start_of(kind);
  if (text.empty()) return fail("the {} is an empty file", kind);
  if (!text.starts_with(start)) return fail("this is no {} of version 1: its first line is another", kind);
  const auto end = text.find('\n');
  if (end == std::string_view::npos) return fail("the {} is cut off in its first line", kind);
  const std::string_view body = text.substr(end + 1);
  if (text.substr(start.size(), end - start.size()) != sha256_hex(body)) {
    return fail("the {} is not as it was written: its checksum does not match", kind);
  }
  return std::string(body);
}

}  // namespace interlock
