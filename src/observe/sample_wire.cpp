#include "observe/sample_wire.h"

#include <concepts>
#include <cstring>

namespace interlock::observe {
namespace {

constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kHeader = 2 * sizeof(std::uint32_t);  // length of the whole record, version

class Writer {
 public:
  template <std::integral T>
  void number(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    const auto cut = value.substr(0, FileRead::kLongest + 1);
    number(static_cast<std::uint8_t>(cut.size()));
    bytes_.append(cut);
  }
  void file(const FileRead& read) {
    number(read.error);
    text(read.text);
  }
  template <class T, class Put>
  void maybe(const std::optional<T>& value, Put put) {
    number(static_cast<std::uint8_t>(value.has_value()));
    if (value) put(*value);
  }
  std::string record() && {
    const auto length = static_cast<std::uint32_t>(kHeader + bytes_.size());
    std::string whole(kHeader, '\0');
    std::memcpy(whole.data(), &length, sizeof length);
    std::memcpy(whole.data() + sizeof length, &kVersion, sizeof kVersion);
    return whole + bytes_;
  }

 private:
  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <std::integral T>
  T number() {
    T value{};
    if (bytes_.size() < sizeof value) {
      whole_ = false;
      return value;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  bool flag() { return number<std::uint8_t>() != 0; }
  std::string text() {
    const std::size_t length = number<std::uint8_t>();
    if (bytes_.size() < length) {
      whole_ = false;
      return {};
    }
    std::string value(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return value;
  }
  FileRead file() {
    const int error = number<int>();
    return {error, text()};
  }
  template <class Get>
  auto maybe(Get get) -> std::optional<decltype(get())> {
    if (!flag()) return std::nullopt;
    return get();
  }
  bool at_end() const { return whole_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool whole_ = true;
};

CardSample decode(Reader& reader) {
  CardSample sample;
  sample.taken_at = instant_from_ns(reader.number<std::int64_t>());
  sample.present = reader.flag();
  sample.off_the_bus = reader.flag();
  sample.driver = reader.text();
  sample.unique_id = reader.file();
  sample.runtime = static_cast<RuntimeStatus>(reader.number<std::uint8_t>());
  for (auto& channel : sample.channels) {
    channel = reader.maybe([&reader] {
      FileRead label = reader.file();
      return ChannelSample{std::move(label), reader.file()};
    });
  }
  sample.edge = reader.maybe([&reader] { return reader.file(); });
  sample.energy = reader.maybe([&reader] { return reader.number<std::uint64_t>(); });
  sample.busy_percent = reader.maybe([&reader] { return reader.number<unsigned>(); });
  return sample;
}

std::uint32_t number_at(std::string_view bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

}  // namespace

std::string encode_sample(const CardSample& sample) {
  Writer writer;
  writer.number(to_ns(sample.taken_at));
  writer.number(static_cast<std::uint8_t>(sample.present));
  writer.number(static_cast<std::uint8_t>(sample.off_the_bus));
  writer.text(sample.driver);
  writer.file(sample.unique_id);
  writer.number(static_cast<std::uint8_t>(sample.runtime));
  for (const auto& channel : sample.channels) {
    writer.maybe(channel, [&writer](const ChannelSample& read) {
      writer.file(read.label);
      writer.file(read.input);
    });
  }
  writer.maybe(sample.edge, [&writer](const FileRead& read) { writer.file(read); });
  writer.maybe(sample.energy, [&writer](std::uint64_t value) { writer.number(value); });
  writer.maybe(sample.busy_percent, [&writer](unsigned value) { writer.number(value); });
  return std::move(writer).record();
}

Result<std::optional<CardSample>> next_sample(std::string& bytes) {
  if (bytes.size() < kHeader) return std::nullopt;
  const std::size_t length = number_at(bytes, 0);
  const std::uint32_t version = number_at(bytes, sizeof(std::uint32_t));
  if (version != kVersion) return fail("a sample record of version {}, not {}", version, kVersion);
  if (length < kHeader || length > kLongestRecord) return fail("a sample record of {} bytes", length);
  if (bytes.size() < length) return std::nullopt;
  Reader reader(std::string_view(bytes).substr(kHeader, length - kHeader));
  CardSample sample = decode(reader);
  if (!reader.at_end()) return fail("a sample record whose length and content disagree");
  if (sample.runtime > RuntimeStatus::unknown) return fail("a sample record with an unknown runtime status");
  bytes.erase(0, length);
  return sample;
}

}  // namespace interlock::observe
