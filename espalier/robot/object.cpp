#include "espalier/robot/object.h"

#include "espalier/step/step_data.h"

namespace espalier {

const std::vector<ContactView>& Object::getContacts(ContactFilter filter) const {
  std::vector<ContactView>& views = contacts_[static_cast<int>(filter)];
  std::vector<int>& counts = world_.contactsOfObject;  // so far, of each object
  counts.assign(world_.owned.size() + world_.free.size(), 0);
  const int me = getIndexInWorld();
  std::size_t count = 0;
  // Entries are overwritten in place: where the contacts are the same, references stay valid.
  const auto list = [&](const ContactView& view) {
    if (count < views.size())
      views[count] = view;
    else
      views.push_back(view);
    ++count;
  };
  for (int i = 0; i < world_.reportedContacts(); ++i) {
    const Contact& c = world_.contacts[i];
    if (filter == ContactFilter::TOUCHING && !c.touches()) continue;
    const int inA = counts[c.objectA]++;
    const int inB = counts[c.objectB]++;
    if (c.objectA == me) list(ContactView(c, {i, inA, inB}, true));
    if (c.objectB == me) list(ContactView(c, {i, inB, inA}, false));
  }
  views.erase(views.begin() + static_cast<std::ptrdiff_t>(count), views.end());
  return views;
}

}  // namespace espalier
