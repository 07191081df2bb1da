#include "cli/taken.h"

#include <algorithm>

namespace interlock::cli {
namespace {

using Json = nlohmann::json;
constexpr int kSchema = 1;

Json answers_json(const Taken& taken) {
  Json answers = Json::array();
  for (const TakenAnswer& answer : taken.answers) {
    answers.push_back({{"argv", answer.argv},
                       {"how", static_cast<int>(answer.end.how)},
                       {"code", answer.end.code},
                       {"output", answer.end.output},
                       {"errors", answer.end.errors},
                       {"deadline_ns", answer.end.deadline.count()},
                       {"error", answer.error},
                       {"error_code", answer.error_code}});
  }
  return answers;
}

TakenAnswer answer_of(const Json& json) {
  TakenAnswer answer;
  json.at("argv").get_to(answer.argv);
  answer.end.how = static_cast<CommandEnd::How>(std::clamp(json.at("how").get<int>(), 0, 2));
  json.at("code").get_to(answer.end.code);
  json.at("output").get_to(answer.end.output);
  json.at("errors").get_to(answer.end.errors);
  answer.end.deadline = Duration{json.at("deadline_ns").get<std::int64_t>()};
  json.at("error").get_to(answer.error);
  json.at("error_code").get_to(answer.error_code);
  return answer;
}

void read_beside_files(const Json& json, Taken& taken) {
  json.at("errors").get_to(taken.errors);
  json.at("locks").get_to(taken.locks);
  json.at("now_ns").get_to(taken.now_ns);
  json.at("wall_clock").get_to(taken.wall_clock);
  for (const Json& answer : json.at("answers")) taken.answers.push_back(answer_of(answer));
}

}  // namespace

void Taken::add_answer(TakenAnswer answer) {
  std::erase_if(answers, [&](const TakenAnswer& known) { return known.argv == answer.argv; });
  answers.push_back(std::move(answer));
}

void Taken::add(Taken more) {
  for (auto& [path, file] : more.files) {
    if (file.read || !files.contains(path) || !files.at(path).read) files[path] = std::move(file);
  }
  errors.merge(more.errors);
  for (const auto& [path, held] : more.locks) locks[path] = held;
  for (TakenAnswer& answer : more.answers) add_answer(std::move(answer));
}

Json beside_files(const Taken& taken) {
  return {{"schema", kSchema},      {"now_ns", taken.now_ns}, {"wall_clock", taken.wall_clock},
          {"errors", taken.errors}, {"locks", taken.locks},   {"answers", answers_json(taken)}};
}

Result<Taken> from_beside_files(std::string_view text) {
  Taken taken;
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != kSchema) return fail("it is of another version than this program understands");
    read_beside_files(json, taken);
  } catch (const Json::exception& error) {
    return fail("{}", error.what());
  }
  return taken;
}

std::string packed(const Taken& taken) {
  Json json = beside_files(taken);
  json["files"] = Json::array();
  for (const auto& [path, file] : taken.files) {
    json["files"].push_back({path, static_cast<int>(file.kind), file.content, file.target, file.read,
                             file.device_major, file.device_minor});
  }
  const auto bytes = Json::to_cbor(json);  // which, unlike text, takes any bytes
  return {bytes.begin(), bytes.end()};
}

Result<Taken> unpacked(std::string_view bytes) {
  Taken taken;
  try {
    const Json json = Json::from_cbor(bytes);
    read_beside_files(json, taken);
    for (const Json& file : json.at("files")) {
      taken.files[file.at(0)] = {.kind = static_cast<FileInfo::Kind>(file.at(1).get<int>()),
                                 .content = file.at(2),
                                 .target = file.at(3),
                                 .read = file.at(4),
                                 .device_major = file.at(5),
                                 .device_minor = file.at(6)};
    }
  } catch (const Json::exception& error) {
    return fail("a card's sensors were read only in part: {}", error.what());
  }
  return taken;
}

}  // namespace interlock::cli
