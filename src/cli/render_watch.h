// What `watch` shows: one screen of values. Pure; nothing here knows a terminal.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "cli/curve.h"
#include "cli/render.h"

namespace interlock::cli {

/// The last temperatures of each card, one a look.
class WatchHistory {
 public:
  void add(const std::vector<CardStatus>& statuses);
  Values of(const CardId& card, Channel channel) const;

 private:
  using Point = std::array<std::optional<Celsius>, 2>;
  std::map<CardId, std::deque<Point>> points_;
};

struct WatchView {
  const HostState& state;
  const Policy& policy;
  const Audit& audit;
  const WatchHistory& history;
  std::string foot;  // the last line
};

struct ScreenForm {
  int columns = 80;
  int rows = 24;
  bool unicode = true;
};

/// At most `rows` lines of at most `columns` characters. Cards keep their places, in the policy's order;
/// curves are as high as the screen allows, and are left out before a card is.
std::vector<std::string> watch_lines(const WatchView& view, const ScreenForm& form, const Style& style);

/// At most `columns` characters of it; colours take none.
std::string clipped(const std::string& text, int columns);

}  // namespace interlock::cli
