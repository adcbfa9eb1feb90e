#pragma once

// The base of all objects of a World: a name, a place in the world's list, a kind, and its
// contacts.

#include <array>
#include <string>
#include <vector>

#include "espalier/model/spec/spec.h"
#include "espalier/robot/contact_view.h"

namespace espalier {

struct StepData;

/// Handles are made by World::add... and stay valid until World::removeObject or the World's end.
class Object {
 public:
  Object(StepData& world, std::string name) : world_(world), name_(std::move(name)) {}
  virtual ~Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  const std::string& getName() const { return name_; }
  /// Any text; World::getObject(name) finds the first that has it.
  void setName(const std::string& name) { name_ = name; }
  /// Its place among the world's objects; changes when an earlier one is removed.
  virtual int getIndexInWorld() const = 0;
  virtual ObjectType getObjectType() const = 0;
  virtual BodyType getBodyType() const = 0;
  /// Its contacts of the last step, as it sees them; between integrate1 and integrate2 those of the
  /// step in progress, without impulses. By default only active contacts (ContactView::isActive()).
  /// A contact between two bodies of this object is there twice; the second says skip(). Empty
  /// after a user has set a coordinate, a velocity or a pose of the object, until the next step.
  ///   returns  a list that this object keeps, one for each filter; a call brings it up to date, so
  ///            that a reference to it, and to its entries, holds until the first call after a step
  ///   cost     linear in the world's contacts
  const std::vector<ContactView>& getContacts(ContactFilter filter = ContactFilter::TOUCHING) const;

 protected:
  StepData& world_;

 private:
  std::string name_;
  mutable std::array<std::vector<ContactView>, 2> contacts_;  ///< by ContactFilter
};

}  // namespace espalier
