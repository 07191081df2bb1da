// The guard in Prometheus' text format, for node_exporter's textfile collector
// (prometheus.io: Exposition formats, Text-based format).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/identity.h"
#include "model/verdict.h"

namespace interlock::daemon {

struct CardMetrics {
  CardId id;
  PciAddress pci;
  GuardState state = GuardState::blind;
  Verdicts verdicts;
  std::optional<Duration> sample_age;  // nothing: no sample yet
  unsigned trips = 0;
  unsigned sheds = 0;
  unsigned readers_replaced = 0;
  std::size_t readers_hung = 0;
};

struct GuardMetrics {
  std::vector<CardMetrics> cards;
  Duration lateness{};          // the latest that a judgement came after it was due, since the last time
  std::size_t left_behind = 0;  // helpers that could not be ended
  unsigned holder_looks_late = 0;
};

std::string metrics_text(const GuardMetrics& metrics);

}  // namespace interlock::daemon
