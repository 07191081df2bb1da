#include "model/json_bytes.h"

#include <fmt/ranges.h>

#include "base/text.h"

namespace interlock {
namespace {

using nlohmann::json;

bool is_utf8(std::string_view bytes) {
  try {
    static_cast<void>(
        json(bytes).dump());  // its strict handler is the only UTF-8 check that the library offers
    return true;
  } catch (const json::type_error&) {
    return false;
  }
}

}  // namespace

json bytes_to_json(std::string_view bytes) {
  if (is_utf8(bytes)) return bytes;
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return {{"hex", hex}};
}

Result<std::string> bytes_from_json(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_object() || value.size() != 1 || !value.contains("hex") || !value["hex"].is_string()) {
    return fail("neither a string nor bytes in hexadecimal");
  }
  const auto& hex = value["hex"].get_ref<const std::string&>();
  if (hex.size() % 2 != 0) return fail("an odd number of hexadecimal digits");
  std::string bytes;
  for (std::size_t at = 0; at < hex.size(); at += 2) {
    const auto byte = parse_number<unsigned char>(std::string_view(hex).substr(at, 2), 16);
    if (!byte) return fail("no hexadecimal digits: \"{}\"", printable(hex));
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

std::string compact(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<json> parse_json(std::string_view text) {
  json value = json::parse(text, nullptr, false);
  if (value.is_discarded()) return fail("not JSON");
  return value;
}

}  // namespace interlock
