#include "espalier/io/text/xml_document.h"

#include <algorithm>
#include <string>

#include "espalier/io/text/template_array.h"

namespace espalier::io {
namespace {

/// Runs of quoted text up to the tag's '>'; `at` is then behind that.
std::size_t countQuoted(std::string_view text, std::size_t& at) {
  std::size_t count = 0;
  while ((at = text.find_first_of("\"'>", at)) != text.npos && text[at] != '>') {
    ++count;
    at = text.find(text[at], at + 1);
    if (at == text.npos) break;
    ++at;
  }
  at = at == text.npos ? text.size() : at + 1;
  return count;
}

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

std::string rootElement(std::string_view text) {
  for (std::size_t at = text.find('<'); at != text.npos; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at), skipped = untouchedPiece(rest);
    if (skipped.empty()) return std::string(rest.substr(1, rest.find_first_of(" \t\r\n/>", 1) - 1));
    at += skipped.size();
  }
  return {};
}

XmlTally tallyXml(std::string_view text) {
  XmlTally tally;
  std::size_t at = 0, counted = 0;
  int line = 1;
  while ((at = text.find('<', at)) != text.npos) {
    const std::string_view rest = text.substr(at);
    const std::size_t begin = at;
    if (const std::string_view piece = untouchedPiece(rest); !piece.empty()) {
      ++tally.elements;
      at += piece.size();
      continue;
    }
    tally.elements += rest.substr(0, 2) != "</";
    const std::size_t attributes = countQuoted(text, at);
    if (attributes <= tally.attributes) continue;
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
    counted = begin;
    tally.attributes = attributes;
    tally.line = line;
  }
  return tally;
}

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
    xml.error(line, "the XML is nested too deeply: more than 100 elements lie in one another",
              "most formats need no more than ten levels; in MJCF put the inner bodies into a file "
              "of their "
              "own and <include> it, which counts anew");
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

const XMLElement* rootOf(XmlReader& xml, const tinyxml2::XMLDocument& document, Names names,
                         std::string remedy) {
  const XMLElement* root = document.RootElement();
  if (root == nullptr)
    xml.error(1, "there is no element in it", std::move(remedy));
  else if (std::find(names.begin(), names.end(), root->Name()) != names.end())
    return root;
  else
    xml.error(root->GetLineNum(), "the outermost element is " + shown(root->Name()),
              std::move(remedy));
  return nullptr;
}

}  // namespace espalier::io
