#include "model/plan.h"

namespace interlock {

std::string Step::subject() const {
  if (!card_name.empty()) return card_name;
  if (container && unit) return container->text() + "/" + unit->text();
  if (container) return container->text();
  return cards.empty() ? "host" : cards.front().text();
}

}  // namespace interlock
