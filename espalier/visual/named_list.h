#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "espalier/core/check.h"

namespace espalier {

/// Drawings of one kind in the order in which they were added, found by the member `key`, their name.
template <class T, auto key = &T::name>
class NamedList {
 public:
  T* add(std::unique_ptr<T> item) { return items_.emplace_back(std::move(item)).get(); }

  /// Null where there is none.
  T* find(const std::string& name) const {
    for (const auto& item : items_)
      if (item.get()->*key == name) return item.get();
    return nullptr;
  }
  /// errors  throws std::invalid_argument where there is none
  T* get(const std::string& name) const {
    T* found = find(name);
    ESPALIER_REQUIRE(found != nullptr, "there is no visual '" + name + "' of this kind");
    return found;
  }

  void remove(const std::string& name) { remove(get(name)); }
  void remove(const T* item) {
    std::erase_if(items_, [item](const auto& other) { return other.get() == item; });
  }

  const std::vector<std::unique_ptr<T>>& all() const { return items_; }

 private:
  std::vector<std::unique_ptr<T>> items_;
};

}  // namespace espalier
