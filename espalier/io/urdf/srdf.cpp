#include "espalier/io/urdf/srdf.h"

#include <tinyxml2.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/io/text/xml_reader.h"

namespace espalier::io {
namespace {

constexpr std::string_view kind_of_file = "an SRDF file";

/// The pairs of one SRDF that the robot has.
class PairReading {
 public:
  PairReading(XmlReader& xml, const SystemSpec& spec) : xml_(xml) {
    for (const LinkSpec& link : spec.links) links_.insert(link.name);
  }

  void read(const XMLElement& robot) {
    for (const XMLElement* e : childrenOf(robot)) {
      const std::string_view tag = e->Name();
      if (tag == "disable_collisions") {
        const std::string reason = xml_.text(*e, "reason");
        if (const auto pair = pairOf(*e))
          reasons_.emplace(*pair, reason.empty() ? "SRDF" : "SRDF: " + reason);
      } else if (tag == "enable_collisions") {
        if (const auto pair = pairOf(*e)) enabled_.insert(*pair);
      } else if (tag == "disable_default_collisions") {
        disableAll(*e);
      }
    }
  }

  std::vector<IgnoredPair> pairs() const {
    std::vector<IgnoredPair> all;
    for (const auto& [pair, reason] : reasons_)
      if (enabled_.count(pair) == 0) all.emplace_back(pair.first, pair.second, reason);
    return all;
  }
  const std::set<std::string>& unknown() const { return unknown_; }

 private:
  using Pair = std::pair<std::string, std::string>;  // the lesser name first

  /// The link of that attribute; none with an Error where there is none, without where the robot
  /// does not have it.
  std::optional<std::string> linkOf(const XMLElement& e, const char* attribute) {
    std::string name = xml_.text(e, attribute);
    if (name.empty()) {
      xml_.error(e.GetLineNum(), "<" + std::string(e.Name()) + "> has no " + attribute,
                 "name a link of the robot there");
      return std::nullopt;
    }
    if (links_.count(name) != 0) return name;
    unknown_.insert(std::move(name));
    return std::nullopt;
  }

  std::optional<Pair> pairOf(const XMLElement& e) {
    const auto first = linkOf(e, "link1"), second = linkOf(e, "link2");
    if (!first || !second) return std::nullopt;
    return Pair(std::min(*first, *second), std::max(*first, *second));
  }

  void disableAll(const XMLElement& e) {
    const auto link = linkOf(e, "link");
    if (!link) return;
    for (const std::string& other : links_) {
      if (other == *link) continue;
      reasons_.emplace(Pair(std::min(*link, other), std::max(*link, other)), "SRDF: default");
    }
  }

  XmlReader& xml_;
  std::set<std::string> links_, unknown_;
  std::map<Pair, std::string> reasons_;
  std::set<Pair> enabled_;
};

void remark(const PairReading& reading, std::size_t count, const std::string& path,
            Diagnostics& diagnostics) {
  if (count == 0 && reading.unknown().empty()) return;
  std::string what =
      std::to_string(count) +
      (count == 1 ? " pair of links never collides" : " pairs of links never collide") +
      ", as this file says";
  if (!reading.unknown().empty()) {
    what += "; it names " + std::to_string(reading.unknown().size()) +
            " links that the robot does not have, such as " + shown(*reading.unknown().begin());
  }
  diagnostics.add({Severity::Note, path, 0, what, "espalier info --collisions lists all pairs"});
}

}  // namespace

std::optional<std::string> findSrdf(const std::string& robotFile, const std::string& robotName) {
  namespace fs = std::filesystem;
  const fs::path file(robotFile), folder = file.parent_path();
  std::error_code code;
  for (const std::string& name : {file.stem().string(), robotName}) {
    // The robot's name comes from the file, and must not lead elsewhere.
    if (name.empty() || fs::path(name).filename() != fs::path(name)) continue;
    for (const fs::path& place : {folder, folder / ".." / "srdf"}) {
      const fs::path path = place / (name + ".srdf");
      if (fs::is_regular_file(path, code)) return path.lexically_normal().string();
    }
  }
  return std::nullopt;
}

Diagnostics applySrdf(const std::string& text, const std::string& path, SystemSpec& spec,
                      ReadingBudget& budget) {
  XmlReader xml(path);
  tinyxml2::XMLDocument document;
  if (!parseXml(xml, text, kind_of_file, budget, document)) return xml.diagnostics();
  const XMLElement* robot =
      rootOf(xml, document, {"robot"}, "an SRDF has <robot name=...> as its outermost element");
  if (robot == nullptr) return xml.diagnostics();
  PairReading reading(xml, spec);
  reading.read(*robot);
  if (xml.diagnostics().hasErrors()) return xml.diagnostics();
  std::vector<IgnoredPair> pairs = reading.pairs();
  remark(reading, pairs.size(), path, xml.diagnostics());
  std::move(pairs.begin(), pairs.end(), std::back_inserter(spec.ignoredPairs));
  return xml.diagnostics();
}

Diagnostics applySrdfFile(const std::string& path, SystemSpec& spec, ReadingBudget& budget) {
  const Expected<std::string> text = readTextFile(path, budget);
  return text ? applySrdf(*text, path, spec, budget) : text.diagnostics();
}

}  // namespace espalier::io
