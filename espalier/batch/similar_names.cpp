#include "espalier/batch/similar_names.h"

#include <algorithm>
#include <numeric>

namespace espalier {
namespace {

/// How many letters are put in, left out or changed between a and b.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t k = 0; k < b.size(); ++k) {
      const std::size_t changed = diagonal + (a[i] == b[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string unknownName(std::string_view kind, std::string_view name,
                        const std::vector<std::string>& known) {
  constexpr std::size_t most = 5;
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& other : known) near.emplace_back(distance(name, other), other);
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (near.size() > most) near.resize(most);
  std::string message = "there is no " + std::string(kind) + " '" + std::string(name) + "'";
  for (std::size_t i = 0; i < near.size(); ++i)
    message += (i == 0 ? "; the nearest are " : ", ") + near[i].second;
  return message;
}

}  // namespace espalier
