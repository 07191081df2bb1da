#include "base/digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nettle/sha1.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace interlock {
namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

template <std::size_t N>
std::string hex(const std::array<std::uint8_t, N>& digest) {
  return fmt::format("{:02x}", fmt::join(digest, ""));
}

}  // namespace

std::string sha1_hex(std::string_view bytes) {
  sha1_ctx context;
  std::array<std::uint8_t, SHA1_DIGEST_SIZE> digest{};
  sha1_init(&context);
  sha1_update(&context, bytes.size(), bytes_of(bytes));
  sha1_digest(&context, digest.size(), digest.data());
  return hex(digest);
}

std::string sha256_hex(std::string_view bytes) {
  sha256_ctx context;
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_init(&context);
  sha256_update(&context, bytes.size(), bytes_of(bytes));
  sha256_digest(&context, digest.size(), digest.data());
  return hex(digest);
}

}  // namespace interlock
