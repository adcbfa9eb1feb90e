#include "espalier/io/text/reading_budget.h"

#include <utility>

namespace espalier::io {
namespace {

/// Adds to a count without overflow; true where it then exceeds the limit.
bool exceeds(std::size_t& count, std::size_t more, std::size_t limit) {
  count = more > limit || count > limit ? limit + 1 : count + more;
  return count > limit;
}

ReadingBudget::Excess excess(std::size_t limit, const std::string& of, const std::string& todo,
                             const char* member) {
  return {"the file, with all that it includes and repeats, comes to more than " +
              std::to_string(limit) + " " + of,
          todo + "; the bound is ReadingLimits::" + member};
}

}  // namespace

std::optional<ReadingBudget::Excess> ReadingBudget::takeText(std::size_t bytes) {
  if (!exceeds(text_, bytes, limits_.textBytes)) return std::nullopt;
  return excess(limits_.textBytes, "bytes of text",
                "include and repeat less, and look for parameters that hold one another twice",
                "textBytes");
}
std::optional<ReadingBudget::Excess> ReadingBudget::takeElements(std::size_t count) {
  if (!exceeds(elements_, count, limits_.elements)) return std::nullopt;
  return excess(limits_.elements, "XML elements", "include and repeat less", "elements");
}
std::optional<ReadingBudget::Excess> ReadingBudget::takeFile() {
  if (!exceeds(files_, 1, limits_.files)) return std::nullopt;
  return excess(limits_.files, "files", "include fewer files, each only where it is needed",
                "files");
}
std::optional<ReadingBudget::Excess> ReadingBudget::takeNumbers(std::size_t count) {
  if (!exceeds(numbers_, count, limits_.numbers)) return std::nullopt;
  return excess(limits_.numbers, "numbers in meshes and terrains",
                "use fewer and coarser meshes and terrains", "numbers");
}

}  // namespace espalier::io
