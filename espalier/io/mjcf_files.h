#pragma once

// The files of one MuJoCo model: <include> stands for what the other file's outermost element
// holds, and each element's remarks name the file it came from.

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/io/reading_budget.h"
#include "espalier/io/xml_reader.h"

namespace tinyxml2 {
class XMLDocument;
}

namespace espalier::io {

class MjcfFiles {
 public:
  /// folder: of the main file, which the names in all of them are relative to. Included files and
  /// the elements of all are taken from the budget.
  MjcfFiles(std::string folder, std::shared_ptr<ReadingBudget> budget);
  ~MjcfFiles();
  MjcfFiles(MjcfFiles&&) noexcept;

  /// The outermost element of the main text; null, and an Error, where it is no <mujoco>.
  const XMLElement* open(std::string_view text, const std::string& name);

  /// The children of e, those of included files among them.
  std::vector<const XMLElement*> children(const XMLElement& e);

  XmlReader& reader(const XMLElement& e) const;
  const std::string& folder() const { return folder_; }
  /// Of all files, the main one's first.
  Diagnostics diagnostics() const;

 private:
  struct File;

  File& parse(std::string_view text, const std::string& name);
  const XMLElement* include(const XMLElement& e);

  std::string folder_;
  std::shared_ptr<ReadingBudget> budget_;
  std::deque<std::unique_ptr<File>> files_;
  std::map<const tinyxml2::XMLDocument*, XmlReader*> readers_;
  std::map<const XMLElement*, const XMLElement*> included_;  ///< <include> -> outermost element
  std::set<std::string> names_;                              ///< of the files that are in already
};

}  // namespace espalier::io
