#pragma once

// An element of a world file as its reader sees it: names in snake_case or camelCase, numbers
// between spaces or commas, [THIS_DIR] filled in, and missing attributes taken from its class.

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

class Node {
 public:
  /// All that one file's nodes share.
  struct File {
    XmlReader xml;
    std::string folder;  ///< value of [THIS_DIR]
  };

  /// kind: the object class the element names, or null.
  Node(File& file, const XMLElement& e, const XMLElement* kind = nullptr)
      : file_(&file), e_(&e), kind_(kind) {}

  const XMLElement& element() const { return *e_; }
  XmlReader& xml() const { return file_->xml; }
  /// As the file spells it, and in snake_case.
  const char* spelled() const;
  std::string tag() const;
  int line() const;  ///< in the file, for Specs

  bool has(const char* attribute) const { return find(attribute) != nullptr; }
  /// Without white space at its ends; empty where it is absent.
  std::string text(const char* attribute) const;
  /// True if it is there and good; an Error and false if it is there and bad.
  bool numbers(const char* attribute, std::span<double> out) const;
  double number(const char* attribute, double fallback) const;
  double required(const char* attribute, double fallback) const;
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

  void error(const std::string& what, std::string remedy) const;
  void warn(const std::string& what, std::string remedy) const;
  void once(Severity severity, const std::string& what, std::string remedy) const;
  /// As once(), of features left out that act in RaiSim.
  void omit(const std::string& what, std::string remedy) const;

 private:
  const tinyxml2::XMLAttribute* find(const char* attribute) const;
  void bad(const tinyxml2::XMLAttribute& attribute, const std::string& wanted,
           std::string remedy) const;

  File* file_;
  const XMLElement* e_;
  const XMLElement* kind_;
};

/// xSample -> x_sample.
std::string snakeCase(std::string_view name);

/// Numbers between spaces or commas; none where a piece is none.
std::optional<std::vector<double>> splitNumbers(std::string_view text);

}  // namespace espalier::io
