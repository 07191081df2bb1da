// Units of measure. Temperatures are whole millidegrees, as the kernel gives them; never floating point.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace interlock {

class Celsius {
 public:
  static constexpr Celsius from_milli(std::int64_t milli) { return Celsius{milli}; }
  static constexpr Celsius from_degrees(std::int64_t degrees) { return Celsius{degrees * 1000}; }
  constexpr std::int64_t milli() const { return milli_; }
  constexpr double degrees() const { return static_cast<double>(milli_) / 1000.0; }
  constexpr auto operator<=>(const Celsius&) const = default;
  constexpr Celsius operator-(Celsius other) const { return Celsius{milli_ - other.milli_}; }
  constexpr Celsius operator+(Celsius other) const { return Celsius{milli_ + other.milli_}; }

 private:
  explicit constexpr Celsius(std::int64_t milli) : milli_(milli) {}
  std::int64_t milli_;
};

/// "103.0 C"
std::string to_string(Celsius temperature);

using Bytes = std::uint64_t;
inline constexpr Bytes kKiB = 1024;
inline constexpr Bytes kMiB = 1024 * kKiB;

/// "26.6 GiB", "64 MiB", "512 KiB"
std::string bytes_text(Bytes bytes);

}  // namespace interlock
