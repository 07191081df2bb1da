#include "cli/neutral.h"

#include <fmt/format.h>

#include <array>
#include <functional>
#include <regex>

#include "base/text.h"

namespace interlock::cli {
namespace {

constexpr const char* kNode = "node1";

/// Each match replaced by what `by` makes of it.
std::string replaced(const std::string& text, const std::regex& what,
                     const std::function<std::string(const std::smatch&)>& by) {
  std::string out;
  auto from = text.cbegin();
  for (auto at = std::sregex_iterator(text.begin(), text.end(), what); at != std::sregex_iterator(); ++at) {
    out.append(from, (*at)[0].first);
    out += by(*at);
    from = (*at)[0].second;
  }
  return out.append(from, text.cend());
}

/// The machine's own addresses tell nothing of it.
bool is_everybodys(const std::string& address) {
  return address.starts_with("127.") || address.starts_with("0.") || address.starts_with("255.");
}

std::string escaped(const std::string& word) {
  return replaced(word, std::regex(R"([.*+?()\[\]{}|^$\\/-])"),
                  [](const std::smatch& found) { return "\\" + found.str(); });
}

}  // namespace

void Neutral::hide_id(std::string_view hexadecimal) {
  const auto number = parse_number<std::uint64_t>(hexadecimal, 16);
  if (!number || hexadecimal.empty()) return;
  const std::string other = of_kind("id", std::string(hexadecimal));
  words_[std::string(hexadecimal)] = other;
  words_[std::to_string(*number)] = std::to_string(parse_number<std::uint64_t>(other, 16).value_or(1));
}

std::string Neutral::of_kind(std::string_view kind, const std::string& found) {
  auto& known = known_[std::string(kind)];
  const std::size_t number = known.size() + 1;
  std::string made;
  // Ranges that are kept for documentation (RFC 5737, 3849) and for local use (IEEE 802).
  if (kind == "ipv4")
    made = number < 255 ? fmt::format("192.0.2.{}", number)
                        : fmt::format("198.51.{}.{}", 100 + number / 255, number % 255);
  if (kind == "ipv6") made = fmt::format("2001:db8::{:x}", number);
  if (kind == "mac") made = fmt::format("02:00:00:00:{:02X}:{:02X}", number / 256 % 256, number % 256);
  if (kind == "user") made = fmt::format("user{}", number);
  if (kind == "mail") made = fmt::format("user{}@example.org", number);
  if (kind == "id") made = fmt::format("{:016x}", number);
  return known.emplace(found, made).first->second;
}

std::string Neutral::text(std::string_view given) {
  static const std::regex mac(R"(\b([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}\b)");
  static const std::regex ipv6(
      R"(\b[0-9A-Fa-f]{2,4}(:[0-9A-Fa-f]{1,4}){0,6}::([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4})*)?|\b([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\b)");
  static const std::regex ipv4(R"(\b([0-9]{1,3}\.){3}[0-9]{1,3}\b)");
  static const std::regex user(R"(\b([A-Za-z0-9._-]+)(@(pam|pve)\b))");
  static const std::regex mail(R"(\b[A-Za-z0-9._+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[a-z]{2,}\b)");
  static const std::regex unit(R"(\.(service|socket|timer|target|scope|slice|mount|path)$)");
  std::string out(given);
  for (const auto& [word, other] : words_)
    out = replaced(out, std::regex("\\b" + escaped(word) + "\\b"), [&](const std::smatch&) { return other; });
  out = replaced(out, mac, [&](const std::smatch& found) { return of_kind("mac", found.str()); });
  out = replaced(out, ipv6, [&](const std::smatch& found) { return of_kind("ipv6", found.str()); });
  out = replaced(out, ipv4, [&](const std::smatch& found) {
    return is_everybodys(found.str()) ? found.str() : of_kind("ipv4", found.str());
  });
  out = replaced(out, user, [&](const std::smatch& found) {
    return found[1] == "root" ? found.str() : of_kind("user", found[1]) + found[2].str();
  });
  out = replaced(out, mail, [&](const std::smatch& found) {
    return std::regex_search(found.str(), unit) ? found.str() : of_kind("mail", found.str());
  });
  if (node_.empty()) return out;
  const std::regex node("((?:nodes/|UPID:|node=|\\bnode[ :]+|\\bnodes[ :]+))" + escaped(node_) +
                        "(?![A-Za-z0-9_-])");
  return replaced(out, node, [](const std::smatch& found) { return found[1].str() + kNode; });
}

std::string Neutral::path(std::string_view given) {
  return text(given);
}

std::string Neutral::container(std::string_view given, std::string_view vmid) {
  static const std::regex name(R"(^(hostname|lxc\.uts\.name)(\s*[:=]\s*).*)");
  static const std::regex free_text(
      R"(^(description|tags|searchdomain|lxc\.environment\S*|env|entrypoint)(\s*[:=]\s*).*)");
  std::string out;
  for (const auto line : lines_of(given)) {
    std::string one(line);
    if (one.starts_with('#'))
      one = "#";
    else if (std::smatch found; std::regex_match(one, found, name))
      one = fmt::format("{}{}ct{}", found[1].str(), found[2].str(), vmid);
    else if (std::regex_match(one, found, free_text))
      one = found[1].str() + found[2].str() + "hidden";
    out += one;
    if (line.data() + line.size() < given.data() + given.size()) out += '\n';
  }
  return text(out);
}

std::string Neutral::machine(std::string_view given) {
  constexpr std::array<std::string_view, 5> kKept = {"hostpci", "onboot:", "lock:", "template:", "["};
  std::string out;
  for (const auto line : lines_of(given)) {
    for (const auto start : kKept) {
      if (line.starts_with(start)) out += std::string(line) + "\n";
    }
  }
  return out;
}

}  // namespace interlock::cli
