#include "espalier/world/object.h"

#include "espalier/world/objects.h"

namespace espalier {

int Object::getIndexInWorld() const { return indexOf(world_, this); }

std::vector<ContactView> Object::getContacts() const {
  std::vector<ContactView> views;
  const int me = getIndexInWorld();
  for (int i = 0; i < world_.contactCount; ++i) {
    const Contact& c = world_.contacts[static_cast<std::size_t>(i)];
    const bool isSelf = c.objectA == me && c.objectB == me;
    if (c.objectA == me) views.emplace_back(c, i, true, isSelf);
    if (c.objectB == me) views.emplace_back(c, i, false, isSelf);
  }
  return views;
}

}  // namespace espalier
