#include "cli/render_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/render_card.h"

namespace interlock::cli {
namespace {

constexpr std::size_t kLongest = 2048;  // looks: wider than any screen
constexpr int kHighest = 8;             // lines of a curve
constexpr std::size_t kMostFindings = 4;
constexpr int kLabel = 8;  // "trip 102"

std::string card_line(const CardStatus& status, const Policy& policy, const Style& style) {
  const auto cell = [](const Cell& one, std::size_t width) {
    return one.shown + std::string(width > one.text.size() ? width - one.text.size() : 0, ' ');
  };
  const std::string& name = status.card->id.text();
  std::string line = cell({name, style.bold(name)}, 6) + "  " + cell(state_cell(status, style), 8);
  for (const Channel channel : kChannels) {
    if (!policy.guard.limits(channel)) continue;
    line += fmt::format("  {} {}", to_string(channel),
                        cell(channel_cell(status.verdicts, policy.guard, channel, style), 7));
  }
  return line + "  " + memory_text(*status.card) + "  " + use_text(status.use);
}

std::vector<Channel> guarded_channels(const Policy& policy) {
  std::vector<Channel> channels;
  for (const Channel channel : kChannels) {
    if (policy.guard.limits(channel)) channels.push_back(channel);
  }
  return channels;
}

/// Beside a curve: where its lines are.
std::string label(const Curve& drawn, const Limits& limits, std::size_t line) {
  if (line == drawn.trip_line) return fmt::format("trip {}", limits.trip.milli() / 1000);
  if (line == drawn.warn_line) return fmt::format("warn {}", limits.warn.milli() / 1000);
  return {};
}

/// The curves of one card, side by side.
std::vector<std::string> curve_lines(const WatchView& view, const CardId& card, int height,
                                     const ScreenForm& form, const Style& style) {
  const auto channels = guarded_channels(view.policy);
  std::vector<std::string> lines(static_cast<std::size_t>(height), " ");
  if (channels.empty()) return lines;
  const int width = (form.columns - 1) / static_cast<int>(channels.size()) - kLabel - 3;
  if (width < 8) return {};
  for (const Channel channel : channels) {
    const auto& limits = view.policy.guard.limits(channel);
    const CurveForm shape{.width = width, .height = height, .unicode = form.unicode};
    const auto drawn = curve(view.history.of(card, channel), limits, shape, style);
    for (std::size_t at = 0; at < lines.size(); ++at)
      lines[at] += " " + drawn.lines[at] + " " +
                   style.dim(fmt::format("{:<{}}", label(drawn, *limits, at), kLabel + 1));
  }
  return lines;
}

std::vector<std::string> finding_lines(const Audit& audit, const Style& style) {
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (const Finding& finding : audit.findings) {
    if (finding.severity != Severity::violation) continue;
    if (lines.size() < kMostFindings)
      lines.push_back(style.bad(finding.subject) + " " + printable(finding.message));
    else
      ++more;
  }
  if (!audit.unknown.empty()) lines.push_back(style.bad("cannot tell ") + printable(audit.unknown.front()));
  if (more > 0) lines.push_back(style.bad(counted(more, "more violation")) + ": gpu-interlock audit");
  return lines;
}

int size_of(const std::vector<std::string>& lines) {
  return static_cast<int>(lines.size());
}

}  // namespace

void WatchHistory::add(const std::vector<CardStatus>& statuses) {
  for (const CardStatus& status : statuses) {
    Point point;
    for (const Channel channel : kChannels) {
      const auto index = static_cast<std::size_t>(channel);
      if (status.verdicts.at(index)) point.at(index) = status.verdicts.at(index)->celsius;
    }
    auto& points = points_[status.card->id];
    points.push_back(point);
    if (points.size() > kLongest) points.pop_front();
  }
}

Values WatchHistory::of(const CardId& card, Channel channel) const {
  Values values;
  const auto found = points_.find(card);
  if (found == points_.end()) return values;
  for (const Point& point : found->second) values.push_back(point.at(static_cast<std::size_t>(channel)));
  return values;
}

std::vector<std::string> watch_lines(const WatchView& view, const ScreenForm& form, const Style& style) {
  const auto statuses = card_statuses(view.state, view.policy);
  std::vector<std::string> head = {fmt::format(
      "{}: {}; {}.", style.bold(view.state.node.empty() ? "this host" : printable(view.state.node)),
      guard_line(view.state, style), cutover_line(view.state, style))};
  const auto findings = finding_lines(view.audit, style);
  head.insert(head.end(), findings.begin(), findings.end());
  std::vector<std::vector<std::string>> cards;
  int words = 0;
  for (const CardStatus& status : statuses) {
    cards.push_back({card_line(status, view.policy, style)});
    if (!status.reason.empty()) cards.back().push_back("  " + printable(status.reason));
    words += size_of(cards.back());
  }
  const int foot = view.foot.empty() ? 0 : 1;
  const int left = form.rows - size_of(head) - words - foot;
  const int count = cards.empty() ? 1 : static_cast<int>(cards.size());
  const int height = std::clamp(left / count - 1, 0, kHighest);  // an empty line below each

  std::vector<std::string> lines = std::move(head);
  for (std::size_t at = 0; at < cards.size(); ++at) {
    if (height > 0) lines.emplace_back();
    lines.insert(lines.end(), cards[at].begin(), cards[at].end());
    if (height == 0) continue;
    const auto drawn = curve_lines(view, statuses[at].card->id, height, form, style);
    lines.insert(lines.end(), drawn.begin(), drawn.end());
  }
  const int room = std::max(form.rows - foot, 1);
  if (size_of(lines) > room) {
    lines.resize(static_cast<std::size_t>(room));
    lines.back() = style.warn("the screen is too small for the rest: gpu-interlock status");
  }
  if (foot > 0) lines.push_back(style.dim(view.foot));
  for (std::string& line : lines) line = clipped(line, form.columns);
  return lines;
}

std::string clipped(const std::string& text, int columns) {
  std::string out;
  int shown = 0;
  bool coloured = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b') {
      const auto end = std::min(text.find('m', at), text.size() - 1);
      out.append(text, at, end - at + 1);
      coloured = true;
      at = end + 1;
      continue;
    }
    std::size_t next = at + 1;  // behind all bytes of this character
    while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xc0U) == 0x80U) ++next;
    if (++shown > columns) break;
    out.append(text, at, next - at);
    at = next;
  }
  return shown > columns && coloured ? out + "\x1b[0m" : out;
}

}  // namespace interlock::cli
