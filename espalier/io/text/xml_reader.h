#pragma once

// One reading of one XML file: collects remarks with their lines, turns attributes into values,
// and reports unknown content once for each kind.

#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/numbers.h"
#include "espalier/spatial/vec3.h"

namespace tinyxml2 {
class XMLElement;
}

namespace espalier::io {

using tinyxml2::XMLElement;
using Names = std::initializer_list<std::string_view>;

class XmlReader {
 public:
  /// lines: which line of the file each line of the text is (ExpandedText); empty: the same.
  explicit XmlReader(std::string file, std::vector<int> lines = {})
      : file_(std::move(file)), lines_(std::move(lines)) {}

  /// The element's line in the file. The functions below are given lines of the text.
  int lineOf(const XMLElement& e) const;

  /// Whom the remarks that follow are about: "link 'base'".
  void setSubject(std::string subject) { subject_ = std::move(subject); }

  void error(int line, const std::string& what, std::string remedy);
  void warn(int line, const std::string& what, std::string remedy);
  /// The first remark of each key is kept, the others are dropped.
  void once(Severity severity, const std::string& key, int line, const std::string& what,
            std::string remedy);

  /// As once(), a Warning about a feature left out that acts (Diagnostic::isOmission).
  void omit(const std::string& key, int line, const std::string& what, std::string remedy);

  /// The attribute without white space at its ends; empty where it is absent.
  std::string text(const XMLElement& e, const char* attribute) const;
  bool has(const XMLElement& e, const char* attribute) const;
  /// True if the attribute is there and good; an Error and false if it is there and bad.
  bool numbers(const XMLElement& e, const char* attribute, std::span<double> out,
               Infinity infinity = Infinity::Refused);
  /// The attribute's number, or fallback where it is absent or bad (then with an Error).
  double number(const XMLElement& e, const char* attribute, double fallback,
                Infinity infinity = Infinity::Refused);
  /// The attribute's three numbers, or fallback where it is absent or bad (then with an Error).
  Vec3d vector(const XMLElement& e, const char* attribute, const Vec3d& fallback);
  /// True or false; none where the attribute is absent, or, with an Error, where it is neither.
  std::optional<bool> flag(const XMLElement& e, const char* attribute);
  /// As number(), but an absent attribute is an Error too.
  double requiredNumber(const XMLElement& e, const char* attribute, double fallback);

  /// The first child of that name, or null; a Warning if there are more.
  const XMLElement* single(const XMLElement& e, const char* child);

  /// A Warning for each kind of child or attribute that is neither known nor foreign; a Note for
  /// each kind that is foreign: other programs' own, harmless here.
  ///   in  areOmissions  whether unknown children may act
  void expectChildren(const XMLElement& e, Names known, Names foreign = {},
                      bool areOmissions = false);
  void expectAttributes(const XMLElement& e, Names known, Names foreign = {});
  /// The remark on one such child or attribute.
  void unknown(const XMLElement& e, const std::string& name, int line, bool isForeign,
               bool isOmission = false);

  const std::string& file() const { return file_; }
  const std::vector<int>& lines() const { return lines_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  void add(Severity severity, int line, const std::string& what, std::string remedy,
           bool isOmission = false);
  int inFile(int line) const;

  std::string file_;
  std::vector<int> lines_;
  std::string subject_;
  Diagnostics diagnostics_;
  std::set<std::string> said_;
  bool isFull_ = false;
  bool hasError_ = false;
};

/// An element and its reader. Where a named value stands (in an attribute, a class of defaults, the text of
/// a child) the nodes of each format say.
class XmlNode {
 public:
  XmlNode(XmlReader& xml, const XMLElement& e) : xml_(&xml), e_(&e) {}

  const XMLElement& element() const { return *e_; }
  XmlReader& xml() const { return *xml_; }
  int line() const { return xml_->lineOf(*e_); }  ///< in its file, for Specs

  /// True if the value is there and good; an Error and false if it is there and bad.
  virtual bool numbers(const char* name, std::span<double> out) const = 0;
  /// The value, or fallback where it is absent or bad (then with an Error).
  double number(const char* name, double fallback) const {
    numbers(name, {&fallback, 1});
    return fallback;
  }
  Vec3d vector(const char* name, const Vec3d& fallback) const {
    double x[3];
    return numbers(name, x) ? Vec3d{x[0], x[1], x[2]} : fallback;
  }

  void error(const std::string& what, std::string remedy) const {
    xml_->error(lineOfText(), what, std::move(remedy));
  }
  void warn(const std::string& what, std::string remedy) const {
    xml_->warn(lineOfText(), what, std::move(remedy));
  }
  /// Said once of each `key`.
  void once(Severity severity, const std::string& key, const std::string& what,
            std::string remedy) const {
    xml_->once(severity, key, lineOfText(), what, std::move(remedy));
  }

 protected:
  ~XmlNode() = default;
  int lineOfText() const;  ///< as the functions of XmlReader are given lines

 private:
  XmlReader* xml_;
  const XMLElement* e_;
};

/// The children of e in their order: all, or those of one name.
std::vector<const XMLElement*> childrenOf(const XMLElement& e, const char* name = nullptr);

/// The text of e without white space at its ends; empty where it has none or e is null.
std::string textOf(const XMLElement* e);

/// text in quotes, shortened where it is long, control characters left out.
std::string shown(std::string_view text);

}  // namespace espalier::io
