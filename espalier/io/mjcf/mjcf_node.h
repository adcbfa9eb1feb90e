#pragma once

// An element of a MuJoCo file as its reader sees it: missing attributes are taken from its class
// of defaults, then from the class that one lies in, up to the outermost.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "espalier/io/mjcf/mjcf_files.h"
#include "espalier/io/text/xml_reader.h"

namespace tinyxml2 {
class XMLAttribute;
}

namespace espalier::io {

/// One <default class="...">.
struct MjcfClass {
  std::string name;
  const MjcfClass* parent = nullptr;
  std::vector<std::pair<std::string, const XMLElement*>> settings;  ///< by kindOfDefault()
};

/// Key of a tag's defaults: all actuators share theirs, and all equalities.
std::string kindOfDefault(std::string_view tag);

/// Of a part that an attribute names: "joint" of joint1 and jointinparent; empty where it names none.
std::string kindOfReference(std::string_view attribute);

class MjcfNode final : public XmlNode {
 public:
  MjcfNode(MjcfFiles& files, const XMLElement& e, const MjcfClass* kind = nullptr)
      : XmlNode(files.reader(e), e), files_(&files), kind_(kind) {}

  std::string tag() const;
  std::vector<const XMLElement*> children() const { return files_->children(element()); }

  /// Everything that speaks of its kind: the settings of each of its classes, the outermost first, then
  /// itself alone.
  std::vector<std::vector<const XMLElement*>> layers() const;
  /// The last in layers() that has one of these attributes, without classes; itself where none has.
  MjcfNode nearest(std::span<const char* const> attributes) const;

  bool has(const char* attribute) const { return find(attribute).second != nullptr; }
  /// Without white space at its ends; empty where it is absent. Names of bodies, joints, geoms,
  /// sites, tendons and actuators come whole, with the prefix of an attached model and the suffix
  /// of a copy.
  std::string text(const char* attribute) const;
  bool numbers(const char* attribute, std::span<double> out) const override;
  /// As numbers(), but an empty one is absent, with a Warning.
  bool colour(const char* attribute, std::span<double> out) const;
  /// As numbers(), but fewer will do: how many there are, 0 where it is absent or bad.
  int upTo(const char* attribute, std::span<double> out) const;
  /// Any count; empty where it is absent or bad.
  std::vector<double> list(const char* attribute) const;
  /// A whole number of 32 bits.
  int integer(const char* attribute, int fallback) const;
  /// "true" or "false".
  bool flag(const char* attribute, bool fallback) const;
  /// "true", "false", or none where it is "auto" or absent.
  std::optional<bool> choice(const char* attribute) const;

  /// Whom the remarks that follow are about: "body 'torso'".
  void setSubject(std::string subject) const { xml().setSubject(std::move(subject)); }
  void expect(Names known, Names foreign = {}) const;
  /// As once(), of features left out that act in MuJoCo.
  void omit(const std::string& key, const std::string& what, std::string remedy) const;
  /// Those of these attributes that are there, and not zero, are omissions.
  void omitAttributes(Names acting) const;

 private:
  using Place = std::pair<const XMLElement*, const tinyxml2::XMLAttribute*>;

  Place find(const char* attribute) const;
  void bad(const Place& place, const std::string& wanted, std::string remedy) const;

  MjcfFiles* files_;
  const MjcfClass* kind_;
};

}  // namespace espalier::io
