#include "espalier/io/mjcf/mjcf_files.h"

#include <tinyxml2.h>

#include <filesystem>

#include "espalier/io/text/text_file.h"
#include "espalier/io/text/xml_document.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kind_of_file = "a MuJoCo file";

/// None where there is no such file, which is noted.
std::optional<std::string> fileIn(const std::string& folder, const std::string& name) {
  std::string path = (fs::path(folder) / name).lexically_normal().string();
  std::error_code code;
  if (fs::is_regular_file(path, code)) return path;
  FilesRead::note(path);
  return std::nullopt;
}

}  // namespace

/// The files of one model.
struct MjcfFiles::Set {
  std::string folder;           ///< of its main file
  std::set<std::string> names;  ///< of the files that are in already
};

struct MjcfFiles::File {
  File(const std::string& name, std::shared_ptr<Set> s) : xml(name), set(std::move(s)) {}
  XmlReader xml;
  std::shared_ptr<Set> set;
  tinyxml2::XMLDocument document;
  std::string folder;
  const XMLElement* root = nullptr;  ///< null where it is none of MuJoCo's
};

MjcfFiles::MjcfFiles(std::string folder, std::shared_ptr<ReadingBudget> budget)
    : folder_(std::move(folder)), budget_(std::move(budget)) {}
MjcfFiles::~MjcfFiles() = default;
MjcfFiles::MjcfFiles(MjcfFiles&&) noexcept = default;

/// Whatever its outermost element is called, as in MuJoCo.
MjcfFiles::File& MjcfFiles::add(std::string_view text, const std::string& name,
                                std::shared_ptr<Set> set) {
  set->names.insert(fs::path(name).lexically_normal().string());
  File& file = *files_.emplace_back(std::make_unique<File>(name, std::move(set)));
  fileOf_[&file.document] = &file;
  file.folder = folderOf(name);
  if (parseXml(file.xml, text, kind_of_file, *budget_, file.document))
    file.root = file.document.RootElement();
  return file;
}

MjcfFiles::File& MjcfFiles::parse(std::string_view text, const std::string& name,
                                  std::shared_ptr<Set> set) {
  File& file = add(text, name, std::move(set));
  file.folder = file.set->folder;
  if (file.root != nullptr)
    file.root = rootOf(file.xml, file.document, {"mujoco", "mujocoinclude"},
                       "a MuJoCo file has <mujoco> as its outermost element");
  return file;
}

std::optional<std::string> MjcfFiles::inModel(const XMLElement& e, const std::string& name) const {
  return fileIn(fileOf(e).set->folder, name);
}

std::optional<std::string> MjcfFiles::beside(const XMLElement& e, const std::string& name) const {
  return fileIn(fileOf(e).folder, name);
}

const XMLElement* MjcfFiles::open(std::string_view text, const std::string& name) {
  return parse(text, name, std::make_shared<Set>(Set{folder_, {}})).root;
}

const XMLElement* MjcfFiles::openModel(const XMLElement& e, const std::string& file,
                                       std::string& folder) {
  const auto found = beside(e, file);
  const std::string path =
      found ? *found : (fs::path(fileOf(e).set->folder) / file).lexically_normal().string();
  folder = folderOf(path);
  const Expected<std::string> text = readTextFile(path, *budget_);
  if (text) return parse(*text, path, std::make_shared<Set>(Set{folder, {}})).root;
  reader(e).error(
      e.GetLineNum(),
      "the model " + shown(file) + " cannot be read: " + text.diagnostics().all().front().what,
      "write its name relative to the folder of the file that names it");
  return nullptr;
}

const XMLElement* MjcfFiles::include(const XMLElement& e) {
  XmlReader& xml = reader(e);
  const std::string name = xml.text(e, "file");
  xml.expectAttributes(e, {"file"});
  if (name.empty()) {
    xml.error(e.GetLineNum(), "<include> names no file", "add file=\"...\"");
    return nullptr;
  }
  auto found = inModel(e, name);
  if (!found) found = beside(e, name);
  const std::string path =
      found ? *found : (fs::path(fileOf(e).set->folder) / name).lexically_normal().string();
  if (fileOf(e).set->names.count(path) != 0) {
    xml.error(e.GetLineNum(), "the file " + shown(name) + " is included a second time",
              "include each file once");
    return nullptr;
  }
  const Expected<std::string> text = readTextFile(path, *budget_);
  if (!text) {
    xml.error(
        e.GetLineNum(),
        "the included file " + shown(name) +
            " cannot be read: " + text.diagnostics().all().front().what,
        "write its name relative to the folder of the main file, or of the file that names it");
    return nullptr;
  }
  return add(*text, path, fileOf(e).set).root;
}

std::vector<const XMLElement*> MjcfFiles::children(const XMLElement& e) {
  std::vector<const XMLElement*> all;
  for (const XMLElement* c : childrenOf(e)) {
    if (std::string_view(c->Name()) != "include") {
      if (!filter || filter(*c)) all.push_back(c);
      continue;
    }
    const auto known = included_.find(c);
    const XMLElement* root =
        known != included_.end() ? known->second : (included_[c] = include(*c));
    if (root == nullptr) continue;
    const std::vector<const XMLElement*> others = children(*root);
    all.insert(all.end(), others.begin(), others.end());
  }
  return all;
}

MjcfFiles::File& MjcfFiles::fileOf(const XMLElement& e) const {
  return *fileOf_.at(e.GetDocument());
}

XmlReader& MjcfFiles::reader(const XMLElement& e) const { return fileOf(e).xml; }

Diagnostics MjcfFiles::diagnostics() const {
  Diagnostics all;
  for (const auto& file : files_) all.append(file->xml.diagnostics());
  return all;
}

}  // namespace espalier::io
