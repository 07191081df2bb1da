// Names of things. Each is made only by a parse that can fail, so that a value in hand is a valid one.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace interlock {

/// Where a card sits: "0000:03:00.0", four-digit domain, lower case (kernel:
/// Documentation/PCI/sysfs-pci.rst).
class PciAddress {
 public:
  /// Takes an eight-digit domain and capitals too, and normalises them; nothing else is forgiven.
  static std::optional<PciAddress> parse(std::string_view text);
  const std::string& text() const { return text_; }
  auto operator<=>(const PciAddress&) const = default;

 private:
  explicit PciAddress(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// A guest's number, 100 to 999999999 (pve-common, JSONSchema.pm: pve-vmid).
class Vmid {
 public:
  static std::optional<Vmid> parse(std::string_view text);
  std::uint32_t number() const { return number_; }
  std::string text() const { return std::to_string(number_); }
  auto operator<=>(const Vmid&) const = default;

 private:
  explicit Vmid(std::uint32_t number) : number_(number) {}
  std::uint32_t number_;
};

/// A systemd unit with its suffix, "llamacpp.service"; characters and length as systemd allows (unit-name.c).
class UnitName {
 public:
  static std::optional<UnitName> parse(std::string_view text);
  const std::string& text() const { return text_; }
  auto operator<=>(const UnitName&) const = default;

 private:
  explicit UnitName(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

/// What the policy calls a card: "gpu1".
class CardId {
 public:
  /// Letters, digits, '-', '_' and '.', at most 32, beginning with a letter.
  static std::optional<CardId> parse(std::string_view text);
  const std::string& text() const { return text_; }
  auto operator<=>(const CardId&) const = default;

 private:
  explicit CardId(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

using Pid = std::int32_t;

/// What was asked, and whether the question was answered at all.
enum class Truth { no, yes, unknown };
constexpr Truth truth(bool value) {
  return value ? Truth::yes : Truth::no;
}
std::string_view to_string(Truth value);

}  // namespace interlock
