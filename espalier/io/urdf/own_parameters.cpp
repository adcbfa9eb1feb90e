#include "espalier/io/urdf/own_parameters.h"

#include "espalier/io/text/template.h"
#include "espalier/io/text/xml_document.h"
#include "espalier/io/world_xml/world_node.h"

namespace espalier::io {

OwnParameters readOwnParameters(std::string_view text,
                                const std::map<std::string, std::string>& given,
                                Precedence precedence, std::string_view kind,
                                const std::string& name, const std::string& folder,
                                ReadingBudget& budget, Diagnostics& diagnostics) {
  OwnParameters own;
  if (text.find("<params") == text.npos) return own;
  Node::File file{XmlReader(name), folder};
  tinyxml2::XMLDocument document;
  own.isXml = parseXml(file.xml, text, kind, budget, document);
  std::map<std::string, std::string> known = given;
  const auto define = [&](const Node& node) {
    const std::string parameter = node.spelled();
    const auto value = expandValue(node.text("value"), known, name, node.line(), budget);
    file.xml.diagnostics().append(value.diagnostics());
    if (!value) return;
    if (value->size() > budget.limits().parameterBytes) {
      node.error("the parameter " + shown(parameter) + " has " + std::to_string(value->size()) +
                     " bytes, more than the " + std::to_string(budget.limits().parameterBytes) +
                     " of a value",
                 "look for parameters that hold one another twice; the bound is "
                 "ReadingLimits::parameterBytes");
      return;
    }
    own.all.push_back({parameter, *value, node.line()});
    if (precedence == Precedence::Own || given.count(parameter) == 0) known[parameter] = *value;
  };
  if (own.isXml && document.RootElement() != nullptr) {
    for (const Node& params : Node(file, *document.RootElement()).children()) {
      if (params.tag() != "params") continue;
      for (const Node& node : params.children()) define(node);
    }
  }
  diagnostics.append(file.xml.diagnostics());
  return own;
}

}  // namespace espalier::io
