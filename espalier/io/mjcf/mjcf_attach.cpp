// Models that others attach: a file of its own, whose parts get a prefix in the main model.

#include <tinyxml2.h>

#include <algorithm>

#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

/// Whether all parts that an element names are in the model.
bool namesWhatIsThere(MjcfReading& reading, const XMLElement& e) {
  const MjcfModel& model = reading.model;
  const MjcfNode node(reading.files, e);
  const auto all = [&](Names attributes, const auto& known) {
    return std::all_of(attributes.begin(), attributes.end(), [&](std::string_view attribute) {
      const std::string name = node.text(std::string(attribute).c_str());
      return name.empty() || name == "world" || known.count(name) != 0;
    });
  };
  return all({"joint", "joint1", "joint2", "jointinparent"}, model.joints) &&
         all({"body", "body1", "body2"}, model.bodyOf) &&
         all({"site", "site1", "site2", "refsite", "slidersite", "cranksite"}, model.sites) &&
         all({"geom", "geom1", "geom2"}, model.geoms);
}

}  // namespace

MjcfEntered::MjcfEntered(MjcfReading& reading, const MjcfAttached& attached)
    : reading_(reading), scope_(*attached.scope), naming_(attached.naming) {
  std::swap(static_cast<MjcfScope&>(reading_), scope_);
  std::swap(reading_.files.naming, naming_);
}

MjcfEntered::~MjcfEntered() {
  std::swap(static_cast<MjcfScope&>(reading_), scope_);
  std::swap(reading_.files.naming, naming_);
}

void readMjcfModelAsset(MjcfReading& reading, const MjcfNode& asset) {
  asset.expect({"name", "file"}, {"content_type"});
  const std::string file = asset.text("file");
  if (file.empty()) {
    asset.error("<model> names no file", "add file=\"...\"");
    return;
  }
  if (reading.depth >= reading.files.budget().limits().depth) {
    asset.error("models name one another too deeply", "let no model attach itself");
    return;
  }
  auto scope = std::make_shared<MjcfScope>();
  scope->depth = reading.depth + 1;
  scope->root = reading.files.openModel(asset.element(), file, scope->folder);
  std::string name = asset.text("name");
  if (scope->root == nullptr) {
    reading.models.emplace(name, nullptr);
    return;
  }
  if (name.empty()) name = reading.files.reader(*scope->root).text(*scope->root, "model");
  if (!addNamed(reading.models, name, scope, asset, "model", "models")) return;
  const XMLElement& root = *scope->root;
  const MjcfEntered entered(reading, {scope, reading.files.naming});
  const auto each = [&](std::string_view tag, const auto& read) {
    for (const XMLElement* e : mjcfSections(reading.files, root, tag))
      read(reading, MjcfNode(reading.files, *e));
  };
  each("compiler", readMjcfCompiler);
  each("default", [](MjcfReading& r, const MjcfNode& n) { readMjcfDefault(r, n, nullptr); });
  each("asset", readMjcfAsset);
}

std::optional<MjcfAttached> readMjcfAttach(MjcfReading& reading, const MjcfNode& attach) {
  attach.expect({"model", "body", "prefix"});
  const auto* scope =
      lookUp(reading.models, attach, "model", "model", "add a <model> of that name to <asset>");
  if (scope == nullptr || *scope == nullptr) return std::nullopt;  // the asset says why
  if (!attach.has("prefix")) {
    attach.error("<attach> has no prefix", "add prefix=\"...\", which its names begin with");
    return std::nullopt;
  }
  MjcfNaming naming = reading.files.naming;
  naming.prefix += attach.text("prefix");
  return MjcfAttached{*scope, naming};
}

std::vector<const XMLElement*> mjcfSections(MjcfFiles& files, const XMLElement& root,
                                            std::string_view tag) {
  std::vector<const XMLElement*> all;
  for (const XMLElement* e : files.children(root))
    if (tag == e->Name()) all.push_back(e);
  return all;
}

void forEachMjcfSection(MjcfReading& reading, std::string_view tag,
                        const std::function<void(const MjcfNode&)>& read) {
  MjcfFiles& files = reading.files;
  const auto readSections = [&] {
    for (const XMLElement* e : mjcfSections(files, *reading.root, tag)) read(MjcfNode(files, *e));
  };
  const auto readAll = [&] { forEachMjcfCopy(reading, tag, readSections); };
  for (std::size_t i = 0; i < reading.attached.size(); ++i) {
    const MjcfEntered entered(reading, reading.attached[i]);
    files.filter = [&](const XMLElement& e) { return namesWhatIsThere(reading, e); };
    readAll();
    files.filter = nullptr;
  }
  readAll();
}

}  // namespace espalier::io
