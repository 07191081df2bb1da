#include "daemon/journal_log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace interlock::daemon {
namespace {

spdlog::level::level_enum level_of(Priority priority) {
  switch (priority) {
    case Priority::critical:
      return spdlog::level::critical;
    case Priority::error:
      return spdlog::level::err;
    case Priority::warning:
      return spdlog::level::warn;
    case Priority::notice:
    case Priority::info:
      return spdlog::level::info;
  }
  return spdlog::level::info;
}

}  // namespace

Log::Log(bool rooted)
    // Set by systemd where standard error goes to the journal: then its native form, with fields, does too.
    : to_journal_(!rooted && std::getenv("JOURNAL_STREAM") != nullptr),
      stderr_(std::make_shared<spdlog::logger>("gpu-interlockd",
                                               std::make_shared<spdlog::sinks::stderr_sink_st>())) {
  stderr_->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc);
  stderr_->flush_on(spdlog::level::info);
}

void Log::write(const Event& event) {
  if (to_journal_) return write_to_journal(event);
  const std::string subject = event.card ? event.card->text() + ": " : std::string{};
  stderr_->log(level_of(traits(event.kind).priority), "{}: {}{}", traits(event.kind).name, subject,
               event.message);
}

void Log::write_to_journal(const Event& event) {
  const EventTraits& kind = traits(event.kind);
  std::vector<std::string> fields;
  const auto field = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) fields.push_back(fmt::format("{}={}", name, value));
  };
  const std::string subject = event.card ? event.card->text() + ": " : std::string{};
  field("MESSAGE", subject + event.message);
  field("MESSAGE_ID", kind.message_id);
  field("PRIORITY", std::to_string(static_cast<int>(kind.priority)));
  field("SYSLOG_IDENTIFIER", "gpu-interlockd");
  if (event.card) field("CARD", event.card->text());
  if (event.pci) field("CARD_PCI", event.pci->text());
  field("REASON", event.reason);
  if (event.celsius) field("CELSIUS", fmt::format("{:.1f}", event.celsius->degrees()));
  if (event.container) field("CONTAINER", event.container->text());
  field("UNIT", event.unit);
  field("RUNG", event.rung);
  std::vector<iovec> vector;
  for (std::string& text : fields) vector.push_back({text.data(), text.size()});
  if (sd_journal_sendv(vector.data(), static_cast<int>(vector.size())) < 0) {
    stderr_->log(level_of(kind.priority), "{}: {}{}", kind.name, subject, event.message);
  }
}

}  // namespace interlock::daemon
