#pragma once

// An element of a world file as its reader sees it: names in snake_case or camelCase, numbers
// between spaces or commas, [THIS_DIR] filled in, and missing attributes taken from its class.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "espalier/io/text/xml_reader.h"

namespace tinyxml2 {
class XMLAttribute;
}

namespace espalier::io {

class Node final : public XmlNode {
 public:
  /// All that one file's nodes share.
  struct File {
    XmlReader xml;
    std::string folder;  ///< value of [THIS_DIR]
  };

  /// kind: the object class the element names, or null.
  Node(File& file, const XMLElement& e, const XMLElement* kind = nullptr)
      : XmlNode(file.xml, e), file_(&file), kind_(kind) {}

  /// As the file spells it, and in snake_case.
  const char* spelled() const;
  std::string tag() const;

  bool has(const char* attribute) const { return find(attribute) != nullptr; }
  /// Without white space at its ends; empty where it is absent.
  std::string text(const char* attribute) const;
  bool numbers(const char* attribute, std::span<double> out) const override;
  double required(const char* attribute, double fallback) const;
  /// R of w x y z; unchanged where it is absent or, with an Error, no rotation.
  void rotation(const char* attribute, Mat3d& R) const;
  /// Any count of numbers; none where it is absent or bad (then with an Error).
  std::optional<std::vector<double>> list(const char* attribute) const;
  /// A whole number in [least, most].
  int integer(const char* attribute, int fallback, int least, int most) const;
  bool flag(const char* attribute, bool fallback) const;
  /// A collision group or mask: a whole number, or collision[i|j|...].
  std::uint64_t bits(const char* attribute, std::uint64_t fallback) const;

  /// The first child of that name, the class's where the element has none.
  std::optional<Node> child(const char* name) const;
  std::vector<Node> children() const;

  /// A Warning for each kind of attribute or child that is not known, a Note for foreign ones.
  void expect(Names attributes, Names children, Names foreign = {}) const;

  /// Said once of each text.
  void once(Severity severity, const std::string& what, std::string remedy) const;
  /// As once(), of features left out that act in RaiSim.
  void omit(const std::string& what, std::string remedy) const;

 private:
  const tinyxml2::XMLAttribute* find(const char* attribute) const;
  void bad(const tinyxml2::XMLAttribute& attribute, const std::string& wanted,
           std::string remedy) const;

  File* file_;
  const XMLElement* kind_;
};

/// xSample -> x_sample.
std::string snakeCase(std::string_view name);

/// Numbers between spaces or commas; none where a piece is none.
std::optional<std::vector<double>> splitNumbers(std::string_view text);

/// RaiSim's appearance strings: a colour's name, or its red, green, blue (and opacity).
/// "red", "0.8, 0.3, 0.3", "0.8 0.3 0.3 1", "hidden" (nothing to be seen); none where it is
/// neither, as with names of textures.
std::optional<std::array<double, 4>> parseAppearance(const std::string& text);

}  // namespace espalier::io
