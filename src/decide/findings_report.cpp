#include "decide/findings_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.h"
#include "decide/finding_codes.h"

namespace interlock::decide {

void Report::add(std::string_view code, Words words) {
  const FindingCode* known = find_code(code);
  if (known == nullptr) throw std::logic_error(fmt::format("no finding has the code '{}'", code));
  add(code, known->severity, std::move(words));
}

void Report::add(std::string_view code, Severity severity, Words words) {
  audit_.findings.push_back({std::string(code), severity, std::move(words.subject), std::move(words.message),
                             std::move(words.remedy)});
}

void Report::cannot_tell(std::string sentence) {
  const bool said = std::ranges::find(audit_.unknown, sentence) != audit_.unknown.end();
  if (!said) audit_.unknown.push_back(std::move(sentence));
}

Audit Report::audit() const {
  Audit sorted = audit_;
  std::ranges::stable_sort(sorted.findings, {}, &Finding::severity);
  return sorted;
}

std::vector<std::string> AuditInput::names(const std::set<PciAddress>& cards) const {
  std::vector<std::string> found;
  for (const PolicyCard& each : policy.cards) {
    if (cards.contains(each.pci)) found.push_back(each.id.text());
  }
  return found;
}

bool AuditInput::binds_ours(const Container& container) const {
  return std::ranges::any_of(policy.cards, [&](const PolicyCard& each) { return container.binds(each.pci); });
}

std::vector<const Container*> AuditInput::binders(const PciAddress& card) const {
  std::vector<const Container*> found;
  for (const Container& container : state.containers) {
    if (is_ours(card) && container.binds(card)) found.push_back(&container);
  }
  return found;
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return joined(names, "");
  const std::vector<std::string> head(names.begin(), names.end() - 1);
  return joined(head, ", ") + " and " + names.back();
}

}  // namespace interlock::decide
