// Value or error. An Error says what was tried, on what, and why it failed, in one sentence that grows on the
// way up; the errno stays beside it for callers that must tell "not there" from "may not look".
#pragma once

#include <fmt/format.h>

#include <expected>
#include <string>
#include <utility>

namespace interlock {

struct Error {
  std::string message;
  int code = 0;  // errno where the system gave one, else 0
};

template <class T>
using Result = std::expected<T, Error>;

template <class... Args>
std::unexpected<Error> fail(fmt::format_string<Args...> format, Args&&... args) {
  return std::unexpected(Error{fmt::format(format, std::forward<Args>(args)...), 0});
}

/// "<what>: <errno in words>", for a system call that just failed with `code`.
std::unexpected<Error> fail_errno(int code, std::string_view what);

/// The same error with "<context>: " before it.
Error in_context(Error error, std::string_view context);

template <class T>
Result<T> in_context(Result<T> result, std::string_view context) {
  if (!result) return std::unexpected(in_context(std::move(result).error(), context));
  return result;
}

/// The thing asked for is not there (ENOENT, ENOTDIR): an answer, unlike every other failure.
bool is_missing(const Error& error);

namespace detail {
template <class T>
T unwrap(Result<T>&& result) {
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}
}  // namespace detail

}  // namespace interlock

/// The value of a Result, or return its error from the enclosing function.
#define TRY(expression)                                                     \
  __extension__({                                                           \
    auto try_result = (expression);                                         \
    if (!try_result) return std::unexpected(std::move(try_result).error()); \
    ::interlock::detail::unwrap(std::move(try_result));                     \
  })
