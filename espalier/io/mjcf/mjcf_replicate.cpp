// What names a part of a <replicate> is copied with it: tendons, equalities, actuators, pairs and exclusions.

#include <tinyxml2.h>

#include <algorithm>
#include <utility>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

constexpr std::string_view sections_of_copies[] = {"tendon", "equality", "actuator", "contact"};

/// f(isPart) of every name in an element and those in it, where it names a part of the model.
template <class F>
void forEachReference(const MjcfReplicate& replicate, const std::string& prefix,
                      const XMLElement& e, const F& f) {
  for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
    const std::string kind = kindOfReference(a->Name());
    if (!kind.empty())
      f(replicate.names.count({kind, prefix + std::string(trimmed(a->Value()))}) != 0);
  }
  for (const XMLElement* part : childrenOf(e)) forEachReference(replicate, prefix, *part, f);
}

bool namesPart(const MjcfReplicate& replicate, const std::string& prefix, const XMLElement& e) {
  bool isFound = false;
  forEachReference(replicate, prefix, e, [&](bool isPart) { isFound = isFound || isPart; });
  return isFound;
}

/// Whether an element is read whatever it names: sections, and parts of a tendon that is read.
bool isHeld(const XMLElement& e) {
  const XMLElement* parent = e.Parent() == nullptr ? nullptr : e.Parent()->ToElement();
  if (parent == nullptr) return true;
  const std::string_view owner = parent->Name();
  if (owner == "fixed" || owner == "spatial") return true;
  const bool isOutermost = parent->Parent() == nullptr || parent->Parent()->ToElement() == nullptr;
  return isOutermost && e.FirstAttribute() == nullptr;
}

/// MuJoCo leaves out an equality of a copied part and one that is not copied.
bool isLeftOut(MjcfReading& reading, const MjcfReplicate& replicate, const XMLElement& e) {
  bool isMixed = false;
  forEachReference(replicate, reading.files.naming.prefix, e,
                   [&](bool isPart) { isMixed = isMixed || !isPart; });
  if (!isMixed) return false;
  MjcfNode(reading.files, e)
      .once(Severity::Warning, "mixed equality",
            "an equality of a part of a <replicate> and one that is not is left out, as in MuJoCo",
            "write the copies in place of the <replicate>; said once for all of them");
  return true;
}

/// Tendons that are copied are parts of the replicate for what comes after them.
void addTendons(MjcfReading& reading, MjcfReplicate& replicate) {
  MjcfFiles& files = reading.files;
  for (const XMLElement* section : mjcfSections(files, *reading.root, "tendon")) {
    for (const XMLElement* e : files.children(*section)) {
      const std::string name = files.reader(*e).text(*e, "name");
      if (!name.empty() && namesPart(replicate, files.naming.prefix, *e))
        replicate.names.emplace("tendon", files.naming.prefix + name);
    }
  }
}

}  // namespace

void forEachMjcfCopy(MjcfReading& reading, std::string_view tag,
                     const std::function<void()>& readAll) {
  if (reading.replicates.empty() || !isOneOf(tag, sections_of_copies)) return readAll();
  MjcfFiles& files = reading.files;
  const MjcfNaming naming = files.naming;
  const auto wanted = std::exchange(files.filter, nullptr);
  if (tag == "tendon")
    for (MjcfReplicate& replicate : reading.replicates) addTendons(reading, replicate);
  const auto isWanted = [&](const XMLElement& e) { return !wanted || wanted(e); };
  const auto isOf = [&](const MjcfReplicate& replicate, const XMLElement& e) {
    return namesPart(replicate, naming.prefix, e);
  };
  files.filter = [&](const XMLElement& e) {
    const bool isCopied =
        !isHeld(e) &&
        std::any_of(reading.replicates.begin(), reading.replicates.end(),
                    [&](const MjcfReplicate& replicate) { return isOf(replicate, e); });
    return !isCopied && isWanted(e);
  };
  readAll();
  for (const MjcfReplicate& replicate : reading.replicates) {
    files.naming.copied = &replicate;
    files.filter = [&](const XMLElement& e) {
      if (isHeld(e)) return isWanted(e);
      return isOf(replicate, e) && isWanted(e) &&
             !(tag == "equality" && isLeftOut(reading, replicate, e));
    };
    for (const std::string& suffix : replicate.suffixes) {
      files.naming.suffix = naming.suffix + suffix;
      readAll();
    }
  }
  files.naming = naming;
  files.filter = wanted;
}

}  // namespace espalier::io
