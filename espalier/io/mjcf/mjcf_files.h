#pragma once

// The files of one MuJoCo model: <include> stands for what the other file's outermost element
// holds, and each element's remarks name the file it came from. Models that are attached to the main
// one are files of their own, with their own includes.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/xml_reader.h"

namespace tinyxml2 {
class XMLDocument;
}

namespace espalier::io {

/// A <replicate> that stands in no other: what names a part of it is copied with it.
struct MjcfReplicate {
  std::vector<std::string> suffixes;                    ///< of its copies
  std::set<std::pair<std::string, std::string>> names;  ///< kind ("joint") and name without suffix
};

/// Prefix and suffix of the names in a file: of an attached model or of a copy.
struct MjcfNaming {
  std::string prefix, suffix;
  const MjcfReplicate* copied =
      nullptr;  ///< only its parts have the suffix; null: all that is named
};

class MjcfFiles {
 public:
  /// folder: of the main file, base of the relative names in it and, first of all, in the files it includes;
  /// what is not there is looked for beside the file that names it.
  /// Included files and the elements of all are taken from the budget.
  MjcfFiles(std::string folder, std::shared_ptr<ReadingBudget> budget);
  ~MjcfFiles();
  MjcfFiles(MjcfFiles&&) noexcept;

  /// The outermost element of the main text; null, and an Error, where it is no <mujoco>.
  const XMLElement* open(std::string_view text, const std::string& name);

  /// The outermost element of the model in a file that e names, relative to e's own folder or that of its
  /// model; null, and an Error, where there is none.
  ///   out  folder  of that file
  const XMLElement* openModel(const XMLElement& e, const std::string& file, std::string& folder);

  /// The children of e, those of included files among them, without those that a filter rejects.
  std::vector<const XMLElement*> children(const XMLElement& e);

  /// Context of the elements that are being read.
  MjcfNaming naming;
  std::function<bool(const XMLElement&)> filter;  ///< empty: all are kept

  /// The file of that name in the folder of the main file of e's model; none where there is none.
  std::optional<std::string> inModel(const XMLElement& e, const std::string& name) const;
  /// The same in the folder of e's own file.
  std::optional<std::string> beside(const XMLElement& e, const std::string& name) const;

  XmlReader& reader(const XMLElement& e) const;
  ReadingBudget& budget() const { return *budget_; }
  /// Of all files, the main one's first.
  Diagnostics diagnostics() const;

 private:
  struct File;

  struct Set;

  File& parse(std::string_view text, const std::string& name, std::shared_ptr<Set> set);
  File& add(std::string_view text, const std::string& name, std::shared_ptr<Set> set);
  File& fileOf(const XMLElement& e) const;
  const XMLElement* include(const XMLElement& e);

  std::string folder_;
  std::shared_ptr<ReadingBudget> budget_;
  std::deque<std::unique_ptr<File>> files_;
  std::map<const tinyxml2::XMLDocument*, File*> fileOf_;
  std::map<const XMLElement*, const XMLElement*> included_;  ///< <include> -> outermost element
};

}  // namespace espalier::io
