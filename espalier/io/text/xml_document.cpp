#include "espalier/io/text/xml_document.h"

#include <algorithm>
#include <string>

#include "espalier/io/text/xml_tally.h"

namespace espalier::io {
namespace {

/// False, and an Error, where the text exceeds the budget: memory and time of parsing grow with
/// the number of elements, and with the square of the number of attributes of one.
bool isAffordable(XmlReader& xml, std::string_view text, ReadingBudget& budget) {
  const XmlTally tally = tallyXml(text);
  const std::size_t most = budget.limits().attributes;
  if (tally.attributes > most) {
    xml.error(tally.line,
              "an element has " + std::to_string(tally.attributes) + " attributes, more than the " +
                  std::to_string(most) + " that are read",
              "take it apart, or close the quotes before it; the bound is "
              "ReadingLimits::attributes");
    return false;
  }
  const auto excess = budget.takeElements(tally.elements);
  if (excess) xml.error(1, excess->what, excess->remedy);
  return !excess;
}

}  // namespace

bool parseXml(XmlReader& xml, std::string_view text, std::string_view kind, ReadingBudget& budget,
              tinyxml2::XMLDocument& document) {
  const std::string name(kind);
  while (!text.empty() && text.back() == '\0')
    text.remove_suffix(1);  // as some programs end a text
  if (const std::size_t nul = text.find('\0'); nul != text.npos) {
    const auto before = text.substr(0, nul);
    xml.error(1 + static_cast<int>(std::count(before.begin(), before.end(), '\n')),
              "this is no text: it holds a zero byte", "name " + name + ", in UTF-8");
    return false;
  }
  if (!isAffordable(xml, text, budget)) return false;
  const tinyxml2::XMLError problem = document.Parse(text.data(), text.size());
  if (problem == tinyxml2::XML_SUCCESS) return true;
  const int line = document.ErrorLineNum();
  if (problem == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) {
    xml.error(1, "the XML is empty", "name " + name + ", or give its text");
  } else if (problem == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    xml.error(line, "the XML is nested too deeply", name + " needs no more than ten levels");
  } else if (problem == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT) {
    xml.error(line, "the XML cannot be read: a tag that opens here is not closed",
              "close it by its own name, before those around it close");
  } else {
    xml.error(line,
              std::string("the XML cannot be read (") +
                  tinyxml2::XMLDocument::ErrorIDToName(problem) + ")",
              "look at this line and the one before for a tag or quote that is not closed");
  }
  return false;
}

}  // namespace espalier::io
