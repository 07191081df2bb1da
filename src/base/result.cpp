#include "base/result.h"

#include <cerrno>
#include <system_error>

namespace interlock {

std::unexpected<Error> fail_errno(int code, std::string_view what) {
  return std::unexpected(Error{fmt::format("{}: {}", what, std::generic_category().message(code)), code});
}

Error in_context(Error error, std::string_view context) {
  error.message = fmt::format("{}: {}", context, error.message);
  return error;
}

bool is_missing(const Error& error) {
  return error.code == ENOENT || error.code == ENOTDIR;
}

}  // namespace interlock
