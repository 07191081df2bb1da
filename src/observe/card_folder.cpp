#include "observe/card_folder.h"

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "observe/gpu_metrics.h"

namespace interlock::observe {
namespace {

FileRead failed(int error) {
  return {.error = error, .text = {}};
}

RuntimeStatus read_runtime_status(CardFolder& card) {
  const FileRead status = card.read("power/runtime_status", FileRead::kLongest);
  return status.error == 0 ? runtime_status(trimmed(status.text)) : RuntimeStatus::unknown;
}

/// A card that has dropped off the bus answers every read with all ones (amdgpu.md, 2.10).
bool is_off_the_bus(CardFolder& card) {
  const FileRead config = card.read("config", 2);
  return config.error == 0 && config.text == "\xff\xff";
}

ChannelSample unreadable(int error) {
  return {.label = failed(error), .input = failed(error)};
}

ChannelSample sample_of(CardFolder& card, const std::vector<Temperature>& found, std::string_view label) {
  const auto is_it = [&](const Temperature& temperature) { return temperature.name() == label; };
  const auto match = std::ranges::find_if(found, is_it);
  if (match == found.end()) {
    // It may be the one whose label could not be read.
    const auto unread = std::ranges::find_if(found, [](const auto& other) { return other.label.error != 0; });
    return unreadable(unread == found.end() ? ENOENT : unread->label.error);
  }
  if (std::ranges::count_if(found, is_it) > 1) return {.label = match->label, .input = failed(ENOTUNIQ)};
  return {.label = match->label, .input = card.read(match->stem + "_input", FileRead::kLongest)};
}

bool was_refused(const std::optional<ChannelSample>& channel) {
  return channel && (channel->input.error == EPERM || channel->input.error == EBUSY);
}

void read_channels(CardFolder& card, CardSample& sample) {
  const auto found = temperatures(card);
  if (!found) {
    sample.channels.fill(unreadable(found.error().code != 0 ? found.error().code : EIO));
    return;
  }
  for (const Channel channel : kChannels) {
    sample.channels[static_cast<std::size_t>(channel)] = sample_of(card, *found, driver_label(channel));
  }
  if (std::ranges::count(*found, "edge", &Temperature::name) == 1) {
    sample.edge = sample_of(card, *found, "edge").input;
  }
  // A card that fell asleep since we asked refuses to be read; a card in a reset refuses in the same words.
  if (std::ranges::any_of(sample.channels, was_refused)) sample.runtime = read_runtime_status(card);
}

}  // namespace

std::string Temperature::name() const {
  return label.error == 0 ? std::string(trimmed(label.text)) : std::string();
}

Result<std::vector<std::string>> find_label_files(const ListFolder& list) {
  std::vector<std::string> files;
  const auto folders = list("hwmon");
  if (!folders && is_missing(folders.error())) return files;
  if (!folders) return std::unexpected(folders.error());
  for (const std::string& hwmon : *folders) {
    if (!hwmon.starts_with("hwmon")) continue;
    const std::string folder = "hwmon/" + hwmon;
    for (const std::string& name : TRY(list(folder))) {
      if (name.starts_with("temp") && name.ends_with("_label")) files.push_back(folder + "/" + name);
    }
  }
  return files;
}

Result<std::vector<Temperature>> temperatures(CardFolder& card) {
  std::vector<Temperature> found;
  for (const std::string& file : TRY(card.label_files())) {
    const std::string stem = file.substr(0, file.size() - std::string_view("_label").size());
    found.push_back({.stem = stem, .label = card.read(file, FileRead::kLongest)});
  }
  return found;
}

CardSample take_sample(CardFolder& card, Instant now) {
  CardSample sample;
  sample.taken_at = now;
  sample.present = card.present();
  sample.unique_id = failed(ENOENT);
  if (!sample.present) return sample;
  sample.driver = card.driver();
  sample.unique_id = card.read("unique_id", FileRead::kLongest);
  sample.runtime = read_runtime_status(card);
  if (sample.runtime == RuntimeStatus::suspended) return sample;
  sample.off_the_bus = is_off_the_bus(card);
  if (sample.off_the_bus) {
    // Each further read would wait seconds for a card that is not there (amdgpu.md, 1.7).
    sample.channels.fill(unreadable(ENODEV));
    return sample;
  }
  read_channels(card, sample);
  if (sample.runtime == RuntimeStatus::suspended) return sample;
  const FileRead metrics = card.read("gpu_metrics", kGpuMetricsBytes);
  if (metrics.error == 0) sample.energy = energy_accumulator(metrics.text);
  const FileRead busy = card.read("gpu_busy_percent", FileRead::kLongest);
  if (busy.error == 0) sample.busy_percent = parse_number<unsigned>(trimmed(busy.text));
  return sample;
}

}  // namespace interlock::observe
